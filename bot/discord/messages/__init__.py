"""Messages that are kept up to date: public live messages and ephemeral panels."""
