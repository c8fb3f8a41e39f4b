"""The room that talks to Discord. No other room awaits a request to it."""
