"""A text as the words and numbers a time can be made of, each with its place in the text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum

from daybank.dates.lexicon import LEXICON, Entry


class Gap(Enum):
    """What stands between a token and the one before it."""

    SPACE = " "
    COMMA = ","
    DOT = "."
    DASH = "-"
    SLASH = "/"
    STOP = "the end of a sentence, line or cell"
    OTHER = "anything else"


@dataclass(frozen=True, slots=True)
class Written:
    """A date in digits as it was written; it may not exist."""

    year: int | None
    month: int
    day: int | None


@dataclass
class Token:
    """A word, a number or a date in digits.

    Most tokens are plain words, so what only numbers have stays on the class until it is set.
    """

    start: int
    end: int
    low: str = ""
    entry: Entry | None = None
    gap: Gap = Gap.STOP
    tight: bool = False
    """No space between this token and the one before."""
    capital: bool = False

    number: int = field(default=-1, init=False)
    digits: int = field(default=0, init=False)
    ordinal: bool = field(default=False, init=False)
    year_mark: bool = field(default=False, init=False)
    written: Written | None = field(default=None, init=False)
    glued: bool = field(default=False, init=False)
    """Hangs on something that makes it a code: ``ADR-27``, ``3-1``."""


_TOKEN = re.compile(r"[0-9](?:[0-9.,:/\-‐‑]*[0-9])?|[^\W\d_][\w\u0300-\u036f]*")
_GAPS = {"": Gap.SPACE, ",": Gap.COMMA, ".,": Gap.COMMA, ".": Gap.DOT, "/": Gap.SLASH}
_GAPS |= dict.fromkeys(("-", "‐", "‑", "‒", "–", "—", "―", "−", "~", "..", "--", "…"), Gap.DASH)
_GAPS |= dict.fromkeys((".-", ".–", ".—", ".−", "./"), Gap.DASH)
_STOPS = re.compile(r"[.!?;|…\n。]")

_ORDINAL = re.compile(
    r"(?:st|nd|rd|th|er|ro|do|\.?[ºª]|го|-(?:го|ого|му|ому|м|ом|е|ое|ье|я|ая|ю|ую|й|ый|ой))(?!\w)",
    re.IGNORECASE,
)
_YEAR_MARK = re.compile(r"гг?(?!\w)", re.IGNORECASE)
_ISO_TIME = re.compile(r"[Tt][0-9]{2}")

# Characters that make a number beside them an amount, a code or a part of a name.
_CODE_BEFORE = frozenset("$€£¥₽₱#@_\\+^%&№")
_AMOUNT_BEFORE = frozenset("<>=~≈≤≥")
_CODE_AFTER = frozenset("$€£¥₽₱%‰_\\°+^=")

_ISO = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_YEAR_FIRST = re.compile(r"([0-9]{4})([-./])([0-9]{1,2})\2([0-9]{1,2})")
_YEAR_LAST = re.compile(r"([0-9]{1,2})([-./])([0-9]{1,2})\2([0-9]{4})")
_SHORT_YEAR = re.compile(r"([0-9]{2})(/)([0-9]{2})/([0-9]{2})")
_ISO_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")
_MONTH_YEAR = re.compile(r"(0?[1-9]|1[0-2])/([0-9]{4})")
_NO_YEAR = re.compile(r"([0-9]{1,2})([./])([0-9]{1,2})")
# Runs of digits that are several tokens: days or years with a hyphen, two dates, a day and a year.
_SPLITS = tuple(
    re.compile(pattern)
    for pattern in (
        r"([0-9]{1,2})-([0-9]{1,2})",
        r"([0-9]{4})-([0-9]{4})",
        r"([0-9]{1,2}),([0-9]{4})",
        r"([0-9]{1,2})-([0-9]{1,2}),([0-9]{4})",
        r"([0-9]{1,2})-([0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4})",
        r"([0-9]{1,2}[./][0-9]{1,2}(?:[./][0-9]{4})?)-([0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4})",
        rf"({_ISO})(?:/|--|\.\.)({_ISO})",
    )
)


def tokenise(text: str) -> list[Token]:
    """The tokens of a text; forms of several words ("day before yesterday") are one token."""
    tokens: list[Token] = []
    entries = LEXICON.entries
    several = False
    end = 0
    space = Gap.SPACE
    for match in _TOKEN.finditer(text):
        start = match.start()
        if start < end:
            continue  # the "th" of "27th"
        run = match[0]
        between = text[end:start]
        if between == " ":
            gap, tight = space, False
        elif tokens:
            gap, tight = _gap(between)
        else:
            gap, tight = Gap.STOP, False
        end = match.end()
        if run[0] in "0123456789":
            _add_digits(tokens, text, start, run, gap, tight)
            end = max(end, tokens[-1].end)
            continue
        low = run.lower()
        entry = entries.get(low)
        if entry is None and not run.isascii():
            low = unicodedata.normalize("NFC", low)
            entry = entries.get(low)
        if entry is None:
            tokens.append(Token(start, end, low, None, gap, tight))
            continue
        tokens.append(Token(start, end, low, entry, gap, tight, run[0].isupper()))
        several = several or bool(entry.longer)
    return _join_long_forms(tokens) if several else tokens


def _gap(between: str) -> tuple[Gap, bool]:
    bare = between.strip()
    gap = _GAPS.get(bare)
    if gap is None or "\n\n" in between:
        return (Gap.STOP if _STOPS.search(between) else Gap.OTHER), False
    return gap, len(bare) == len(between)


def _add_digits(
    tokens: list[Token], text: str, start: int, run: str, gap: Gap, tight: bool
) -> None:
    """Append the token or tokens of a run of digits."""
    run = run.replace("‐", "-").replace("‑", "-")
    before = text[start - 1] if start else " "
    for pattern in _SPLITS if not run.isdigit() else ():
        if match := pattern.fullmatch(run):
            pieces = [(match.start(i), match.end(i)) for i in range(1, len(match.groups()) + 1)]
            break
    else:
        pieces = [(0, len(run))]
    for place, (first, last) in enumerate(pieces):
        token = _digits(run[first:last])
        token.start, token.end = start + first, start + last
        token.gap, token.tight = (gap, tight) if place == 0 else (Gap.DASH, True)
        if place and run[first - 1] == ",":
            token.gap = Gap.COMMA
        if place == len(pieces) - 1:
            _read_suffix(token, text)
        tokens.append(token)
    first_token = tokens[-len(pieces)]
    if before in _CODE_BEFORE or (
        before in ".:/" and (before == "/" or (start > 1 and text[start - 2].isalnum()))
    ):
        if not (before == ":" and first_token.written):
            _spoil(tokens[-len(pieces) :])
    elif before in _AMOUNT_BEFORE and not first_token.written:
        _spoil(tokens[-len(pieces) :])
    elif before == "-" and start > 1 and text[start - 2].isalnum():
        first_token.glued = True
        previous = tokens[-len(pieces) - 1].entry if len(tokens) > len(pieces) else None
        if previous is not None and (
            previous.ordinal_prefix or previous.prefix or previous.month or previous.part
        ):
            first_token.glued = False
    if len(tokens) > len(pieces):
        prefix = tokens[-len(pieces) - 1]
        if prefix.entry is not None and prefix.entry.ordinal_prefix and first_token.tight:
            first_token.ordinal = True
            first_token.start = prefix.start
            first_token.gap, first_token.tight = prefix.gap, prefix.tight
            del tokens[-len(pieces) - 1]


def _digits(run: str) -> Token:
    token = Token(0, 0)
    if run.isdigit():
        token.digits = len(run)
        if token.digits <= 4:
            token.number = int(run)
    elif match := _YEAR_FIRST.fullmatch(run):
        token.written = _written(match[1], match[3], match[4])
    elif match := _YEAR_LAST.fullmatch(run) or _SHORT_YEAR.fullmatch(run):
        day, month, year = match[1], match[3], match[4]
        if match[2] != "." and int(month) > 12 >= int(day):
            day, month = month, day  # month first only where nothing else is possible
        token.written = _written(year if len(year) == 4 else f"20{year}", month, day)
    elif match := _ISO_MONTH.fullmatch(run):
        token.written = Written(int(match[1]), int(match[2]), None)
    elif match := _MONTH_YEAR.fullmatch(run):
        token.written = Written(int(match[2]), int(match[1]), None)
    elif match := _NO_YEAR.fullmatch(run):
        token.written = Written(None, int(match[3]), int(match[1]))
    if token.written is not None and token.written.year is not None:
        limits = (1800, 2199) if token.written.day is not None else (1900, 2100)
        if not limits[0] <= token.written.year <= limits[1]:
            token.written = None
    return token


def _written(year: str, month: str, day: str) -> Written:
    return Written(int(year), int(month), int(day))


def _read_suffix(token: Token, text: str) -> None:
    """Take in ``27th``, ``2025г``; give up on ``30d``, ``2023km``, ``2025-11-27.md``."""
    end = token.end
    if end >= len(text):
        return
    after = text[end]
    following = text[end + 1 : end + 2]
    if token.written is not None:
        if _ISO_TIME.match(text, end):
            return
        code = (
            after.isalnum()
            or after in _CODE_AFTER
            or after == "/"
            or (after in ".-" and following.isalnum())
        )
        if code and not _YEAR_MARK.match(text, end):
            _spoil([token])
        return
    if token.number < 0:
        return
    if (1 <= token.number <= 31 or token.digits < 3) and (match := _ORDINAL.match(text, end)):
        token.ordinal = True
        token.end = match.end()
    elif token.digits == 4 and (match := _YEAR_MARK.match(text, end)):
        token.year_mark = True
        token.end = match.end()
    elif after.isalnum() or after in _CODE_AFTER or (after in ".:" and following.isalnum()):
        _spoil([token])


def _spoil(tokens: list[Token]) -> None:
    for token in tokens:
        token.number = -1
        token.written = None


def _join_long_forms(tokens: list[Token]) -> list[Token]:
    joined: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        joined.append(token)
        if token.entry is None or not token.entry.longer:
            continue
        for words, entry in token.entry.longer:
            last = place + len(words)
            rest = tokens[place:last]
            if [other.low for other in rest] == list(words) and all(
                other.gap is Gap.SPACE or (other.gap is Gap.DASH and other.tight) for other in rest
            ):
                joined[-1] = Token(
                    token.start,
                    rest[-1].end,
                    " ".join((token.low, *words)),
                    entry,
                    token.gap,
                    token.tight,
                    token.capital,
                )
                place = last
                break
    return joined
