"""What every message is made of: components, custom ids, texts, names, forms. Knows no game."""
