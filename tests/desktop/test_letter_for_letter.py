"""What people write is shown letter for letter, on every page and in every dialog, and nothing in
the window is left to guess whether it is markup."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from desk_tools import Notes, evidence
from PySide6 import QtGui
from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from daybank import Workspace, open_workspace
from daybank.clock import FixedClock
from daybank.reflect.record import Proposed, ReflectionReport, Skipped
from daybank.review.proposal import Phase
from daybank_desktop.app import App
from daybank_desktop.dialogs.command_palette import CommandPalette
from daybank_desktop.dialogs.reflection_report import ReflectionReportDialog
from daybank_desktop.dialogs.review_dialog import ReviewDialog
from daybank_desktop.dialogs.write_down import WriteDownDialog
from daybank_desktop.options import Options
from daybank_desktop.widgets.confirm import ConfirmDialog
from daybank_desktop.widgets.diff_view import DiffView

CLOCK = FixedClock(datetime(2026, 11, 28, 9, tzinfo=UTC))
TEXTS = {
    "markup": "<b>bold</b> & more",
    "limit": "<1500 chars>",
    "picture": '<img src="file:///etc/hostname">',
    "direction": "abc \u202edef\u202c שלום",
    "no width": "a\u200bb\u2060c",
}


def folder_with(root: Path, text: str) -> Notes:
    """A folder in which everything a person can name or say is ``text``."""
    notes = Notes(root)
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    notes.write("bank/entities/odd.md", f'---\ntitle: "{quoted}"\ntype: "{quoted}"\n---\n# Odd\n')
    for day in (19, 20, 21):
        lines = (
            f"- W @[{text}] @Jun: Brought `{text}` on day {day}.",
            f"- O(c=0.8) @[{text}]: Prefers `{text}` in the morning.",
        )
        notes.write(f"memory/2026-11-{day}.md", "\n".join(("## Retain", *lines, "")))
    notes.write("memory.md", f"# Core\n\n- One {text}\n- Two\n")
    hunk = notes.replacing(
        "memory.md", "- Two", f"- Three {text}", evidence=(evidence(f"Says {text}", "supports"),)
    )
    notes.suggest("memory.md", hunk, reason=f"Because of {text}")
    return notes


@pytest.fixture(params=TEXTS.values(), ids=list(TEXTS))
def text(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication, tmp_path: Path, text: str) -> Iterator[App]:
    notes = folder_with(tmp_path / "notes <b>", text)

    def opened(path: Path) -> Workspace:
        return open_workspace(path, clock=CLOCK, choose_embedder=lambda: None)

    app = App(
        qapp,
        Options(workspace=str(notes.root), search="Brought", theme="light"),
        config=tmp_path / "config",
        clock=CLOCK,
        environ={},
        opener=opened,
    )
    app.start()
    app.window.resize(1366, 768)
    qtbot.waitUntil(lambda: app.library.workspace is not None and not app.library.is_syncing)
    yield app
    app.end()
    app.window.close()
    app.window.deleteLater()
    app.theme.deleteLater()
    app.deleteLater()


def said(root: QWidget) -> Iterator[str]:
    """Every text that is in sight in ``root``."""
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        if isinstance(widget, QLabel | QLineEdit):
            yield widget.text()
        elif isinstance(widget, QAbstractButton):
            yield widget.text().replace("&&", "&")
            yield widget.accessibleName()
        elif isinstance(widget, QTextEdit | QPlainTextEdit):
            yield widget.toPlainText()
        elif isinstance(widget, DiffView):
            laid = widget._layout_for(float(widget.width()))
            yield from (cell.layout.text() for cell in laid.cells)
        elif isinstance(widget, QAbstractItemView):
            for index in _indexes(widget.model()):
                yield str(index.data() or "")
                yield str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")
        else:
            yield widget.accessibleName()


def _indexes(model: QAbstractItemModel) -> Iterator[QModelIndex]:
    for row in range(model.rowCount()):
        for column in range(model.columnCount() if isinstance(model, QAbstractTableModel) else 1):
            yield model.index(row, column)


def nothing_guesses(root: QWidget) -> None:
    """Labels are said to be plain; tooltips are plain to Qt's eye, or have no markup but ours."""
    QToolTip.hideText()
    found = (root, *root.findChildren(QWidget))
    for widget in [w for w in found if w.objectName() != "qtooltip_label"]:
        if isinstance(widget, QLabel):
            assert widget.textFormat() is Qt.TextFormat.PlainText, widget.text()
        _plain(widget.toolTip())
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            for index in _indexes(widget.model()):
                _plain(str(index.data(Qt.ItemDataRole.ToolTipRole) or ""))
        if isinstance(widget, QLabel) and widget.isVisible():
            middle = widget.rect().center()
            point = widget.mapToGlobal(middle)
            QApplication.sendEvent(widget, QHelpEvent(QHelpEvent.Type.ToolTip, middle, point))
            _plain(QToolTip.text())
    QToolTip.hideText()


def _plain(tooltip: str) -> None:
    if QtGui.Qt.mightBeRichText(tooltip):
        inner = re.fullmatch(r"<span>(.*)</span>", tooltip, re.DOTALL)
        assert inner is not None, tooltip
        assert html.escape(html.unescape(inner[1])) == inner[1]


def look(qtbot: QtBot, app: App, page: str, is_there: Callable[[], bool]) -> QWidget:
    app.window.commands.run(f"page.{page}")
    qtbot.waitUntil(is_there, timeout=10_000)
    qtbot.waitUntil(lambda: app.tasks.is_idle, timeout=10_000)
    nothing_guesses(app.window)
    app.window.grab()
    return app.window


def test_every_page_shows_text_letter_for_letter(app: App, qtbot: QtBot, text: str) -> None:
    search, people, opinions = app.search_page, app.curated.people, app.curated.opinions
    window = app.window
    look(qtbot, app, "search", lambda: search.reader.page is not None)
    assert any(f"Brought {text} on day" in words for words in said(search.list))
    assert f"Brought {text} on day" in search.reader.view.toPlainText()

    phrase = "zzqq " + text.replace('"', "'")
    app.ask(f'"{phrase}"')
    qtbot.waitUntil(lambda: search.empty_state is not None)
    assert any(phrase in words for words in said(search))
    nothing_guesses(window)

    window.go("people", text)
    look(qtbot, app, "people", lambda: people.portrait is not None)
    assert people._name.text() == text
    assert text in list(said(people.list))
    assert any(f"Brought {text} on day" in words for words in said(people.fact_list))
    assert text in people.timeline.readout.text
    people.names_button.click()
    people.question.ask(text)
    people.names.show_error(text)
    nothing_guesses(window)
    assert [w for w in said(people.names) if text in w]
    window.go("people", "Nobody " + text)
    qtbot.waitUntil(lambda: people.state == "empty")
    assert any("Nobody " + text in words for words in said(people))
    nothing_guesses(window)

    look(qtbot, app, "opinions", lambda: opinions.detail.shown_row is not None)
    assert f"Prefers {text} in the morning" in opinions.detail.statement
    assert text in [button.accessibleName() for button in opinions.detail.people()]
    assert any(text in words for words in said(opinions.list))
    opinions.detail.show_error(text)
    opinions.filter.set_text("zz " + text)
    qtbot.waitUntil(lambda: opinions.empty_state is not None)
    assert any(text in words for words in said(opinions.empty_state or opinions))
    nothing_guesses(window)

    review = app.curated.review
    look(qtbot, app, "review", lambda: bool(review.view.cards))
    words = list(said(review))
    for expected in (f"- Three {text}", f"Because of {text}", f"Says {text}"):
        assert any(expected in found for found in words), expected
    review.view.cards[0].edit.click()
    assert review.view.cards[0].editor.toPlainText() == f"- Three {text}"
    review.view.show_notice(text)
    review.notice.set_content(text, "negative")
    review.notice.show()
    nothing_guesses(window)


def test_every_dialog_and_message_does_too(app: App, qtbot: QtBot, text: str) -> None:
    window, curated = app.window, app.curated
    look(qtbot, app, "opinions", lambda: curated.opinions.detail.shown_row is not None)

    def check(dialog: QDialog) -> None:
        dialog.show()
        qtbot.waitUntil(lambda: app.tasks.is_idle, timeout=10_000)
        assert any(text in words for words in said(dialog)), type(dialog).__name__
        nothing_guesses(dialog)
        dialog.grab()
        dialog.close()

    curated.opinions.detail.set_asked.emit()
    dialog = curated.opinions.dialog
    assert dialog is not None
    check(dialog)
    report = ReflectionReport(
        id="r-1",
        started=CLOCK.moment,
        finished=CLOCK.moment,
        proposed=(Proposed("memory.md", Phase.CORE, text, "p-1", True, 0.9),),
        skipped=(Skipped(Phase.OPINIONS, "memory/2026-11-14.md#L2", text, text),),
        skipped_in_all=1,
    )
    listed = ReflectionReportDialog((report,), CLOCK.today(), report, window)
    check(listed)
    listed.parts.part("skipped").click()
    check(listed)
    check(ReviewDialog(curated.review_service, (), window))
    check(ConfirmDialog(text, text, text, items=(text,), parent=window))
    note = WriteDownDialog((text,), window)
    note.set_text(text)
    note.show_error(text)
    check(note)
    palette = CommandPalette(window.commands, lambda found: None, window)
    palette.edit.setText(text)
    palette.edit.textEdited.emit(text)
    check(palette)

    for say in (
        lambda: window.show_toast(text, "Undo"),
        lambda: app.search_page.show_trouble(text, text, text),
        lambda: app.search_page.show_problem(text, text, primary="Try again"),
        lambda: window.status.set_state(text, "state.error", "negative"),
    ):
        window.go("search", text)
        say()
        assert any(text in words for words in said(window))
        nothing_guesses(window)
        window.grab()
    assert window.toast.text == text
    assert "notes &lt;b&gt;" in window.sidebar.folder_button.toolTip()
