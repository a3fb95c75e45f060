"""Tooltips that say a person's own text. GUI thread only."""

from __future__ import annotations

import html


def plain_tooltip(text: str) -> str:
    """``text`` as a tooltip that shows it letter for letter. Left to itself a tooltip guesses
    whether its text is markup; said to be markup, the text in it stays text."""
    return f"<span>{html.escape(text)}</span>" if text else ""
