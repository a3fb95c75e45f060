"""The tables of the index, as peewee models bound to one database each.

Days are proleptic ordinals (``date.toordinal``): plain integers, no zone, no clock. Lists of
strings are joined by U+001F. An event's open end is stored as the least or greatest ordinal.

A passage's ``said_start`` and ``said_end`` are what its own text speaks of; ``event_start`` and
``event_end`` are the same, but for an observation that cites facts: there they span those facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from peewee import (
    BlobField,
    CompositeKey,
    Field,
    FloatField,
    ForeignKeyField,
    IntegerField,
    Model,
    SqliteDatabase,
    TextField,
)

SCHEMA_VERSION = 5
"""Raised whenever the tables or what they hold change; an index of another version is rebuilt."""

FIRST_DAY = 0
LAST_DAY = 3652059
UNDATED = 9999999
"""Sorts undated mentions behind every dated one."""

SEPARATOR = "\x1f"

FTS_TABLE = "passage_fts"
FTS_COLUMNS = ("words", "stems", "context")
_CREATE_FTS = (
    f"CREATE VIRTUAL TABLE {FTS_TABLE} USING fts5("
    "words, stems, context, tokenize=\"ascii tokenchars '+#$'\")"
)
_CREATE_VOCABULARY = f"CREATE VIRTUAL TABLE vocabulary USING fts5vocab({FTS_TABLE}, col)"


@dataclass(frozen=True)
class Tables:
    """The model classes of one open database."""

    meta: Any
    file: Any
    passage: Any
    mention: Any
    entity_page: Any
    alias: Any
    lint: Any
    posting: Any
    row_value: Any

    @property
    def all(self) -> list[Any]:
        return [
            self.meta,
            self.file,
            self.passage,
            self.mention,
            self.entity_page,
            self.alias,
            self.lint,
            self.posting,
            self.row_value,
        ]


def bind_tables(database: SqliteDatabase) -> Tables:
    """Model classes for ``database``. Classes, not instances: peewee binds a model to one
    database, and several workspaces may be open at once."""

    class Base(Model):
        class Meta:
            pass

    Base._meta.set_database(database)

    class Meta_(Base):
        key: Field = TextField(primary_key=True)
        value: Field = TextField()

        class Meta:
            table_name = "meta"
            without_rowid = True

    class File(Base):
        path: Field = TextField(unique=True)
        role: Field = TextField()
        title: Field = TextField()
        day: Field = IntegerField(null=True, index=True)
        sha256: Field = BlobField()
        hint: Field = TextField()
        device: Field = IntegerField()
        read_ns: Field = IntegerField()
        passages: Field = IntegerField()

        class Meta:
            table_name = "file"

    class Passage(Base):
        file: Field = ForeignKeyField(File, on_delete="CASCADE", column_name="file_id")
        kind: Field = TextField()
        line_start: Field = IntegerField()
        line_end: Field = IntegerField()
        day: Field = IntegerField(null=True, index=True)
        event_start: Field = IntegerField(null=True, index=True)
        event_end: Field = IntegerField(null=True)
        said_start: Field = IntegerField(null=True)
        said_end: Field = IntegerField(null=True)
        confidence: Field = FloatField(null=True)
        uid: Field = TextField(index=True)
        content: Field = TextField()
        trail: Field = TextField()
        names: Field = TextField()
        subjects: Field = IntegerField()
        cites: Field = TextField()
        flags: Field = IntegerField()
        own_key: Field = BlobField(index=True)
        window_key: Field = BlobField(index=True)

        class Meta:
            table_name = "passage"

    class Mention(Base):
        key: Field = TextField()
        day: Field = IntegerField()
        passage: Field = ForeignKeyField(Passage, on_delete="CASCADE", column_name="passage_id")
        name: Field = TextField()

        class Meta:
            table_name = "mention"
            primary_key = CompositeKey("key", "day", "passage")
            without_rowid = True

    class EntityPage(Base):
        file: Field = ForeignKeyField(
            File, on_delete="CASCADE", column_name="file_id", primary_key=True
        )
        key: Field = TextField(index=True)
        title: Field = TextField()
        type: Field = TextField(null=True)

        class Meta:
            table_name = "entity_page"

    class Alias(Base):
        file: Field = ForeignKeyField(File, on_delete="CASCADE", column_name="file_id")
        key: Field = TextField(index=True)
        name: Field = TextField()

        class Meta:
            table_name = "alias"

    class Lint(Base):
        file: Field = ForeignKeyField(File, null=True, on_delete="CASCADE", column_name="file_id")
        path: Field = TextField()
        line: Field = IntegerField()
        code: Field = TextField()
        message: Field = TextField()

        class Meta:
            table_name = "lint"

    class Posting(Base):
        term: Field = TextField()
        col: Field = TextField()
        rows: Field = BlobField()

        class Meta:
            table_name = "posting"
            indexes = ((("term", "col"), True),)

    class RowValue(Base):
        name: Field = TextField(primary_key=True)
        data: Field = BlobField()

        class Meta:
            table_name = "row_value"

    return Tables(Meta_, File, Passage, Mention, EntityPage, Alias, Lint, Posting, RowValue)


def create_tables(database: SqliteDatabase, tables: Tables, *, fts5: bool) -> None:
    """Make the tables of an empty database. Without FTS5 the search is by LIKE over ``words``."""
    database.create_tables(tables.all)
    # Few passages cite others; finding them must not cost a look at every passage.
    database.execute_sql("CREATE INDEX passage_citing ON passage(kind) WHERE cites <> ''")
    if fts5:
        database.execute_sql(_CREATE_FTS)
        database.execute_sql(_CREATE_VOCABULARY)
    else:
        database.execute_sql(
            f"CREATE TABLE {FTS_TABLE}"
            " (rowid INTEGER PRIMARY KEY, words TEXT, stems TEXT, context TEXT)"
        )
    tables.meta.insert(key="schema", value=str(SCHEMA_VERSION)).execute()


def drop_everything(database: SqliteDatabase) -> None:
    """Drop every table, ours or not, so that a rebuild starts from nothing. Runs inside the
    caller's transaction: until it commits, readers keep the old tables."""
    for name in ("vocabulary", FTS_TABLE):
        database.execute_sql(f"DROP TABLE IF EXISTS {name}")
    rows = database.execute_sql(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    for (name,) in rows:
        quoted = str(name).replace('"', '""')
        database.execute_sql(f'DROP TABLE IF EXISTS "{quoted}"')
