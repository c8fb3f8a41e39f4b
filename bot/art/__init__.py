"""Pictures, drawn by us from plain shapes: no photograph and no foreign drawing. Words are written in
DejaVu Sans, whose files and licence are in `assets`; the ranks of cards in the font that Pillow ships.

This room knows what cards and charts look like. It must not know Discord, languages or tables: it gets what it draws.
"""
