"""Game nights on Discord: planned by a host, with registration, shown live while they run, and reviewed afterwards."""
