"""Findings in, notices out: with the ways to show them played by a test, and a clock to turn."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtWidgets import QApplication

from daybank.health.report import HealthCheck, HealthReport
from daybank_desktop.notifications.backend import LATER, OPEN, STOP_WITHIN, Events, Notice
from daybank_desktop.notifications.memory import NoticeMemory
from daybank_desktop.notifications.notifier import Notifier
from daybank_desktop.services.schedule import Finding, FindingKind
from daybank_desktop.services.settings import SettingsStore

BERLIN = ZoneInfo("Europe/Berlin")
FOLDER = "/notes"
COPY = "memory/2026-11-21 (conflicted copy 2026-11-22).md"
COPIES = HealthCheck("conflict-copies", "warning", "1 copy made by a sync program.", (COPY,))


class Shown:
    """A backend that shows in a list, or fails."""

    def __init__(self, *, works: bool = True) -> None:
        self.works = works
        self.all: list[Notice] = []
        self.now: dict[str, Notice] = {}
        self.events: Events | None = None

    def start(self, events: Events) -> None:
        self.events = events

    def show(self, notice: Notice) -> None:
        assert self.events is not None
        if not self.works:
            self.events.failed(notice)
            return
        self.all.append(notice)
        self.now[notice.id] = notice

    def withdraw(self, notice_id: str) -> None:
        self.now.pop(notice_id, None)

    def stop(self, within: float = STOP_WITHIN) -> bool:
        self.events = None
        return True

    def act(self, notice_id: str, action: str = OPEN, token: str = "") -> None:
        assert self.events is not None
        del self.now[notice_id]
        self.events.acted(notice_id, action, token)
        self.events.closed(notice_id)


class Desk:
    """One start of the program."""

    def __init__(self, config: Path, moment: str, *backends: Shown) -> None:
        self.moment = datetime.fromisoformat(f"2026-{moment}").replace(tzinfo=BERLIN)
        self.shown = backends[0] if backends else Shown()
        self.settings = SettingsStore(config / "desktop.json")
        self.front = ""
        self.notifier = Notifier(
            backends or (self.shown,),
            self.settings,
            NoticeMemory(config / "notifications.json"),
            self,
            lambda: self.front,
        )
        self.opened: list[str] = []
        self.in_window: list[tuple[str, ...]] = []
        self.notifier.opened.connect(self.opened.append)
        self.notifier.in_window.connect(lambda *texts: self.in_window.append(texts))
        self.notifier.set_folder(FOLDER)

    def now(self) -> datetime:
        return self.moment

    def today(self) -> object:
        return self.moment.date()

    def suggest(self, count: int, *names: str) -> None:
        self.notifier.tell(Finding(FindingKind.SUGGESTIONS, count, names, "They came in."))

    def check(self, *checks: HealthCheck) -> None:
        self.notifier.see_health(HealthReport(checks))
        for check in checks:
            if check.level != "ok":
                self.notifier.tell(
                    Finding(FindingKind.HEALTH, len(check.sources), check.sources, check.message)
                )

    def beat(self, hours: float = 0) -> None:
        self.moment += timedelta(hours=hours)
        self.notifier.beat(self.moment, BERLIN)

    @property
    def titles(self) -> list[str]:
        return [notice.title for notice in self.shown.all]


@pytest.fixture
def start(qapp: QApplication, tmp_path: Path) -> Callable[..., Desk]:
    return lambda moment="11-26 10:00", *backends: Desk(tmp_path, moment, *backends)


def test_a_click_opens_the_page(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.suggest(2, "memory.md", "bank/entities/Mara.md")
    desk.check(COPIES)
    assert desk.titles == ["2 suggestions are waiting", "Two versions of 21 November"]
    desk.shown.act("health conflict-copies")
    desk.shown.act("suggestions")
    assert desk.opened == ["health", "review"]


def test_later_opens_nothing(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.suggest(1, "memory.md")
    desk.shown.act("suggestions", LATER)
    assert desk.opened == []


def test_the_right_to_raise_a_window_is_handed_to_qt(
    start: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "old")
    desk = start()
    desk.suggest(1, "memory.md")
    seen: list[str] = []
    desk.notifier.opened.connect(lambda page: seen.append(os.environ["XDG_ACTIVATION_TOKEN"]))
    desk.shown.act("suggestions", OPEN, "token-7")
    assert seen == ["token-7"]


def test_what_is_held_at_night_is_told_in_the_morning_as_one(start: Callable[..., Desk]) -> None:
    desk = start("11-26 23:00")
    desk.suggest(2, "memory.md", "bank/world.md")
    desk.beat(4)
    desk.suggest(3, "bank/entities/Mara.md")
    desk.beat(4.9)
    assert desk.titles == []
    desk.beat(0.2)
    desk.beat(1)
    assert [notice.text for notice in desk.shown.all] == [
        "For Core, World and Mara. Nothing changes until you look."
    ]


def test_what_is_held_outlives_a_restart_and_is_told_once(start: Callable[..., Desk]) -> None:
    start("11-26 23:00").suggest(1, "memory.md")
    morning = start("11-27 09:00")
    morning.beat()
    assert morning.titles == ["1 suggestion is waiting"]
    again = start("11-27 10:00")
    again.beat()
    again.suggest(1, "memory.md")
    assert again.titles == []


def test_another_folder_is_told_of_its_own(start: Callable[..., Desk]) -> None:
    desk = start("11-26 23:00")
    desk.suggest(1, "memory.md")
    desk.notifier.set_folder("/other")
    desk.beat(12)
    assert desk.titles == []
    desk.notifier.set_folder(FOLDER)
    desk.beat()
    assert desk.titles == ["1 suggestion is waiting"]


def test_what_was_answered_leaves_the_screen_and_is_not_told_later(
    start: Callable[..., Desk],
) -> None:
    desk = start()
    desk.suggest(1, "memory.md")
    desk.notifier.set_waiting(0)
    assert desk.shown.now == {}
    night = start("11-26 23:00")
    night.suggest(1, "bank/world.md")
    night.notifier.set_waiting(0)
    night.beat(12)
    assert night.titles == []


def test_what_is_mended_leaves_the_screen(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.check(COPIES)
    desk.check(HealthCheck("conflict-copies", "ok", "No sync conflict copies."))
    assert desk.shown.now == {}
    desk.check(COPIES)
    assert desk.titles == ["Two versions of 21 November"] * 2


def test_findings_of_a_night_become_one_notice(start: Callable[..., Desk]) -> None:
    desk = start("11-26 23:00")
    secret = HealthCheck("secrets", "warning", "What looks like a key.", ("memory.md#L2",))
    desk.check(COPIES, secret)
    desk.suggest(1, "memory.md")
    desk.beat(10)
    assert desk.titles == ["1 suggestion is waiting", "2 things need you"]
    desk.check(secret, HealthCheck("conflict-copies", "ok", "None."))
    assert set(desk.shown.now) == {"suggestions", "health"}
    desk.check(HealthCheck("secrets", "ok", "None."))
    assert set(desk.shown.now) == {"suggestions"}


def test_who_comes_to_the_page_alone_finds_its_notice_gone(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.suggest(1, "memory.md")
    desk.check(COPIES)
    desk.notifier.page_shown("review")
    assert set(desk.shown.now) == {"health conflict-copies"}


def test_who_looks_at_the_page_is_left_alone(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.front = "review"
    desk.suggest(1, "memory.md")
    assert desk.titles == []


def test_where_one_way_fails_the_next_is_tried_and_at_last_the_window(
    start: Callable[..., Desk],
) -> None:
    dead, tray = Shown(works=False), Shown()
    desk = start("11-26 10:00", dead, tray)
    desk.suggest(1, "memory.md")
    assert [notice.title for notice in tray.all] == ["1 suggestion is waiting"]
    tray.works = False
    desk.check(COPIES)
    assert desk.in_window == [
        (
            "Two versions of 21 November",
            "Your sync program made a copy. Nothing is lost; choose which one to keep.",
            "Compare",
            "health",
        )
    ]


def test_a_way_that_fails_late_does_not_show_again_what_was_answered_meanwhile(
    start: Callable[..., Desk],
) -> None:
    desk = start()
    desk.suggest(1, "memory.md")
    desk.notifier.set_waiting(0)
    assert desk.shown.events is not None
    desk.shown.events.failed(desk.shown.all[0])
    assert desk.in_window == []


def test_a_server_that_dies_takes_no_newer_notice_along(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.suggest(1, "memory.md")
    desk.suggest(2, "memory.md", "bank/world.md")
    assert desk.shown.events is not None
    desk.shown.events.closed(desk.shown.all[0].id)  # told of the first, while the second is sent
    desk.shown.events.failed(desk.shown.all[1])
    assert [shown[0] for shown in desk.in_window] == ["2 suggestions are waiting"]


def test_after_stopping_nothing_is_told(start: Callable[..., Desk]) -> None:
    desk = start()
    assert desk.notifier.stop()
    desk.suggest(1, "memory.md")
    assert desk.titles == []


def test_a_secret_in_a_finding_is_neither_shown_nor_kept(
    start: Callable[..., Desk], tmp_path: Path
) -> None:
    key = "sk-test-EXAMPLE0000000000000000"
    desk = start("11-26 23:00")
    desk.check(HealthCheck("reflection", "warning", f"The last reflection failed: key {key}"))
    assert key not in (tmp_path / "notifications.json").read_text("utf-8")
    desk.beat(12)
    (notice,) = desk.shown.all
    assert key not in f"{notice.title} {notice.text}"
    assert "[hidden]" in notice.text


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "[]",
        "{" * 10_000,
        '{"folders": []}',
        '{"folders": {"/notes": 7}}',
        '{"folders": {"/notes": {"held": [1], "told": {"suggestions": 3}}}}',
        '{"folders": {"/notes": {"held": {"suggestions": {"count": "x"}}}}}',
        '{"folders": {"/notes": {"held": {"suggestions": {"count": -1, "names": [1]}}}}}',
    ],
)
def test_a_memory_that_makes_no_sense_is_none(
    start: Callable[..., Desk], tmp_path: Path, stored: str
) -> None:
    (tmp_path / "notifications.json").write_text(stored, "utf-8")
    desk = start()
    desk.beat()
    assert desk.titles == []
    desk.suggest(1, "memory.md")
    assert desk.titles == ["1 suggestion is waiting"]
    kept = json.loads((tmp_path / "notifications.json").read_text("utf-8"))
    assert kept["folders"][FOLDER]["told"]["suggestions"]["count"] == 1


def test_a_memory_that_cannot_be_saved_costs_nothing_but_a_restart(
    start: Callable[..., Desk], tmp_path: Path
) -> None:
    (tmp_path / "notifications.json.new").mkdir()
    desk = start("11-26 23:00")
    desk.suggest(1, "memory.md")
    desk.beat(12)
    assert desk.titles == ["1 suggestion is waiting"]
