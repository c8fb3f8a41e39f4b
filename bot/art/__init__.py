"""Pictures, drawn by us from plain shapes: no photograph, no foreign drawing, no font but the one that Pillow ships.

This room knows what a card looks like. It must not know Discord, languages or tables: it gets what it draws.
"""
