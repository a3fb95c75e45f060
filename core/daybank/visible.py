"""Text that cannot act on whoever reads it: what would act, or hide, is shown as a dot.

Control characters act on terminals; direction marks reorder what is read; characters without width
hide words inside words. Notes may hold all of them, pasted or planted. Pure functions.
"""

from __future__ import annotations

import re

_ACTING = (
    *range(0x00, 0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    0x061C,
    0x180E,
    0x200B,
    *range(0x200E, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    *range(0xFFF9, 0xFFFC),
    *range(0xD800, 0xE000),
    *range(0xE0000, 0xE0080),
)
_INVISIBLE = dict.fromkeys(_ACTING, "·")
ACTING_BEYOND_ASCII = re.compile("[" + "".join(chr(c) for c in _ACTING if c > 0x20) + "]")
"""What JSON's own rules do not escape."""

# Joiners shape Persian and Indic letters and make one emoji of several; beside plain letters they
# only hide.
_IDLE_JOINER = re.compile(
    "^[\u200c\u200d]|(?<=[\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\x7f]|$)"
)


def visible(text: str) -> str:
    """``text`` with control, direction and hidden characters shown as a dot."""
    text = text.translate(_INVISIBLE)
    if "\u200c" in text or "\u200d" in text:
        text = _IDLE_JOINER.sub("·", text)
    return text


def one_line(text: str) -> str:
    """``text`` as one line for a terminal: what would break the line shows as a dot too."""
    return visible(text).replace("\n", "·").replace("\t", " ")
