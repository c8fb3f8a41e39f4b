"""The connection, migrations, backup and encryption."""
