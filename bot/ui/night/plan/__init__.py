"""Planning a night: the draft, its panel and what is pressed there."""
