"""Search by meaning in the settings: what it uses, a download by clicks, how far the notes are."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from settings_tools import TWO_MODELS, Desk, Hub, Names, Notes

from daybank.embedding import catalogue
from daybank_desktop.services import models as services
from daybank_desktop.services.meaning import Phase

MakeDesk = Callable[..., Desk]


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", TWO_MODELS)
    monkeypatch.setattr(services, "_has_universal", lambda: False)


def test_the_built_in_model_is_in_use_at_first(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("meaning")

    assert topic.rows["built-in"].mark.isChecked()
    assert topic.panels["built-in"].used.isVisible()
    assert topic.rows["built-in"].title == "Built in"
    assert not topic.rows["small"].mark.isEnabled()
    assert topic.panels["small"].get.text() == "Download"
    assert topic.ollama.text == "Uses a model that you installed yourself. Not running now."


def test_a_model_is_fetched_paused_and_used_by_clicks(
    make_desk: MakeDesk, hub: Hub, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SILENT_SECONDS", 0.2)
    desk = make_desk(base_url=hub.url)
    topic = desk.open("meaning")
    panel, models = topic.panels["small"], desk.services.models
    hub.gate.clear()
    desk.qtbot.mouseClick(panel.get, Qt.MouseButton.LeftButton)
    desk.until(lambda: models.download is not None and models.download.percent > 10)
    assert panel.words.endswith("of 2 MB")
    assert panel.percent.endswith("\u00a0%")
    assert panel.bar.accessibleName() == "Download of Small"
    assert panel.bar.accessibleDescription() == f"{panel.percent} {panel.words}"

    desk.click(panel.pause)
    assert panel.words.startswith("Paused, ")
    hub.gate.set()
    desk.click(panel.go_on)
    desk.until(lambda: models.download is None)

    assert desk.toasts[-1][:2] == ("“Small” is here", "Use it")
    assert topic.rows["small"].mark.isEnabled()
    assert topic.rows["built-in"].mark.isChecked()
    told: list[str] = []
    desk.page.model_changed.connect(told.append)
    desk.click(topic.rows["small"].mark)
    assert told == ["small"]
    assert topic.panels["small"].used.isVisible()
    assert not topic.panels["built-in"].used.isVisible()
    assert notes.model_changes == 1
    assert desk.toast == "Your notes are prepared for it now. Search keeps working."


def test_stop_ends_a_download(
    make_desk: MakeDesk, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SILENT_SECONDS", 0.2)
    desk = make_desk(base_url=hub.url)
    topic = desk.open("meaning")
    panel = topic.panels["small"]
    hub.gate.clear()
    desk.qtbot.mouseClick(panel.get, Qt.MouseButton.LeftButton)
    desk.until(lambda: panel.stop.isVisible())

    desk.click(panel.stop)

    assert panel.get.isVisible()
    assert panel.get.text() == "Download"
    assert not panel.bar.isVisible()


def test_no_internet_is_said_in_the_row(make_desk: MakeDesk, hub: Hub) -> None:
    desk = make_desk(base_url=hub.url)
    topic = desk.open("meaning")
    panel = topic.panels["small"]
    hub.away = True

    desk.qtbot.mouseClick(panel.get, Qt.MouseButton.LeftButton)
    desk.until(lambda: panel.go_on.isVisible())

    assert panel.words == "No internet: the download waits."
    assert panel.go_on.text() == "Try again"


def test_a_model_is_removed_after_a_question(make_desk: MakeDesk, hub: Hub) -> None:
    desk = make_desk(base_url=hub.url)
    topic = desk.open("meaning")
    desk.services.models.start_download("small")
    desk.until(lambda: desk.services.models.download is None)

    desk.click(topic.panels["small"].remove)
    assert topic.dialog.windowTitle() == "Remove “Small”?"
    topic.dialog.reject()
    assert topic.panels["small"].remove.isVisible()
    desk.click(topic.panels["small"].remove)
    topic.dialog.accept()
    desk.settle()

    assert desk.toast == "“Small” is removed"
    assert topic.panels["small"].get.isVisible()


def test_a_model_of_ollama_is_chosen_from_its_list(make_desk: MakeDesk, ollama: Names) -> None:
    ollama.names = ()
    desk = make_desk(ollama_url=ollama.url)
    topic = desk.open("meaning")
    assert topic.ollama.text.endswith("It has no model yet.")
    assert not topic.ollama.mark.isEnabled()

    ollama.names = ("nomic:latest", "minilm:latest")
    desk.click(topic.look_again)
    desk.click(topic.ollama.mark)
    assert desk.services.models.in_use == "ollama:nomic:latest"
    desk.press(Qt.Key.Key_Down, topic.ollama_names)

    assert desk.services.models.in_use == "ollama:minilm:latest"
    assert topic.ollama.mark.isChecked()


def test_a_choice_that_fails_jumps_back_and_says_why(make_desk: MakeDesk, ollama: Names) -> None:
    desk = make_desk(ollama_url=ollama.url)
    topic = desk.open("meaning")
    ollama.names = ()

    desk.click(topic.ollama.mark)

    assert topic.rows["built-in"].mark.isChecked()
    assert desk.toast.startswith("Ollama has no model “nomic:latest”.")


def test_it_says_how_many_notes_are_prepared(make_desk: MakeDesk, notes: Notes) -> None:
    notes.texts, notes.prepared = 40, 40
    desk = make_desk()
    topic = desk.open("meaning")
    desk.until(lambda: desk.services.meaning.readiness.phase is Phase.ON)

    assert topic.prepared.title == "Prepared: 0 of 0 notes"
    assert topic.prepare.text() == "Prepare again"


def test_preparing_is_paused_and_goes_on_by_the_same_button(
    make_desk: MakeDesk, notes: Notes
) -> None:
    notes.texts, notes.text_takes = 4_000, 0.001
    desk = make_desk()
    desk.services.library.open(notes.path)
    topic = desk.page.topic("meaning")
    desk.page.show()
    desk.page.show_place("meaning", False)
    desk.until(lambda: desk.services.meaning.readiness.done > 10)
    assert topic.prepare.text() == "Pause"

    desk.click(topic.prepare)
    assert (topic.prepare.text(), topic.prepared.text) == ("Go on", "Paused.")
    before = notes.prepared
    notes.text_takes = 0
    desk.click(topic.prepare)
    desk.until(lambda: desk.services.meaning.readiness.phase is Phase.ON)

    assert notes.prepared == 4_000 > before


def test_off_nothing_is_prepared_and_on_it_begins(make_desk: MakeDesk, notes: Notes) -> None:
    notes.texts = 10
    desk = make_desk()
    desk.services.settings.update(by_meaning=False)
    topic = desk.open("meaning")
    switched: list[bool] = []
    desk.page.by_meaning_switched.connect(switched.append)
    assert (topic.prepared.title, notes.embeds, topic.prepare.isEnabled()) == ("Off", 0, False)

    desk.click(topic.switch.toggle)
    desk.until(lambda: desk.services.meaning.readiness.phase is Phase.ON)
    assert (switched, notes.prepared, desk.saved().by_meaning) == ([True], 10, True)
    desk.press(Qt.Key.Key_Space, topic.switch.toggle)

    assert (switched, desk.saved().by_meaning) == ([True, False], False)
    assert desk.services.meaning.readiness.phase is Phase.UNKNOWN


def test_on_battery_preparing_waits_unless_it_is_allowed(make_desk: MakeDesk, notes: Notes) -> None:
    notes.texts = 10
    desk = make_desk()
    desk.on_battery = True
    topic = desk.open("meaning")
    desk.until(lambda: desk.services.meaning.readiness.phase is Phase.PAUSED)
    desk.settle()
    assert (topic.prepared.text, notes.prepared) == ("It waits for mains power.", 0)
    assert topic.mains.toggle.isChecked()

    desk.click(topic.mains.toggle)
    desk.until(lambda: desk.services.meaning.readiness.phase is Phase.ON)

    assert notes.prepared == 10
    assert desk.saved().prepare_on_battery


def test_with_the_mains_back_it_goes_on(make_desk: MakeDesk, notes: Notes) -> None:
    notes.texts = 10
    desk = make_desk()
    desk.on_battery = True
    desk.open("meaning")
    desk.until(lambda: desk.services.meaning_rules.waits)

    desk.on_battery = False
    desk.services.meaning_rules.look()
    desk.until(lambda: desk.services.meaning.readiness.phase is Phase.ON)

    assert notes.prepared == 10


def test_a_pause_of_the_person_outlasts_the_battery(make_desk: MakeDesk, notes: Notes) -> None:
    notes.texts = 10
    desk = make_desk()
    desk.services.meaning.pause()
    desk.open("meaning")
    for on_battery in (True, False):
        desk.on_battery = on_battery
        desk.services.meaning_rules.look()
        desk.settle()

    assert desk.services.meaning.readiness.phase is Phase.PAUSED
    assert notes.prepared == 0


def test_another_model_is_prepared_for_while_the_first_pass_runs(
    make_desk: MakeDesk, notes: Notes
) -> None:
    notes.texts, notes.text_takes = 4_000, 0.001
    desk = make_desk()
    desk.services.library.open(notes.path)
    desk.until(lambda: desk.services.meaning.readiness.done > 10)

    notes.text_takes = 0
    desk.services.meaning.renew()
    desk.until(lambda: desk.services.meaning.readiness.phase is Phase.ON)

    assert notes.embeds == 2


def test_every_control_has_a_name(make_desk: MakeDesk) -> None:
    desk = make_desk()
    topic = desk.open("meaning")
    controls = (
        topic.switch.toggle,
        topic.rows["small"].mark,
        topic.panels["small"].get,
        topic.look_again,
        topic.prepare,
        topic.mains.toggle,
    )

    spoken = [
        QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name)
        for control in controls
    ]

    assert spoken == [
        "Search by meaning",
        "Small",
        "Download: Small",
        "Look again",
        "Prepare again",
        "Only on mains power",
    ]
