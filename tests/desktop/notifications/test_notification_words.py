"""What stands in a notice: plain, short, and without what must not be seen."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank.secrets import find_secrets
from daybank_desktop.notifications.backend import Notice
from daybank_desktop.notifications.policy import SUGGESTIONS, News, health_topic
from daybank_desktop.notifications.words import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    notice_of,
    safe,
)

TODAY = date(2026, 11, 30)
KEY = "sk-test-EXAMPLE0000000000000000"


def of_suggestions(count: int, *targets: str) -> Notice:
    return notice_of([News(SUGGESTIONS, count, targets)], TODAY)


def of_health(check: str, *sources: str, reason: str = "") -> Notice:
    return notice_of([News(health_topic(check), len(sources), sources, reason)], TODAY)


def test_suggestions_say_how_many_and_for_which_pages() -> None:
    notice = of_suggestions(
        3, "memory.md", "bank/entities/Mara.md", "memory/knowledge/Opening on Mondays.md"
    )
    assert notice.title == "3 suggestions are waiting"
    assert notice.text == (
        "For Core, Mara and “Opening on Mondays”. Nothing changes until you look."
    )
    assert (notice.action, notice.page) == ("Review", "review")


@pytest.mark.parametrize(
    ("targets", "text"),
    [
        (("bank/opinions.md",), "For Opinions. Nothing changes until you look."),
        (("memory/2026-11-13.md",), "For Fri 13 Nov 2026. Nothing changes until you look."),
        (("bank/trips.md",), "For “bank › trips”. Nothing changes until you look."),
        ((), "Nothing changes until you look."),
        (
            tuple(f"bank/entities/{name}.md" for name in ("Mara", "Peter", "Ines", "Tomás")),
            "For Mara, Peter, Ines and 1 more page. Nothing changes until you look.",
        ),
    ],
)
def test_pages_are_called_as_in_the_window(targets: tuple[str, ...], text: str) -> None:
    assert of_suggestions(1, *targets).text == text


def test_one_suggestion_is_one() -> None:
    assert of_suggestions(1).title == "1 suggestion is waiting"


@pytest.mark.parametrize(
    ("copy", "page"),
    [
        ("memory/2026-11-21.sync-conflict-20261122-101112-ABCDEFG.md", "21 November"),
        ("memory/2025-11-21 (Mara's conflicted copy 2026-11-22).md", "21 November 2025"),
        ("bank/opinions (conflicted copy 2026-11-22).md", "Opinions"),
        ("memory_conflict-20261122.md", "Core"),
    ],
)
def test_a_copy_is_named_after_the_page_it_is_of(copy: str, page: str) -> None:
    notice = of_health("conflict-copies", copy)
    assert notice.title == f"Two versions of {page}"
    assert notice.text.startswith("Your sync program made a copy. Nothing is lost;")
    assert (notice.action, notice.page) == ("Compare", "health")


def test_unmerged_versions_are_compared() -> None:
    notice = of_health("merge-conflicts", "bank/entities/Mara.md#L4")
    assert notice.title == "Two versions of Mara"
    assert notice.action == "Compare"


@pytest.mark.parametrize(
    "check",
    ["files", "secrets", "reflection", "core", "conflict-copies", "merge-conflicts", "meaning"],
)
@pytest.mark.parametrize("sources", [(), ("memory/2026-11-20.md#L4",), ("a.md", "b.md", "c.md")])
def test_every_finding_has_a_title_and_an_action(check: str, sources: tuple[str, ...]) -> None:
    notice = of_health(check, *sources, reason="Something is the matter. It can be mended.")
    assert notice.title
    assert notice.action
    assert notice.id == f"health {check}"


def test_what_a_newer_core_finds_is_told_in_its_own_words() -> None:
    notice = of_health("disk", reason="The disk is full. Nothing more can be kept.")
    assert (notice.title, notice.text) == ("The disk is full", "Nothing more can be kept.")


def test_several_findings_become_one_notice() -> None:
    news = [
        News(health_topic("conflict-copies"), 1, ("memory/2026-11-21 (conflicted copy).md",)),
        News(health_topic("secrets"), 1, ("memory/2026-11-20.md#L4",)),
    ]
    notice = notice_of(news, TODAY)
    assert notice.title == "2 things need you"
    assert notice.text.startswith("Two versions of 21 November. A password or key")
    assert notice.page == "health"


def test_a_key_in_a_name_or_a_reason_is_never_shown() -> None:
    notice = of_suggestions(1, f"bank/entities/staging key {KEY}.md")
    assert KEY not in f"{notice.title} {notice.text}"
    assert "[hidden]" in notice.text
    notice = of_health("disk", reason=f"It failed with api key {KEY}. The key {KEY} is wrong.")
    assert KEY not in f"{notice.title} {notice.text}"
    assert "It failed" in notice.title


def test_a_key_with_invisible_characters_inside_is_hidden_as_well() -> None:
    planted = f"{KEY[:12]}\u200b{KEY[12:]}"
    shown = safe(f"the key {planted} is old", 200)
    assert shown == "the key [hidden] is old"


def test_markup_is_text_and_hidden_characters_are_seen() -> None:
    notice = of_suggestions(1, "bank/entities/<img src=x> & \u202eretep\u200b.md")
    assert "<img src=x> & ·retep·" in notice.text


def test_a_name_that_is_escaped_in_the_file_name_is_checked_as_it_reads() -> None:
    notice = of_suggestions(1, "bank/entities/Mara%0A%1B[31mred.md")
    assert "For Mara··[31mred." in notice.text


@given(st.text(max_size=400), st.sampled_from(["disk", "files", "reflection", "conflict-copies"]))
def test_whatever_it_is_about_it_is_short_and_on_one_line(text: str, check: str) -> None:
    for notice in (
        of_health(check, text, reason=text),
        of_suggestions(2, f"bank/entities/{text}.md", text or "a.md"),
    ):
        assert 0 < len(notice.title) <= LONGEST_TITLE
        assert len(notice.text) <= LONGEST_TEXT
        for part in (notice.title, notice.text):
            assert not any(ord(char) < 32 or char in "\u202a\u202e\u2066\u200b" for char in part)
            assert not find_secrets(part)
