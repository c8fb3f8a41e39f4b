"""Planning a night: the draft, its panel and the presses on it."""
