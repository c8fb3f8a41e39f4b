"""Private panels: whose are open, with which token, and how they are edited."""
