"""The first match: lessons as data, the deals in which they come up, and robots that wait for the learner.

A lesson depends on what the learner's seat sees and on the match's log alone: a restart forgets none.
"""
