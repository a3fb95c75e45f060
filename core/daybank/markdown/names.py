"""Names: how a person or thing is written, and the key under which it is the same one."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import date
from functools import lru_cache

from daybank.markdown.model import Kind

# Vowel signs and other marks belong to a name in scripts where they are characters of their own.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0dff\u0e00-\u0e4e\u0e80-\u0ece\u0f71-\u0f84\u1000-\u109f"
    "\u1780-\u17d3\u3099\u309a"
)
_CHAR = rf"[\w{_MARKS}]"
PLAIN_NAME = rf"{_CHAR}(?:[\w{_MARKS}.\-]*{_CHAR})?"
AT_NAME = rf"@(?:\[(?P<long>[^\[\]\n]{{1,120}})\]|(?P<short>{PLAIN_NAME}))"
MENTION = re.compile(rf"(?<![\w@/.+\-{_MARKS}]){AT_NAME}")
WIKI_LINK = re.compile(
    r"(?P<embed>!?)\[\[(?P<target>[^\[\]\n|#^]{1,200})(?:[#^][^\[\]|\n]*)?(?:\|(?P<shown>[^\[\]\n]*))?\]\]"
)
_DIRECTIVE = re.compile(r"^[a-z][a-z0-9_-]*:(?!\s)")
_ATTACHMENT = re.compile(
    r"\.(png|jpe?g|gif|svg|webp|pdf|mp[34]|wav|m4a|mov|canvas)$", re.IGNORECASE
)


@lru_cache(maxsize=65536)
def entity_key(name: str) -> str:
    """The key under which two spellings are one entity: NFKC, casefold, and without the
    combining dot that casefolding İ leaves. Nothing else is folded: Işıl is not Isil."""
    folded = unicodedata.normalize("NFKC", name).casefold().replace("i\u0307", "i")
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def link_target(match: re.Match[str]) -> str | None:
    """The name a ``[[link]]`` mentions; None for attachments and for directives such as
    ``[[tts:…]]`` that only look like links."""
    target = match["target"].strip()
    if not target or _DIRECTIVE.match(target) or _ATTACHMENT.search(target):
        return None
    return target.rsplit("/", 1)[-1].removesuffix(".md").strip() or None


def fact_id(kind: Kind, text: str, names: tuple[str, ...], day: date | None) -> str:
    """``f-`` and 12 hex digits of BLAKE2b over kind, text, entity keys and source day.

    Case, width and spacing of the text do not count, so a restated fact keeps its id.
    """
    keys = sorted({entity_key(name) for name in names})
    parts = (kind.value, fold_text(text), *keys, day.isoformat() if day else "")
    return "f-" + _digest(parts)


def passage_id(kind: Kind, text: str, day: date | None) -> str:
    """The same for text that is no fact, beginning with ``p-``."""
    return "p-" + _digest((kind.value, fold_text(text), day.isoformat() if day else ""))


def fold_text(text: str) -> str:
    """NFKC, casefold, white space folded: equal for texts that read the same."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _digest(parts: tuple[str, ...]) -> str:
    data = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=6).hexdigest()
