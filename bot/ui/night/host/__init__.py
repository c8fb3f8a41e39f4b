"""What the host of a night can do: their panel, and the steps that they take with it."""
