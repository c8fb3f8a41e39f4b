"""Pictures of cards, charts and rounds, drawn from plain shapes. They know no Discord, languages or tables.

Words are in DejaVu Sans and emojis in Twemoji (`assets`), the ranks of cards in the font that Pillow ships.
"""
