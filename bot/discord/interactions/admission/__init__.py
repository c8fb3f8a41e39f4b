"""What is checked before a press acts: its age, the rate of presses, rights and allowances."""
