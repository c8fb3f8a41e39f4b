"""What was played and who stands where: values, and the Protocols by which they are asked for.

Knows neither Discord nor the database.
"""
