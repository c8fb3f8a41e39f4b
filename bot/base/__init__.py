"""What every room may use: clock, background tasks, workers, settings, logging, metrics. It knows no other room."""
