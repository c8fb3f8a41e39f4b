"""Work that the clock starts: season ends, retention, closing of what is left."""
