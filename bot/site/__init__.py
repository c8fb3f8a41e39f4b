"""Seasons, nights, boards and replays of a server as static pages, read from the database alone (`kems site`)."""
