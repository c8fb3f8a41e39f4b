"""Running game nights: one writer each, which opens the tables of a round, hears how they end, and keeps the time."""
