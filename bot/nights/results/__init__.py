"""What a night comes to: who played with whom, the standings, the review, the league of a season."""
