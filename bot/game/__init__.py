"""The rules of Kem's as a pure function of state, action and time.

Nothing below this package knows a clock, a network, a database or global randomness.
"""
