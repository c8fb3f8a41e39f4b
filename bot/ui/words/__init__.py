"""Words of the game: cards, teams, rules, signs, refusals."""
