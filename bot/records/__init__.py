"""What was played and the resulting records: values, and the Protocols that read them.

Knows neither Discord nor the database.
"""
