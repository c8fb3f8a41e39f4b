"""Elements of a page. Whatever is no element is escaped; numbers as long as Discord's ids are left out."""

import re
from html import escape
from typing import Final

from bot.discord.text.picture_words import plain

_ID: Final = re.compile(r"\d{17,}")  # people write mentions in titles and gestures
_HEAD: Final = (
    '<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex">\n'
    '<title>{title}</title>\n<link rel="stylesheet" href="style.css">\n</head>\n{body}\n</html>\n'
)


class Markup(str):
    """HTML, which stands on a page as it is."""

    __slots__ = ()


BREAK: Final = Markup("<br>")


def tag(name: str, *inner: object, **attributes: str) -> Markup:
    """An element; its attributes are those of HTML, `class_` for `class`. What is None is left out."""
    told = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{told}>{together(*inner)}</{name}>")


def together(*inner: object) -> Markup:
    """Elements and texts, one after the other."""
    return Markup(
        "".join(
            each if isinstance(each, Markup) else escape(_ID.sub("…", str(each))) for each in inner if each is not None
        )
    )


def words(line: str) -> Markup:
    """A line that is written for a message."""
    return together(plain(line))


def document(lang: str, title: str, *body: object) -> str:
    return _HEAD.format(lang=escape(lang), title=together(title), body=tag("body", *body))
