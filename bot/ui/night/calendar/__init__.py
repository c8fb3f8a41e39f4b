"""A night in the calendars of people and among the events of the server."""
