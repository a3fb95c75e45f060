"""Each topic's own story: what is pressed acts at once and is saved at once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from settings_tools import Desk, Names, Notes

from daybank.review.proposal import Hunk
from daybank_desktop.scheduling.policy import PlanKind, WhyNot
from daybank_desktop.services.refusals import Refusal
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.settings_topics import words
from daybank_desktop.theme import Theme

MakeDesk = Callable[..., Desk]
Key = Qt.Key
TODAY = date(2026, 11, 28)


# Memory folders


def with_recent(desk: Desk, *folders: str) -> None:
    desk.services.settings.update(recent=(str(desk.notes.path), *folders))


def test_the_open_folder_and_the_recent_ones_are_shown(make_desk: MakeDesk, notes: Notes) -> None:
    desk = make_desk()
    with_recent(desk, "/home/ines/Old <b>notes</b>")
    topic = desk.open("folders")

    assert (topic.open_row.title, topic.open_row.text) == ("Sample notes", str(notes.path))
    row = topic.recent_row("/home/ines/Old <b>notes</b>")
    assert (row.title, row.text) == ("b>", "/home/ines/Old <b>notes</b>")
    desk.click(topic.show_folder)
    assert desk.shown == [str(notes.path)]


def test_a_recent_folder_is_opened_and_another_one_asked_for(make_desk: MakeDesk) -> None:
    desk = make_desk()
    with_recent(desk, "/home/ines/Old")
    topic = desk.open("folders")
    opened: list[Path] = []
    asked: list[bool] = []
    desk.page.folder_opened.connect(opened.append)
    desk.page.folder_choose_requested.connect(lambda: asked.append(True))
    go, _forget = topic.recent_row("/home/ines/Old").control.findChildren(type(topic.choose)), 0

    desk.press(Key.Key_Space, go[0])
    desk.click(topic.choose)

    assert (opened, asked) == ([Path("/home/ines/Old")], [True])


def test_a_forgotten_folder_can_be_brought_back(make_desk: MakeDesk) -> None:
    desk = make_desk()
    with_recent(desk, "/home/ines/One", "/home/ines/Two", "/home/ines/Three")
    topic = desk.open("folders")
    before = desk.saved().recent

    topic._forget("/home/ines/Two")
    assert "/home/ines/Two" not in desk.saved().recent
    text, action, undo = desk.toasts[-1]
    assert (text, action) == ("Forgotten. The folder itself is as it was.", "Undo")
    undo()

    assert desk.saved().recent == before
    assert topic.recent_row("/home/ines/Two").title == "Two"


def test_undoing_keeps_what_was_opened_meanwhile(make_desk: MakeDesk) -> None:
    desk = make_desk()
    with_recent(desk, "/home/ines/One", "/home/ines/Two")
    topic = desk.open("folders")
    topic._forget("/home/ines/Two")
    now = desk.saved().with_folder("/home/ines/New")
    desk.services.settings.save(now)

    desk.toasts[-1][2]()

    notes = str(desk.notes.path)
    assert desk.saved().recent == ("/home/ines/New", notes, "/home/ines/One", "/home/ines/Two")


def test_a_synced_folder_is_opened_anew_once_it_is_saved(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("folders")
    saved: list[object] = []
    desk.page.reopen_requested.connect(lambda: saved.append(desk.saved_shared()["index_outside"]))

    desk.press(Key.Key_Space, topic.outside.toggle)

    assert saved == [True]


def test_git_is_off_with_a_reason_where_there_is_none(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("folders")

    assert topic.commit.reason == "This folder is no git repository."
    assert not topic.commit.toggle.isEnabled()


def test_git_commits_are_switched_on_in_a_repository(make_desk: MakeDesk, notes: Notes) -> None:
    subprocess.run(["git", "init", "-q", str(notes.path)], check=True)
    desk = make_desk()
    topic = desk.open("folders")
    assert topic.commit.reason == ""

    desk.click(topic.commit.toggle)

    assert desk.saved_shared()["commit"] is True


def test_what_cannot_be_saved_jumps_back(make_desk: MakeDesk, monkeypatch: Any) -> None:
    desk = make_desk()
    topic = desk.open("folders")
    failures: list[str] = []
    desk.services.shared.failed.connect(lambda error: failures.append(error.title))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("daybank_desktop.services.shared_settings.save_settings", full)
    desk.click(topic.outside.toggle)

    assert failures == ["The choice could not be saved."]
    assert not topic.outside.toggle.isChecked()
    assert desk.toast.startswith("The choice could not be saved. No space left on device")


# Look


def test_the_colours_are_chosen_by_keys(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("look")
    chosen: list[str] = []
    desk.page.theme_chosen.connect(chosen.append)

    desk.click(topic.colours.part("dark"))
    desk.press(Key.Key_Return, topic.colours.part("system"))

    assert chosen == ["dark", "system"]


def test_the_text_size_moves_in_tens_and_keeps_its_bounds(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("look")
    chosen: list[int] = []
    desk.page.text_size_chosen.connect(chosen.append)
    slider = topic.text_size.slider

    for key in (Key.Key_Right, Key.Key_End, Key.Key_Home):
        desk.press(key, slider)

    assert chosen == [110, 200, 90]
    assert slider.accessibleDescription() == "90\u00a0%"


def test_the_look_follows_what_is_changed_elsewhere(make_desk: MakeDesk, theme: Theme) -> None:
    desk = make_desk()
    topic = desk.open("look")
    chosen: list[int] = []
    desk.page.text_size_chosen.connect(chosen.append)

    theme.set_text_size(130)
    theme.set_mode("dark")

    assert (topic.text_size.value, topic.colours.value, chosen) == (130, "dark", [])


# Reflection


def test_the_plan_is_chosen_at_once(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("reflection")
    plans = topic.plans
    assert plans[PlanKind.DAILY].mark.isChecked()

    desk.press(Key.Key_Down, plans[PlanKind.DAILY].mark)
    assert desk.saved().plan == "hours"
    desk.press(Key.Key_Down, topic.every)
    assert desk.saved().reflect_hours == 8
    desk.press(Key.Key_Up, topic.at.edit)
    assert (desk.saved().plan, desk.saved().reflect_at) == ("daily", "03:15")
    desk.click(topic.battery.toggle)

    assert desk.saved().reflect_on_battery
    plan = desk.services.schedule.plan
    assert (plan.kind, plan.at, plan.on_battery) == (PlanKind.DAILY, time(3, 15), True)


def test_without_a_plan_the_battery_does_not_matter(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("reflection")

    desk.click(topic.plans[PlanKind.MANUAL].mark)

    assert desk.saved().plan == "manual"
    assert not topic.battery.toggle.isEnabled()


def test_a_pause_is_begun_from_the_menu_and_ended(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("reflection")
    desk.beat()
    assert topic.pause_row.title == "Not paused"

    topic.pause_menu.actions()[1].trigger()
    desk.settle()
    assert topic.pause_row.title.startswith("Paused until tomorrow")
    topic.pause_menu.actions()[2].trigger()
    desk.settle()
    assert topic.pause_row.title == "Paused until you resume"
    assert topic.state_row.text == "Next: after the pause."
    desk.click(topic.resume)

    assert topic.pause_row.title == "Not paused"


def test_the_run_history_is_another_page(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("reflection")
    asked: list[tuple[str, object]] = []
    desk.page.page_requested.connect(lambda *page: asked.append(page))

    desk.press(Key.Key_Space, topic.history)

    assert asked == [("runs", None)]


def test_what_was_refused_for_ever_is_suggested_again(make_desk: MakeDesk, notes: Notes) -> None:
    notes.refused = ["core:monday", "summary:mara"]
    hunk = Hunk(
        3,
        (),
        (
            "",
            "- O(c=0.6) @Mara: Opening on Mondays <b>pays</b> ^op-12",
        ),
        "New.",
    )
    kept = SimpleNamespace(target="memory.md", hunks=(_about(hunk, "core:monday"),))
    notes.suggestions = (kept,)
    desk = make_desk()
    topic = desk.open("reflection")
    row = topic.refusal_row("core:monday")
    assert (row.title, row.text) == ("Opening on Mondays <b>pays</b>", "For Core")
    assert topic.refusal_row("summary:mara").title == "What is known about “mara”"

    desk.click(row.control)

    assert notes.refused == ["summary:mara"]
    assert desk.toast == "It may be suggested again"
    assert set(topic._refusals) == {"summary:mara"}


def _about(hunk: Hunk, topic: str) -> Hunk:
    return Hunk(hunk.line, hunk.old, hunk.new, hunk.reason, topic=topic)


def test_nothing_refused_is_said(make_desk: MakeDesk) -> None:
    topic = make_desk().open("reflection")

    assert topic._no_refusals.isVisible()


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (
            ScheduleState(
                datetime(2026, 11, 28, 3).astimezone(),
                datetime(2026, 11, 29, 3).astimezone(),
                why_not=WhyNot.NOT_YET,
            ),
            ("Last: today 03:00", "Next: tomorrow 03:00"),
        ),
        (
            ScheduleState(why_not=WhyNot.MANUAL),
            ("It has not reflected yet", "Next: when you say so."),
        ),
        (
            ScheduleState(why_not=WhyNot.ON_BATTERY),
            ("It has not reflected yet", "It is time, and waits for mains power."),
        ),
        (ScheduleState(running=True, why_not=WhyNot.RUNNING), ("It reflects just now", "")),
        (ScheduleState(), ("Not looked at yet", "It begins soon after the start.")),
    ],
)
def test_how_the_schedule_stands_is_said_in_words(
    theme: Theme, state: ScheduleState, said: tuple[str, str]
) -> None:
    assert words.last_and_next(state, TODAY, has_folder=True) == said


def test_a_refusal_that_nothing_is_kept_of_has_words(theme: Theme) -> None:
    assert words.refused(Refusal("opinion:op-12"))[0] == "An opinion (op-12)"
    assert words.refused(Refusal("strange"))[0] == "“strange”"


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 kB"),
        (1, "1 kB"),
        (22_928_619, "22 MB"),
        (999_999_999, "999 MB"),
        (1_000_000_000, "1 GB"),
        (2_240_000_000, "2.2 GB"),
    ],
)
def test_sizes_are_said_as_people_know_them(theme: Theme, size: int, said: str) -> None:
    assert words.size(size) == said


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (1, "every hour"),
        (6, "every 6 hours"),
        (24, "every 24 hours"),
        (48, "every 2 days"),
        (168, "every week"),
    ],
)
def test_how_often_is_said_as_people_say_it(theme: Theme, hours: int, said: str) -> None:
    assert words.hours(hours) == said


# Notifications


def test_notifications_are_switched_and_saved(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("notifications")

    desk.click(topic.suggestions.toggle)
    desk.press(Key.Key_Space, topic.health.toggle)
    desk.click(topic.tray.toggle)

    saved = desk.saved()
    assert (saved.notify_suggestions, saved.notify_health) == (False, False)
    assert not saved.close_to_tray


def test_quiet_hours_have_their_times(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("notifications")
    edit = topic.quiet_from.edit
    edit.setFocus()
    edit.selectAll()

    QTest.keyClicks(edit, "22:30")
    QTest.keyClick(edit, Key.Key_Return)
    desk.press(Key.Key_Down, topic.quiet_until.edit)
    assert (desk.saved().quiet_from, desk.saved().quiet_until) == ("22:30", "07:45")
    desk.click(topic.quiet.toggle)

    assert not topic.times.isVisible()
    assert not desk.saved().quiet_hours


# Start


def test_starting_at_log_in_is_switched_on_hidden(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("start")
    assert not topic.hidden.toggle.isEnabled()

    desk.click(topic.login.toggle)
    assert desk.autostart.entry is True
    desk.click(topic.hidden.toggle)
    assert (desk.autostart.entry, desk.saved().start_hidden) == (False, False)
    desk.click(topic.login.toggle)

    assert desk.autostart.entry is None
    assert not topic.hidden.toggle.isEnabled()


def test_where_it_cannot_start_by_itself_that_is_said(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.autostart.why_not = "Daybank was started from a checkout."

    topic = desk.open("start")

    assert topic.login.reason == "Daybank was started from a checkout."
    assert not topic.login.toggle.isEnabled()


def test_a_failure_is_said_and_the_switch_jumps_back(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("start")
    desk.autostart.error = OSError(
        "The folder for programs that start at log-in cannot be written."
    )

    desk.click(topic.login.toggle)

    assert not topic.login.toggle.isChecked()
    assert desk.toast == (
        "Starting at log-in could not be changed."
        " The folder for programs that start at log-in cannot be written."
    )


# Language model


def test_no_language_model_is_used_at_first_and_none_is_asked(
    make_desk: MakeDesk, ollama: Names
) -> None:
    desk = make_desk(ollama_url=ollama.url)
    desk.open("folders")

    assert ollama.asked == []
    topic = desk.go("model")
    assert topic.none.mark.isChecked()
    assert desk.services.language_models.choice is None


def test_a_model_of_ollama_words_suggestions(make_desk: MakeDesk, ollama: Names) -> None:
    desk = make_desk(ollama_url=ollama.url)
    topic = desk.open("model")

    desk.click(topic.ollama.mark)
    assert desk.saved_shared()["wording_model"] == "ollama:nomic:latest"
    desk.press(Key.Key_Down, topic.names)
    assert desk.saved_shared()["wording_model"] == "ollama:minilm:latest"
    desk.click(topic.none.mark)

    assert desk.saved_shared()["wording_model"] is None


def test_a_server_on_this_computer_is_looked_at_and_chosen(
    make_desk: MakeDesk, ollama: Names
) -> None:
    desk = make_desk()
    topic = desk.open("model")
    desk.click(topic.server.mark)
    assert topic.form.address.edit.hasFocus()
    assert desk.services.language_models.choice is None

    topic.form.address.set_text(ollama.url)
    desk.click(topic.form.asked)

    assert ollama.asked == ["/v1/models"]
    saved = desk.saved_shared()
    assert saved["wording_model"] == f"openai:{ollama.url}#nomic:latest"
    assert saved["wording_host_allowed"] is False
    desk.press(Key.Key_Down, topic.form.names)
    assert desk.saved_shared()["wording_model"] == f"openai:{ollama.url}#minilm:latest"


def test_another_computer_is_asked_only_after_a_yes(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("model")
    desk.click(topic.server.mark)
    asked: list[tuple[str, bool]] = []
    models = desk.services.language_models
    look = models.look_at_server

    def watched(address: str, *, allow_host: bool = False) -> None:
        asked.append((address, allow_host))
        if not allow_host:
            look(address, allow_host=allow_host)

    models.look_at_server = watched  # type: ignore[method-assign]
    topic.form.address.set_text("http://sample.invalid:8080")
    QTest.keyClick(topic.form.address.edit, Key.Key_Return)
    desk.settle()
    assert topic.dialog.windowTitle() == "Let notes leave this computer?"
    topic.dialog.reject()
    assert asked == [("http://sample.invalid:8080", False)]
    assert models.choice is None

    desk.click(topic.form.asked)
    topic.dialog.accept()

    assert asked[-1] == ("http://sample.invalid:8080", True)


def test_a_yes_holds_for_that_address_only(make_desk: MakeDesk, ollama: Names) -> None:
    desk = make_desk()
    topic = desk.open("model")
    desk.click(topic.server.mark)
    topic._allowed = "http://sample.invalid:8080"

    topic.form.address.set_text(ollama.url)
    desk.click(topic.form.asked)

    assert desk.saved_shared()["wording_host_allowed"] is False


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nonsense", "This is no address of a language model."),
        ("http://127.0.0.1:9", "No language model answers there."),
    ],
)
def test_what_is_wrong_with_an_address_is_said(
    make_desk: MakeDesk, address: str, said: str
) -> None:
    desk = make_desk()
    topic = desk.open("model")
    desk.click(topic.server.mark)

    topic.form.address.set_text(address)
    desk.click(topic.form.asked)

    assert topic.form.address.error == said
    assert desk.services.language_models.choice is None


# Privacy


def test_a_server_that_was_never_chosen_is_forgotten(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("model")
    desk.click(topic.server.mark)

    desk.go("privacy")
    desk.go("model")

    assert topic.none.mark.isChecked()
    assert not topic.form.isVisible()


def test_privacy_says_what_leaves_the_computer(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("privacy")
    assert topic.model.text == "None is used."

    desk.services.language_models.choose_server(
        "http://sample.invalid:8080", "writer", allow_host=True
    )
    desk.settle()

    assert topic.model.title == "Notes, to the language model you allowed"
    assert topic.model.text == "It is on another computer: http://sample.invalid:8080"


def test_diagnostics_and_logs_are_asked_for(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("privacy")
    asked: list[bool] = []
    desk.page.diagnostics_requested.connect(lambda: asked.append(True))

    desk.press(Key.Key_Space, topic.copy)
    desk.click(topic.show_logs)

    assert asked == [True]
    assert desk.shown == [str(desk.root / "logs")]


# Where are my files?


def test_places_are_shown_with_their_sizes(make_desk: MakeDesk, notes: Notes) -> None:
    (notes.path / ".memory").mkdir()
    (notes.path / ".memory" / "index.sqlite").write_bytes(bytes(3_000_000))
    (notes.path / "long.md").write_bytes(b"x" * 50_000)
    desk = make_desk()

    topic = desk.open("files")

    assert topic.row("notes").title == "Memory folder · 51 kB"
    assert topic.row("index").title == "What Daybank needs for searching · 3 MB"
    assert topic.row("logs").title == "What happened, in files · nothing there yet"
    assert not topic._ways["logs"].isEnabled()


def test_a_place_is_shown_and_its_path_copied(make_desk: MakeDesk, notes: Notes) -> None:
    desk = make_desk()
    topic = desk.open("files")

    desk.click(topic._ways["notes"])
    topic._copy("notes")

    assert desk.shown == [str(notes.path)]
    assert QGuiApplication.clipboard().text() == str(notes.path)
    assert desk.toast == "Path copied"


def test_a_path_is_shown_letter_for_letter(make_desk: MakeDesk, tmp_path: Path) -> None:
    folder = tmp_path / "Notes\n& <img src=x>"
    folder.mkdir()
    desk = make_desk(Notes(path=folder))

    topic = desk.open("files")

    assert topic.row("notes").text == str(folder).replace("\n", " ")
