"""Rules in words, and the editor of a table's rules."""
