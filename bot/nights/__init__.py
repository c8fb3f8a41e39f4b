"""Game nights as data: what a host plans, who comes, who plays whom, who stands where. Pure."""
