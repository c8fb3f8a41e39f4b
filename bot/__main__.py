"""`python -m bot` is `kems`."""

from bot.cli import main

main()
