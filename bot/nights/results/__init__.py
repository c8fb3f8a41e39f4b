"""The results of a night: what was played, standings, recap."""
