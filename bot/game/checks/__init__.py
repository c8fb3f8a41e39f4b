"""What is refused: each kind of move, judged by one function, and the codes of refusals."""
