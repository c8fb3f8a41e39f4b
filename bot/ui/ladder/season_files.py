"""A season as files for Discord, named."""

from enum import StrEnum

import discord

from bot.records.season_files import as_csv, as_json
from bot.records.season_record import SeasonRecord
from bot.ui.kit.attachments import attached
from bot.ui.kit.languages import LANGUAGES


class FileFormat(StrEnum):
    CSV = "csv"
    JSON = "json"


def season_files(record: SeasonRecord, written: FileFormat, language: str, limit: int) -> list[discord.File]:
    """The files, packed into one where they are larger than `limit` bytes; none where that is too large as well."""
    stem = f"kems-season-{record.season.number}"
    if written is FileFormat.JSON:
        files = {f"{stem}.json": as_json(record)}
    else:
        tables = as_csv(record, LANGUAGES[language].delimiter)
        files = {f"{stem}-{name}.csv": data for name, data in tables.items()}
    return attached(files, stem, limit)
