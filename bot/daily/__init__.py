"""Short scenes of one round in which robots play and one person has one task. The core judges every move.

A scene begins with a deal drawn for the person and the day, or at a moment of a finished match.
"""
