"""`make schema`: writes the id of the first release's revision, which is a digest of the schema."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.store.schema import Base

INITIAL: Final = Path(__file__).parents[2] / "migrations" / "versions" / "0001_initial.py"


def schema_id() -> str:
    tables = Base.metadata.sorted_tables
    indexes = (index for table in tables for index in sorted(table.indexes, key=lambda index: str(index.name)))
    made = [*map(CreateTable, tables), *map(CreateIndex, indexes)]
    text = "\n".join(str(each.compile(dialect=dialect())) for dialect in (SQLiteDialect, PGDialect) for each in made)
    return sha256(text.encode()).hexdigest()[:12]


if __name__ == "__main__":
    written = re.sub(r'(?<=^revision = ")\w+', schema_id(), INITIAL.read_text(encoding="utf-8"), flags=re.MULTILINE)
    INITIAL.write_text(written, encoding="utf-8")
