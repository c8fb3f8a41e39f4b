"""The connection, migrations, backup, encryption, and the tables of the database."""
