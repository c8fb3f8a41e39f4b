"""What Discord allows in a time: budgets of requests, and how long it asks to wait."""
