"""What people read, as data: translations, names, widths, commands by name."""
