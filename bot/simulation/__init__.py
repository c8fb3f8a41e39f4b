"""Matches between robots in virtual time, and their figures."""
