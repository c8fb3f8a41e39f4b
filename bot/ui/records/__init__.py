"""What was played: history, matches, replays, exports."""
