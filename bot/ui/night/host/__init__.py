"""The tools of a night's host: panel, presses, and the steps in words."""
