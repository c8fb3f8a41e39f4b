"""Keeps public messages and private panels up to date."""
