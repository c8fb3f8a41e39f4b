"""KGN, Kem's game notation: a text form of a match, read, replayed and written.

The language: a head of `[Key "value"]` lines; moves `TIME WHO VERB ARGUMENTS`; expectations that begin with `=`; `#`
starts a comment. `TIME - time` is the organiser's call of time. `- chance ...` states the outcome of the next shuffle
or draw, and `[Redrawn "CARDS / CARDS"]` those of the stock at the first deal, so that a match of real shuffles can be
replayed; `[Cards "#1 eyes / #2 idea"]` are the sign cards (without it none restricts the signs). The partners accept `A
sign 👀` at once; `A propose 👀` waits for them to propose the same.
"""
