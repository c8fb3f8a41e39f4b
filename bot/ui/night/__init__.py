"""Game nights on Discord: planned by a host, signed up for, shown live while they run, told about afterwards."""
