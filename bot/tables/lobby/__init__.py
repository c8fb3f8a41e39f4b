"""Who sits where at a table, before and during a match, and where the table is shown: values alone."""
