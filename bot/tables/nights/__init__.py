"""Running game nights: each has one writer, which opens the tables of a round, records their results and keeps time."""
