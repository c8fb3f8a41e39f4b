"""The deal of the day: short scenes of one round, drawn for each person and day, and what their results are worth.

A scene is an ordinary deal in which robots play, and the person has one task. The core judges every move.
"""
