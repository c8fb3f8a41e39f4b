"""Benchmarks: `make bench` prints ratios against a reference measured in the same run; nothing here asserts a time."""
