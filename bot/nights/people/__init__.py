"""The entrants of a night: sign-up, partners, and what is new for them."""
