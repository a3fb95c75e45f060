"""Notices in words: a title, a sentence or two, and one thing to do.

They stand on the desktop beside other people's windows, in programs that are not ours: so what
looks like a password or key is hidden, hidden characters are shown as a dot, and nothing is long.
What is not said better here is said as the Health page says it. GUI thread, no state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from daybank.health.report import HealthCheck
from daybank.secrets import find_secrets, mask
from daybank.visible import one_line
from daybank_desktop import health_words, phrases
from daybank_desktop.notifications.backend import Notice
from daybank_desktop.notifications.policy import HEALTH_PAGE, SUGGESTIONS, News
from daybank_desktop.suggestion_words import Group, group_of, page_name, source_of

translate = QCoreApplication.translate

LONGEST_TITLE = 80
LONGEST_TEXT = 240
LONGEST_NAME = 40
NAMES_SHOWN = 3
JOINT = "health"
"""The id of one notice for several findings."""

_SENTENCES = {
    "conflict-copies": QT_TRANSLATE_NOOP(
        "notifications",
        "Your sync program made a copy. Nothing is lost; choose which one to keep.",
    ),
    "merge-conflicts": QT_TRANSLATE_NOOP(
        "notifications",
        "A merge left both in the page. Nothing is lost; choose which one to keep.",
    ),
}
"""What is said of two versions of one page."""


def safe(text: str, longest: int) -> str:
    """``text`` as one line of at most ``longest`` characters, which gives no secret away."""
    bare = one_line(text).replace("·", "")
    if len(find_secrets(bare)) > len(find_secrets(text)):  # characters without width were in it
        text = bare
    text = " ".join(one_line(mask(text)).split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def notice_of(news: Sequence[News], today: date) -> Notice:
    """The notice for one piece of news, or one for several findings about the notes."""
    if len(news) > 1:
        made = _several(news, today)
    elif news[0].topic == SUGGESTIONS:
        made = _suggestions(news[0])
    else:
        made = _health(news[0], today)
    title = safe(made.title, LONGEST_TITLE) or translate("notifications", "Something needs you")
    return replace(made, title=title, text=safe(made.text, LONGEST_TEXT))


def _suggestions(news: News) -> Notice:
    title = translate("notifications", "1 suggestion is waiting")
    if news.count != 1:
        words = translate("notifications", "%Ln suggestion(s) are waiting", None, news.count)
        title = phrases.plural(words, news.count)
    text = translate("notifications", "Nothing changes until you look.")
    if news.names:
        pages = _listed([_page(target) for target in news.names])
        words = translate("notifications", "For {pages}. {rest}")
        text = words.format(pages=pages, rest=text)
    return Notice(
        news.topic,
        news.page,
        title,
        text,
        translate("notifications", "Review"),
        translate("notifications", "Later"),
    )


def _page(target: str) -> str:
    """“Core”, “Mara”; a title in the person's own words stands in quotes."""
    name = safe(page_name(target), LONGEST_NAME)
    own_words = group_of(target) in (Group.KNOWLEDGE, Group.OTHER)
    if own_words and PurePosixPath(target).stem == "_index":
        own_words = False
    return f"“{name}”" if own_words or "," in name else name


def _listed(names: Sequence[str]) -> str:
    """“Core, Mara and Peter”, “Core, Mara, Peter and 2 more pages”."""
    names = list(dict.fromkeys(names))
    if len(names) == 1:
        return names[0]
    shown, last = names[:-1], names[-1]
    if len(names) > NAMES_SHOWN:
        shown, more = names[:NAMES_SHOWN], len(names) - NAMES_SHOWN
        words = translate("notifications", "%Ln more page(s)", None, more)
        last = phrases.plural(words, more)
    words = translate("notifications", "{names} and {last}")
    return words.format(names=", ".join(shown), last=last)


def _health(news: News, today: date) -> Notice:
    words = _SENTENCES.get(news.check)
    if words is not None and len(news.names) == 1:
        text = translate("notifications", str(words))
        title = translate("notifications", "Two versions of {page}")
        title = title.format(page=_copied(news.names[0], today))
    else:
        known = news.check if news.names or words is None else ""
        check = HealthCheck(known, "warning", safe(news.reason, LONGEST_TEXT), news.names)
        told = health_words.told(check, health_words.Beside(), today)
        title, text = told.title, told.sentence
    action = translate("notifications", "Show me")
    if words is not None:
        action = translate("notifications", "Compare")
    return Notice(news.topic, news.page, title, text, action)


def _several(news: Sequence[News], today: date) -> Notice:
    words = translate("notifications", "%Ln thing(s) need you", None, len(news))
    titles = (_health(one, today).title for one in news)
    return Notice(
        JOINT,
        HEALTH_PAGE,
        phrases.plural(words, len(news)),
        " ".join(f"{title}." for title in titles),
        translate("notifications", "Show me"),
    )


def _copied(source: str, today: date) -> str:
    """What a file is called of which there are two versions: “21 November”, “Mara”."""
    cited = source_of(source)
    page = health_words.copied_page(cited.path if cited is not None else source, today)
    return safe(page, LONGEST_NAME) if page else translate("notifications", "a page")
