"""Pictures, drawn by us from plain shapes: no photograph and no foreign drawing. Words are written in
DejaVu Sans, whose files and licence are in `assets`; the ranks of cards in the font that Pillow ships.

It knows how cards and charts look, and no Discord, languages or tables.
"""
