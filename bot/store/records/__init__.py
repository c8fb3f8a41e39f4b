"""What was played: archive, history, retention, season exports."""
