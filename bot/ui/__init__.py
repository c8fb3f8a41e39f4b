"""Everything Discord: what players see and touch. No rules live here, and no hidden card is ever within reach."""
