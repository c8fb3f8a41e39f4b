"""Secret signs as values: emojis and words, cards they may stand for, plans of several."""
