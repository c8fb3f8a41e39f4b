"""The connections, their errors, the database's address and file, and the cluster of processes."""
