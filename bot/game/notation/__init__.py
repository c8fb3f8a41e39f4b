"""KGN, Kem's game notation: a text form of a match, read, replayed and written.

The language: a head of `[Key "value"]` lines; moves `TIME WHO VERB ARGUMENTS`; expectations that begin with `=`;
`#` starts a comment. Beyond the published verbs, `- chance ...` states the outcome of the next shuffle or draw, so
that a match of real shuffles can be written down and replayed.
"""
