"""Whether a move is allowed: one function for each kind of move, and the codes of refusals."""
