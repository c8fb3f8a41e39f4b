"""The game in words: cards, teams, rules, signs, refusals."""
