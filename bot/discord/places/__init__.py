"""Where a message may stand: permissions, members, threads, and why Discord refuses a place."""
