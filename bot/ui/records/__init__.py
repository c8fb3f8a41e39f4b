"""Finished matches: history, results, replays, exports."""
