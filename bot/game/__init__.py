"""The rules of Kem's as pure functions of state, action and time.

The package uses no clock, network, database or global randomness.
"""
