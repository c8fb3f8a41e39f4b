"""What every room may use: the clock, tasks and workers, settings, logs, metrics. It knows nothing of the others."""
