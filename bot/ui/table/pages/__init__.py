"""What the messages of a running match look like: the table, the round's and the match's end, and a player's panel."""
