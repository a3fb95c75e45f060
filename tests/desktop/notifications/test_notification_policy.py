"""Now, later or not at all: the rules, also over any order of news, answers, beats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybank_desktop.notifications.policy import (
    HEALTH_PAGE,
    REVIEW_PAGE,
    SUGGESTIONS,
    Book,
    News,
    Quiet,
    Rules,
    Situation,
    Verdict,
    answered,
    health_topic,
    judge,
    release,
    rules_of,
    settled,
)
from daybank_desktop.services.settings import DesktopSettings

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Quiet(time(21), time(8))
RULES = Rules(quiet=NIGHT)
COPIES = health_topic("conflict-copies")


def at(text: str, in_front: str = "", zone: ZoneInfo = BERLIN) -> Situation:
    return Situation(datetime.fromisoformat(f"2026-{text}").replace(tzinfo=zone), zone, in_front)


def suggestions(*names: str, count: int | None = None) -> News:
    return News(SUGGESTIONS, len(names) if count is None else count, names)


def test_in_the_daytime_it_is_shown() -> None:
    outcome = judge(Book(), suggestions("memory.md"), RULES, at("11-26 10:00"))
    assert outcome.verdict is Verdict.SHOW
    assert outcome.news.page == REVIEW_PAGE


@pytest.mark.parametrize("moment", ["11-26 21:00", "11-27 03:00", "11-27 07:59"])
def test_in_quiet_hours_it_is_held(moment: str) -> None:
    outcome = judge(Book(), suggestions("memory.md"), RULES, at(moment))
    assert outcome.verdict is Verdict.HOLD
    assert release(outcome.book, RULES, at(moment)) == (outcome.book, ())


def test_what_was_held_is_shown_as_one_when_quiet_hours_end() -> None:
    book = judge(Book(), suggestions("memory.md", "bank/world.md"), RULES, at("11-27 03:00")).book
    more = suggestions("bank/entities/Mara.md", "memory.md", count=3)
    book = judge(book, more, RULES, at("11-27 05:00")).book
    book, shown = release(book, RULES, at("11-27 08:00"))
    names = ("memory.md", "bank/world.md", "bank/entities/Mara.md")
    assert shown == (News(SUGGESTIONS, 3, names),)
    assert release(book, RULES, at("11-27 08:01")) == (book, ())


def test_news_after_quiet_hours_takes_along_what_was_held() -> None:
    book = judge(Book(), suggestions("memory.md"), RULES, at("11-27 03:00")).book
    outcome = judge(book, suggestions("bank/world.md", count=2), RULES, at("11-27 08:00"))
    assert outcome.verdict is Verdict.SHOW
    assert outcome.news.names == ("memory.md", "bank/world.md")
    assert not outcome.book.held


def test_what_was_told_is_not_told_again() -> None:
    told = judge(Book(), suggestions("memory.md", "a.md"), RULES, at("11-26 10:00")).book
    again = judge(told, suggestions("a.md", count=2), RULES, at("11-26 11:00"))
    assert again.verdict is Verdict.DROP
    more = judge(told, suggestions("b.md", count=3), RULES, at("11-26 11:00"))
    assert more.verdict is Verdict.SHOW


def test_an_answered_suggestion_is_not_shown_later() -> None:
    book = judge(Book(), suggestions("memory.md"), RULES, at("11-27 03:00")).book
    book, shown = release(answered(book, 0), RULES, at("11-27 08:00"))
    assert shown == ()
    assert judge(book, suggestions("memory.md"), RULES, at("11-27 09:00")).verdict is Verdict.SHOW


def test_of_several_only_those_that_still_wait_are_named() -> None:
    book = judge(Book(), suggestions("memory.md", "a.md", "b.md"), RULES, at("11-27 03:00")).book
    book = answered(book, 2, ["a.md", "old.md"])
    assert release(book, RULES, at("11-27 08:00"))[1] == (News(SUGGESTIONS, 2, ("a.md",)),)
    assert not answered(book, 1, ["old.md"]).held


def test_a_new_suggestion_for_an_answered_page_is_news() -> None:
    book = judge(Book(), suggestions("memory.md", "a.md"), RULES, at("11-26 10:00")).book
    book = answered(book, 1, ["a.md"])
    assert judge(book, suggestions("memory.md", count=2), RULES, at("11-26 11:00")).verdict is (
        Verdict.SHOW
    )


def test_who_looks_at_the_page_is_not_told() -> None:
    outcome = judge(Book(), suggestions("memory.md"), RULES, at("11-26 10:00", REVIEW_PAGE))
    assert outcome.verdict is Verdict.DROP
    later = judge(outcome.book, suggestions("memory.md"), RULES, at("11-26 10:05"))
    assert later.verdict is Verdict.DROP
    other = judge(Book(), suggestions("memory.md"), RULES, at("11-26 10:00", HEALTH_PAGE))
    assert other.verdict is Verdict.SHOW


def test_what_was_held_is_dropped_for_who_looks_at_the_page() -> None:
    book = judge(Book(), suggestions("memory.md"), RULES, at("11-27 03:00")).book
    book, shown = release(book, RULES, at("11-27 08:00", REVIEW_PAGE))
    assert shown == ()
    assert not book.held


def test_what_is_turned_off_is_not_told_also_when_it_was_held_before() -> None:
    off = Rules(suggestions=False, quiet=NIGHT)
    assert judge(Book(), suggestions("a.md"), off, at("11-26 10:00")).verdict is Verdict.DROP
    assert judge(Book(), News(COPIES, 1), off, at("11-26 10:00")).verdict is Verdict.SHOW
    book = judge(Book(), suggestions("a.md"), RULES, at("11-27 03:00")).book
    assert release(book, off, at("11-27 08:00")) == (Book(), ())


def test_quiet_hours_that_are_turned_off_hold_nothing() -> None:
    book = judge(Book(), suggestions("a.md"), RULES, at("11-27 03:00")).book
    free = rules_of(DesktopSettings(quiet_hours=False))
    assert release(book, free, at("11-27 03:01"))[1] == (suggestions("a.md"),)


def test_a_finding_that_is_settled_is_neither_shown_nor_told_for_ever() -> None:
    copy = News(COPIES, 1, ("memory/2026-11-21 (conflicted copy).md",))
    held = judge(Book(), copy, RULES, at("11-27 03:00")).book
    assert settled(held, {COPIES}) == held
    assert settled(held, set()) == Book()
    told = judge(Book(), copy, RULES, at("11-27 10:00")).book
    assert judge(told, copy, RULES, at("11-27 11:00")).verdict is Verdict.DROP
    back = judge(settled(told, set()), copy, RULES, at("11-28 11:00"))
    assert back.verdict is Verdict.SHOW


def test_the_settings_say_when_it_is_quiet() -> None:
    assert rules_of(DesktopSettings()) == Rules(True, True, NIGHT)
    chosen = DesktopSettings(notify_health=False, quiet_from="22:30", quiet_until="06:15")
    assert rules_of(chosen) == Rules(True, False, Quiet(time(22, 30), time(6, 15)))


def test_the_same_time_twice_means_no_quiet_hours() -> None:
    quiet = Quiet(time(8), time(8))
    assert not any(quiet.covers(at(f"11-27 {h:02}:00").now, BERLIN) for h in range(24))


def test_where_the_clock_leaps_quiet_hours_end_with_the_leap() -> None:
    """Berlin, 29 March 2026: from 02:00 to 03:00 there is no time, so 02:30 is at 03:00."""
    quiet = Quiet(time(21), time(2, 30))
    assert quiet.covers(datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC), BERLIN)
    assert not quiet.covers(datetime(2026, 3, 29, 1, tzinfo=UTC), BERLIN)


def test_where_an_hour_comes_twice_quiet_hours_end_at_the_second() -> None:
    """Berlin, 25 October 2026: it is 02:30 at 00:30 and at 01:30 UTC."""
    quiet = Quiet(time(21), time(2, 30))
    assert quiet.covers(datetime(2026, 10, 25, 0, 45, tzinfo=UTC), BERLIN)
    assert quiet.covers(datetime(2026, 10, 25, 1, 29, tzinfo=UTC), BERLIN)
    assert not quiet.covers(datetime(2026, 10, 25, 1, 30, tzinfo=UTC), BERLIN)


def test_a_day_that_a_zone_left_out_has_no_hour_of_its_own() -> None:
    """Apia had no 30 December 2011: the night of the 29th ends on the 31st."""
    apia = ZoneInfo("Pacific/Apia")
    assert NIGHT.covers(datetime(2011, 12, 29, 23, tzinfo=apia), apia)
    assert NIGHT.covers(datetime(2011, 12, 31, 7, tzinfo=apia), apia)
    assert not NIGHT.covers(datetime(2011, 12, 31, 8, tzinfo=apia), apia)


# Over everything

zones = st.sampled_from(
    [
        BERLIN,
        ZoneInfo("America/New_York"),
        ZoneInfo("Asia/Manila"),
        ZoneInfo("Australia/Lord_Howe"),
        ZoneInfo("Asia/Beirut"),
        ZoneInfo("UTC"),
    ]
)
times = st.builds(time, st.integers(0, 23), st.integers(0, 59))
moments = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)) | st.sampled_from(
    [
        datetime(2026, month, day, hour, minute)
        for month, day in ((3, 8), (3, 28), (3, 29), (10, 24), (10, 25), (11, 1))
        for hour in range(24)
        for minute in (0, 1, 30, 59)
    ]
)


def on_the_wall(quiet: Quiet, now: datetime, zone: ZoneInfo) -> bool:
    wall = now.astimezone(zone).time()
    if quiet.start <= quiet.end:
        return quiet.start <= wall < quiet.end
    return wall >= quiet.start or wall < quiet.end


@given(times, times, moments, zones)
@settings(max_examples=600)
def test_it_is_quiet_whenever_the_clock_on_the_wall_says_so(
    start: time, end: time, moment: datetime, zone: ZoneInfo
) -> None:
    quiet, now = Quiet(start, end), moment.replace(tzinfo=UTC)
    if on_the_wall(quiet, now, zone):
        assert quiet.covers(now, zone)


@given(times, times, moments)
def test_where_no_clock_is_changed_it_is_quiet_only_then(
    start: time, end: time, moment: datetime
) -> None:
    quiet, now = Quiet(start, end), moment.replace(tzinfo=UTC)
    manila = ZoneInfo("Asia/Manila")
    assert quiet.covers(now, manila) == on_the_wall(quiet, now, manila)


@given(times, times, moments, zones)
@settings(max_examples=25)
def test_it_is_never_quiet_for_two_days(
    start: time, end: time, moment: datetime, zone: ZoneInfo
) -> None:
    quiet, now = Quiet(start, end), moment.replace(tzinfo=UTC)
    hours = (now + timedelta(minutes=m) for m in range(0, 48 * 60, 1))
    if start != end:
        assert not all(quiet.covers(hour, zone) for hour in hours)


steps = st.lists(
    st.tuples(
        st.integers(1, 700),  # minutes that pass
        st.sampled_from(["news", "beat", "answered"]),
        st.integers(0, 5),  # how many wait after an answer
    ),
    max_size=40,
)


class Desk:
    """Suggestions of one page each come in, and a person answers the oldest of them."""

    def __init__(self, start: datetime, zone: ZoneInfo, quiet: Quiet) -> None:
        self.now = start.replace(tzinfo=UTC)
        self.zone = zone
        self.rules = Rules(quiet=quiet)
        self.book = Book()
        self.waiting: list[str] = []
        self.shown: list[str] = []
        self.made = 0

    @property
    def here(self) -> Situation:
        return Situation(self.now, self.zone)

    def news(self) -> None:
        self.made += 1
        self.waiting.append(f"page-{self.made}.md")
        news = News(SUGGESTIONS, len(self.waiting), (self.waiting[-1],))
        outcome = judge(self.book, news, self.rules, self.here)
        self.book = outcome.book
        if outcome.verdict is Verdict.SHOW:
            self.take([outcome.news])

    def beat(self) -> None:
        self.book, shown = release(self.book, self.rules, self.here)
        self.take(shown)

    def answer(self, left: int) -> None:
        self.waiting = self.waiting[max(0, len(self.waiting) - left) :]
        self.book = answered(self.book, len(self.waiting), self.waiting)

    def take(self, shown: Sequence[News]) -> None:
        assert self.rules.quiet is not None
        for news in shown:
            assert not on_the_wall(self.rules.quiet, self.now, self.zone)
            assert news.count == len(self.waiting)
            assert set(news.names) <= set(self.waiting), "one that was answered is named"
            self.shown.extend(news.names)


@given(moments, zones, times, times, steps)
@settings(max_examples=300)
def test_nothing_in_quiet_hours_nothing_lost_and_nothing_twice(
    start: datetime, zone: ZoneInfo, begin: time, end: time, steps: list[tuple[int, str, int]]
) -> None:
    desk = Desk(start, zone, Quiet(begin, end))
    for minutes, step, left in steps:
        desk.now += timedelta(minutes=minutes)
        if step == "news":
            desk.news()
        elif step == "beat":
            desk.beat()
        elif step == "answered":
            desk.answer(left)
    for _ in range(49):
        desk.now += timedelta(hours=1)
        desk.beat()
    desk.now += timedelta(minutes=30)
    for _ in range(48 * 60):
        if not desk.book.held:
            break
        desk.now += timedelta(minutes=1)
        desk.beat()
    assert len(desk.shown) == len(set(desk.shown)), "shown twice"
    assert set(desk.waiting) <= set(desk.shown), "lost"
