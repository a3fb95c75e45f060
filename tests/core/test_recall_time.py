"""Time in questions and in notes, as recall answers it (reports A13–A16)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from core_tools import MakeWorkspace, contents, retain

from daybank import FixedClock, Interval


def on(year: int, month: int, day: int) -> FixedClock:
    return FixedClock(datetime(year, month, day, 12, tzinfo=UTC))


def test_since_stays_open(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {"memory/2025-08-01.md": retain("W @Mara: working at the bakery since July 2025")},
        clock=on(2026, 2, 1),
    )
    (fact,) = ws.recall("bakery").results
    assert fact.event == Interval(date(2025, 7, 1), None)
    assert fact.to_json()["timestamp"] == {"start": "2025-07-01", "end": None}
    assert contents(ws.recall("bakery in December 2025")) == [fact.content]
    assert contents(ws.recall("in December 2025")) == [fact.content]
    for text in ("bakery in June 2025", "in June 2025"):
        answer = ws.recall(text)
        assert answer.results == ()
        assert [notice.id for notice in answer.notices] == ["nothing-in-window"]
    assert contents(ws.recall("bakery", since="2025-12")) == [fact.content]
    assert contents(ws.recall("bakery", until="2025-06-30")) == []


def test_a_summary_spans_its_sources(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "memory/2025-11-27.md": retain(
                "B @Mara: baked for the fair on Nov 3, 2025",
                "B @Mara: sold bread at the market on Nov 20, 2025",
                "S @Mara: was busy with markets and fairs",
            ),
            "memory/2025-12-01.md": retain(
                "S @Mara: a good autumn (memory/2025-11-27.md#L3; memory/2025-11-27.md#L4)"
            ),
        }
    )
    spans = {r.content: r.event for r in ws.recall("busy autumn", kinds=["observation"]).results}
    assert set(spans.values()) == {Interval(date(2025, 11, 3), date(2025, 11, 20))}
    assert len(spans) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Nov 27–Dec 1, 2025",
        "Nov 27-Dec 1, 2025",
        "Nov 27—Dec 1, 2025",
        "Nov 27 to Dec 1, 2025",
        "27 nov – 1 dic, 2025",
        "27 ноября – 1 декабря 2025",
    ],
)
def test_every_dash_makes_the_same_range(make_workspace: MakeWorkspace, text: str) -> None:
    ws = make_workspace({"memory/2025-11-25.md": retain(f"W @Peter: in Marrakech ({text})")})
    (fact,) = ws.recall("Marrakech").results
    assert fact.event == Interval(date(2025, 11, 27), date(2025, 12, 1))
    assert contents(ws.recall("Peter on 2025-11-30"))
    assert not contents(ws.recall("Marrakech on 2025-12-02"))


def test_a_range_over_new_year(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "memory/2025-12-20.md": retain(
                "W @Mara: away 25 Dec – 2 Jan 2026", "W @Tomás: shut Dec 23 until Jan 8"
            ),
            "memory/2025-12-28.md": "- sunday walk\n",
            "memory/2025-12-24.md": "- midweek shopping\n",
        },
        clock=on(2026, 1, 1),
    )
    events = {r.content[:4]: r.event for r in ws.recall("away shut").results}
    assert events["away"] == Interval(date(2025, 12, 25), date(2026, 1, 2))
    assert events["shut"] == Interval(date(2025, 12, 23), date(2026, 1, 8))
    sunday = ws.recall("walk on Sunday")
    assert sunday.query.window == Interval(date(2025, 12, 28), date(2025, 12, 28))
    assert contents(sunday) == ["sunday walk"]
    week = ws.recall("shopping last week")
    assert week.query.window == Interval(date(2025, 12, 22), date(2025, 12, 28))
    assert contents(week) == ["midweek shopping"]
    since = ws.recall("since December").query.window
    assert since is not None
    assert (since.start, since.end) == (date(2025, 12, 1), None)


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("after 2023", {"second", "third"}),
        ("since 2023", {"first", "second", "third"}),
        ("before 2024", {"first"}),
        ("until June 2024", {"first", "second", "third"}),
        ("before June 2024", {"first", "second"}),
        ("in 2024", {"second", "third"}),
    ],
)
def test_bounds_take_in_the_right_days(
    make_workspace: MakeWorkspace, phrase: str, found: set[str]
) -> None:
    ws = make_workspace(
        {
            "memory/2023-12-31.md": retain("W: first report"),
            "memory/2024-01-01.md": retain("W: second report"),
            "memory/2024-06-30.md": retain("W: third report"),
        }
    )
    for text in (f"report {phrase}", phrase):
        assert {content.split()[0] for content in contents(ws.recall(text))} == found, text


def test_since_and_until_take_both_days_in(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({f"memory/2026-11-{d:02}.md": f"- tea number {d}\n" for d in range(1, 27)})
    found = ws.recall("tea", since="2026-11-10", until=date(2026, 11, 12))
    assert {r.day for r in found.results} == {date(2026, 11, d) for d in (10, 11, 12)}
    assert ws.recall("tea", since="last week").query.window == Interval(date(2026, 11, 16), None)
    assert {r.day for r in ws.recall("tea", since="2d").results} == {
        date(2026, 11, d) for d in (24, 25, 26)
    }
    with pytest.raises(ValueError, match="until"):
        ws.recall("tea", since="2026-11-10", until="2026-11-09")
    with pytest.raises(ValueError, match="gibberish"):
        ws.recall("tea", since="gibberish")


def test_a_phrase_narrows_the_filter(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({f"memory/2026-11-{d:02}.md": f"- tea number {d}\n" for d in range(1, 27)})
    both = ws.recall("tea last week", since="2026-11-18")
    assert both.query.window == Interval(date(2026, 11, 18), date(2026, 11, 22))
    apart = ws.recall("tea last week", since="2026-11-25")
    assert apart.query.window == Interval(date(2026, 11, 16), date(2026, 11, 22))
    assert both.query.window_phrase == "last week"
    assert ws.recall("tea", since="2026-11-18").query.window_phrase is None


def test_the_phrase_is_no_word_looked_for(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2026-11-18.md": "- flour delivery\n- last orders of the week\n"})
    answer = ws.recall("flour delivery last week")
    assert answer.query.words == ("flour", "delivery")
    assert contents(answer)[0] == "flour delivery"
    assert all(result.why.in_window for result in answer.results)


def test_ordinary_words_are_no_dates(make_workspace: MakeWorkspace) -> None:
    text = (
        "Julian may take the car to a bar; keep replies <1500 chars; room 101; "
        "tuned word2vec with Mara at 7 pm; the march of time; add 12 eggs"
    )
    ws = make_workspace({"memory/2026-11-20.md": retain(f"W @Julian: {text}")})
    (fact,) = ws.recall("Julian may take the car").results
    assert (fact.day, fact.event) == (date(2026, 11, 20), None)
    for query in (
        "<1500 chars",
        "room 101",
        "word2vec",
        "the march of time",
        "may take",
        "12 eggs",
    ):
        answer = ws.recall(query)
        assert answer.query.window is None, query
        assert len(answer.results) == 1, query


def test_a_date_inside_quotes_is_text(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2026-11-20.md": "- the label said 2019-05-01 on it\n"})
    answer = ws.recall('"2019-05-01"')
    assert answer.query.window is None
    assert contents(answer) == ["the label said 2019-05-01 on it"]


def test_what_the_text_speaks_of_counts_beside_its_day(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {"memory/2026-11-20.md": retain("W @Лена: прилетает 5 декабря 2026", "W @Mara: tea")}
    )
    assert contents(ws.recall("в декабре 2026")) == ["прилетает 5 декабря 2026"]
    assert len(contents(ws.recall("last week"))) == 2
