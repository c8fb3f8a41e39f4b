"""The rules of a match as data: their parts, presets, house rules and what they need of each other."""
