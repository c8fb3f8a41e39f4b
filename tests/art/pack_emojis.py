"""Packs the emojis that pictures show: `python -m tests.art.pack_emojis twemoji.woff2`, run by hand for a new version.

The font is that of the npm package `twemoji-colr-font`. Reading it needs `fonttools` and `brotli`, which nothing else
needs, so they are in no lock. Many emojis are several characters, which only a shaping library joins, and that library
is not on every machine: here each emoji gets one private character, in the order of `emojis.txt`. Pillow measures a
glyph without its coloured layers, so each gets a square outline, which is never painted.
"""

import sys
from typing import Any

import emoji
from fontTools import subset
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

from bot.art.writing import FIRST, FONT, LIST

_NAME = "Kems Emojis"
_BOX = (0, -64, 512, 448)  # left, bottom, right and top of nearly all of them


def pack(source: str) -> None:
    font: Any = TTFont(source)
    font.flavor = None
    glyphs = _glyphs(font)
    found = sorted(glyphs, key=lambda one: [ord(char) for char in one])
    table = CmapSubtable.newSubtable(12)
    table.platformID, table.platEncID, table.language = 3, 10, 0
    table.cmap = {FIRST + number: glyphs[one] for number, one in enumerate(found)}
    font["cmap"].tables = [table]
    for unused in ("GSUB", "GDEF", "FFTM", "cvt ", "gasp"):
        del font[unused]
    subsetter = subset.Subsetter(subset.Options(glyph_names=False, hinting=False, layout_features=[]))
    subsetter.populate(unicodes=list(table.cmap))
    subsetter.subset(font)
    left, bottom, right, top = _BOX
    pen = TTGlyphPen(None)
    pen.moveTo((left, bottom))
    for corner in ((left, top), (right, top), (right, bottom)):
        pen.lineTo(corner)
    pen.closePath()
    square = pen.glyph()
    for glyph in table.cmap.values():
        font["glyf"][glyph] = square
        font["hmtx"][glyph] = (right, left)
    font["hhea"].ascent, font["hhea"].descent = top, bottom
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = _NAME.replace(" ", "") if record.nameID == 6 else _NAME
    font.save(FONT)
    LIST.write_text("".join(f"{one}\n" for one in found), encoding="utf-8")
    print(f"{len(found)} emojis, {FONT.stat().st_size} bytes")


def _glyphs(font: Any) -> dict[str, str]:
    """Returns the glyph of each emoji that the font has, without the characters that ask for a picture."""
    single = font.getBestCmap()
    joined = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for part in lookup.SubTable:
            for first, ligatures in part.ligatures.items():
                joined |= {(first, *ligature.Component): ligature.LigGlyph for ligature in ligatures}
    kinds = {emoji.STATUS["fully_qualified"], emoji.STATUS["component"]}
    glyphs = {}
    for form in (form for form, about in emoji.EMOJI_DATA.items() if about["status"] in kinds):
        bare = form.replace("\ufe0f", "")
        for written in (form, bare):
            chars = tuple(single.get(ord(char)) for char in written)
            glyph = chars[0] if len(chars) == 1 else joined.get(chars)
            if glyph is not None:
                glyphs[bare] = glyph
                break
    return glyphs


if __name__ == "__main__":
    pack(sys.argv[1])
