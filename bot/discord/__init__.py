"""The room that talks to Discord: it posts, edits, answers and asks, and no other room awaits Discord."""
