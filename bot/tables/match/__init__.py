"""A running match under one writer: its log, pauses, the order of calls, robots at its seats."""
