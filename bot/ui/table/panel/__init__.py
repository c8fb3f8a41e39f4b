"""The private panel of a seat: the hand, the sign, whom to counter, which cards to show."""
