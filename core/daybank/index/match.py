"""The one place where user text meets the FTS5 query grammar.

A term reaches MATCH only inside double quotes, and a term holds only what the analyzer lets
through, so no text can act as an operator, name a column or break the query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Group:
    """One thing looked for: any of ``stems`` (each a sequence of index terms, more than one term
    being a phrase), or, when ``prefix`` is set, any word that begins with it.

    ``words`` is the surface form as a sequence of terms; ``label`` what the person typed;
    ``required`` excludes whatever does not have it; ``exact`` looks at words, not at stems.
    """

    label: str
    words: tuple[str, ...]
    stems: tuple[tuple[str, ...], ...]
    prefix: bool = False
    required: bool = False
    exact: bool = False
    parts: tuple[Group, ...] = field(default=())


def match_expression(
    groups: Sequence[Group], excluded: Sequence[Group] = (), beside: Sequence[Group] = ()
) -> str:
    """The MATCH text for passages that have any of ``groups`` (all the required ones, if there
    are such), any of those ``beside`` them, if there are such, and none of ``excluded``.
    ``groups`` must not be empty."""
    required = [group for group in groups if group.required]
    if required:
        wanted = " AND ".join(_one(group) for group in required)
        if len(required) < len(groups):
            # The others do not choose; they are named so that they count in the ranking.
            everyone = " OR ".join(_one(group) for group in groups)
            wanted = f"({wanted}) AND ({everyone})"
    else:
        wanted = " OR ".join(_one(group) for group in groups)
    if beside:
        wanted = f"({wanted}) AND ({' OR '.join(_one(group) for group in beside)})"
    if excluded:
        unwanted = " OR ".join(_one(group) for group in excluded)
        return f"({wanted}) NOT ({unwanted})"
    return wanted


def column_expression(column: str, stems: Iterable[Sequence[str]]) -> str:
    """The MATCH text for passages that have any of ``stems`` in one column."""
    return f"{column} : ({' OR '.join(dict.fromkeys(_phrase(stem) for stem in stems))})"


def words_expression(group: Group) -> str:
    """The MATCH text for passages that say the words of ``group`` as they are written, or, when
    it is half typed, a word that begins so."""
    star = " *" if group.prefix else ""
    return f"words : {_phrase(group.words)}{star}"


def _one(group: Group) -> str:
    clauses = []
    if group.exact:
        clauses.append(words_expression(group))
    else:
        spelled = " OR ".join(dict.fromkeys(_phrase(stem) for stem in group.stems))
        clauses.append(f"{{stems context}} : ({spelled})")
        if group.prefix:
            clauses.append(words_expression(group))
    return f"({' OR '.join(clauses)})"


def _phrase(terms: Iterable[str]) -> str:
    quoted = " ".join(terms).replace('"', '""')
    return f'"{quoted}"'
