"""The opinions page, from its list to what is pressed, undone and saved."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from opinions_tools import (
    TODAY,
    VOICE,
    OpinionsWorkspace,
    bakery_opinions,
    many_opinions,
    opinion,
    step,
)
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from daybank.errors import IndexBusy, ProposalRefused
from daybank.markdown.model import Source
from daybank_desktop.models.opinions_model import FoldRow, OpinionOrder
from daybank_desktop.pages.opinions_page import OpinionPlace, OpinionsPage
from daybank_desktop.services.library import Library
from daybank_desktop.services.opinions import OpinionRow, Opinions
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme

JOURNAL = (Source("memory/2026-11-20.md", 12, 12), "f-91c2d0aa11ff")


class Desk:
    """The page with everything behind it, over a workspace in memory."""

    def __init__(self, qtbot: QtBot, workspace: OpinionsWorkspace) -> None:
        self.qtbot = qtbot
        self.workspace = workspace
        self.file = ""
        self.asked_for: list[str] = []
        self.tasks = Tasks()
        self.bugs: list[object] = []
        self.tasks.bug.connect(self.bugs.append)
        self.library = Library(self.tasks, lambda path: workspace)  # type: ignore[arg-type,return-value]
        self.opinions = Opinions(self.tasks, self.library, TODAY)
        self.page = OpinionsPage(
            self.tasks, self.library, self.opinions, TODAY, choose_file=self._choose
        )
        self.toasts: list[tuple[str, str, object]] = []
        self.page.toast_requested.connect(lambda *toast: self.toasts.append(toast))
        qtbot.addWidget(self.page)
        self.page.resize(1154, 652)
        self.page.show()

    def _choose(self, parent: QWidget, title: str, name: str, pattern: str) -> str:
        self.asked_for.append(name)
        return self.file

    def open(self) -> None:
        self.library.open(Path("/notes"))
        self.qtbot.waitUntil(lambda: self.workspace.reads > 0)
        self.settle()

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: self.tasks.is_idle and not self.library.is_syncing)

    def statements(self) -> list[str]:
        return [
            row.opinion.statement if isinstance(row, OpinionRow) else f"({row.count})"
            for row in self.page.model.rows
        ]

    def type(self, text: str) -> None:
        self.page.filter.edit.setFocus()
        self.qtbot.keyClicks(self.page.filter.edit, text)
        self.qtbot.keyClick(self.page.filter.edit, Qt.Key.Key_Return)

    def close(self) -> None:
        self.library.stop()
        assert self.tasks.shutdown()
        self.library.close()
        assert not self.bugs


@pytest.fixture
def workspace() -> OpinionsWorkspace:
    return OpinionsWorkspace()


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, workspace: OpinionsWorkspace) -> Iterator[Desk]:
    desk = Desk(qtbot, workspace)
    desk.open()
    yield desk
    desk.close()


def test_the_list_is_the_newest_first_and_what_is_over_folded_at_its_end(desk: Desk) -> None:
    assert desk.statements() == [
        "Prefers a short voice message over a long text",
        "Keeps his word on prices",
        "Draws best when left alone",
        "(1)",
    ]
    detail = desk.page.detail
    assert detail.statement == "Prefers a short voice message over a long text"
    assert detail.percent_words == "81\u00a0%"
    assert detail.sure_words == "quite sure, 6 points up since September"
    assert [link.text() for link in detail.people()] == ["Mara"]


def test_rows_are_said_in_full_sentences(desk: Desk) -> None:
    def said(row: int) -> str:
        index = desk.page.model.index(row, 0)
        return str(index.data(Qt.ItemDataRole.AccessibleTextRole))

    assert said(0) == (
        "Prefers a short voice message over a long text. Mara. 81\u00a0% · quite sure. 6 points up."
    )
    assert said(2).endswith("60\u00a0% · fairly sure. unchanged. not on a page yet.")
    assert said(3) == "No longer held · 1. folded away."


def test_the_whole_story_by_keyboard(desk: Desk, qtbot: QtBot) -> None:
    page = desk.page
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    desk.type("prices")
    assert page.list.hasFocus()
    assert desk.statements() == ["Keeps his word on prices"]
    with qtbot.waitSignal(page.place_changed) as opened:
        qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert opened.args == [OpinionPlace("op-00000002")]
    qtbot.keyClick(page.list, Qt.Key.Key_Up)
    assert page.filter.edit.hasFocus()
    qtbot.keyClick(page.filter.edit, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(desk.statements()) == 4)
    qtbot.keyClick(page.filter.edit, Qt.Key.Key_Down)
    assert page.detail.statement == "Keeps his word on prices"  # it stays, whatever is filtered
    qtbot.keyClick(page.list, Qt.Key.Key_Home)
    assert page.detail.statement == "Prefers a short voice message over a long text"
    chart = page.detail.chart
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert page.detail.readout.text == (
        "First written  Thu 12 Mar 2026  70\u00a0%  “Mara answers voice messages first.”"
    )
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    expected = "Contradicts  Wed 8 Jul 2026  73 → 59\u00a0%  “Please write it down.”"
    assert page.detail.readout.text == expected
    assert chart.accessibleDescription() == (
        "Contradicts. Wed 8 Jul 2026. 73 → 59\u00a0%. “Please write it down.”."
    )
    qtbot.keyClick(chart, Qt.Key.Key_End)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert page.detail.readout.text == "Set by hand  Thu 10 Sept 2026  56 → 75\u00a0%"
    assert page.detail.readout.open_button.isHidden()
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    with qtbot.waitSignal(page.source_requested) as asked:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert asked.args == [JOURNAL]


def test_the_readout_and_the_evidence_lead_to_their_days(desk: Desk, qtbot: QtBot) -> None:
    page = desk.page
    with qtbot.waitSignal(page.source_requested) as asked:
        page.detail.readout.open_button.click()
    assert asked.args == [JOURNAL]
    supporting, opposing = page.detail.evidence.supporting, page.detail.evidence.opposing
    assert [item.change for item in supporting.items] == ["+6", "+3"]
    assert [item.change for item in opposing.items] == ["−3", "−14"]
    assert [item.place for item in opposing.items] == ["Journal", "Journal"]
    with qtbot.waitSignal(page.source_requested) as asked:
        qtbot.keyClick(opposing.rows[1], Qt.Key.Key_Return)
    assert asked.args == [(Source("memory/2026-07-08.md", 12, 12), "f-91c2d0aa11ff")]


def test_a_day_with_two_moves_is_one_mark_that_tells_both(desk: Desk) -> None:
    day = date(2026, 11, 25)
    moves = (
        step(day, 0.62, -0.19, "set"),
        step(day, 0.55, -0.07, "contradicts", "Please write it down."),
    )
    desk.workspace.held[0] = opinion(steps=(*VOICE, *moves))
    desk.library.changed.emit()
    desk.settle()
    assert len(desk.page.detail.points) == len(VOICE) + 1
    assert desk.page.detail.readout.text == (
        "Contradicts  Wed 25 Nov 2026  81 → 55\u00a0%  "
        "Set by hand, 62\u00a0% · Contradicts, 55\u00a0%: “Please write it down.”"
    )


def test_what_moves_nothing_is_listed_with_the_reason(desk: Desk) -> None:
    idle = desk.page.detail.evidence.idle
    assert [item.reason for item in idle.items] == [
        "Moves nothing, because the same note counts once.",
        "Moves nothing, because it names no day and no note.",
    ]
    assert [item.content for item in idle.items] == ["Asked me to talk.", "She said so at the fair"]
    assert desk.page.detail.evidence.idle.isVisible()
    desk.page.list.select_row(1)
    assert not desk.page.detail.evidence.idle.isVisible()


def test_a_person_leads_to_their_page(desk: Desk, qtbot: QtBot) -> None:
    with qtbot.waitSignal(desk.page.page_requested) as asked:
        desk.page.detail.people()[0].click()
    assert asked.args == ["people", "Mara"]


@pytest.mark.parametrize(
    ("button", "move", "said"),
    [
        ("agree", "agree", "Saved in Opinions: you agree"),
        ("disagree", "disagree", "Saved in Opinions: you disagree"),
        ("no_longer", "no_longer_true", "Saved in Opinions: no longer true"),
    ],
)
def test_a_move_is_written_at_once_and_undone_from_the_toast(
    desk: Desk, button: str, move: str, said: str
) -> None:
    getattr(desk.page.detail, button).click()
    assert not desk.page.detail.agree.isEnabled()  # until it is written
    desk.settle()
    assert desk.workspace.moves == [("op-00000001", move)]
    text, action, undo = desk.toasts[-1]
    assert (text, action) == (said, "Undo")
    assert desk.page.detail.shown_row is not None
    assert desk.page.detail.shown_row.opinion == desk.workspace.held[0]
    undo()  # type: ignore[operator]
    desk.settle()
    assert desk.workspace.held == bakery_opinions()
    assert desk.page.detail.percent_words == "81\u00a0%"
    assert desk.toasts[-1][:2] == ("Taken back", "")


def test_set_by_hand_asks_how_sure(desk: Desk, qtbot: QtBot) -> None:
    desk.page.detail.set_by_hand.click()
    dialog = desk.page.dialog
    assert dialog is not None
    assert dialog.percent == 81
    for _ in range(2):
        qtbot.keyClick(dialog.sure.slider, Qt.Key.Key_PageDown)
    assert dialog.set_button.text() == "Set to 61\u00a0%"
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    desk.settle()
    assert desk.workspace.moves == [("op-00000001", 0.61)]
    assert desk.toasts[-1][0] == "Saved in Opinions: set to 61\u00a0%"
    assert desk.page.detail.readout.text.startswith("Set by hand  Sat 28 Nov 2026  81 → 61")
    assert desk.page.dialog is None


def test_escape_leaves_it_as_it_is(desk: Desk, qtbot: QtBot) -> None:
    desk.page.detail.set_by_hand.click()
    dialog = desk.page.dialog
    assert dialog is not None
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    desk.settle()
    assert desk.workspace.moves == []


def test_a_refused_move_says_why_and_can_be_tried_again(desk: Desk) -> None:
    desk.workspace.move_error = ProposalRefused(
        "This opinion has no place for that.", "Nothing was changed."
    )
    desk.page.detail.agree.click()
    desk.settle()
    notice = desk.page.detail.notice
    assert notice.text == "This opinion has no place for that. Nothing was changed."
    assert notice.isVisible()
    assert desk.page.detail.agree.isEnabled()
    assert desk.toasts == []
    desk.workspace.move_error = None
    desk.page.detail.agree.click()
    desk.settle()
    assert not notice.isVisible()


def test_an_undo_that_is_refused_says_why(desk: Desk) -> None:
    desk.page.detail.agree.click()
    desk.settle()
    desk.workspace.undo_error = ProposalRefused("Its lines were edited since.")
    desk.toasts[-1][2]()  # type: ignore[operator]
    desk.settle()
    assert desk.page.detail.notice.text == "Its lines were edited since."


def test_what_is_over_unfolds_and_leads_to_what_took_its_place(desk: Desk, qtbot: QtBot) -> None:
    page = desk.page
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_End)
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert desk.statements()[-2:] == ["(1)", "Would rather repair the old oven"]
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    assert page.detail.statement == "Would rather repair the old oven"
    assert page.detail.notice.text == "Another opinion took its place."
    assert not page.detail.agree.isEnabled()
    page.detail.notice.acted.emit()
    assert page.detail.statement == "Prefers a short voice message over a long text"
    page.list.select_row(4)
    qtbot.keyClick(page.list, Qt.Key.Key_Up)
    qtbot.keyClick(page.list, Qt.Key.Key_Space)
    assert len(desk.statements()) == 4
    assert page.detail.statement == "Prefers a short voice message over a long text"


def test_an_opinion_of_a_log_says_that_it_is_on_no_page(desk: Desk) -> None:
    desk.page.list.select_row(2)
    detail = desk.page.detail
    assert detail.notice.text.startswith("This is not on a page yet.")
    assert detail.agree.isEnabled()
    assert len(detail.points) == 1
    assert detail.sure_words == "fairly sure"
    assert detail.readout.text == (
        "First written  Sun 1 Nov 2026  60\u00a0%  “Jun draws best alone.”"
    )


def test_the_list_can_be_about_one_person_and_in_another_order(desk: Desk) -> None:
    menu = desk.page._fill_names()
    words = [action.text() for action in menu.actions() if action.text()]
    assert words == ["Anyone", "Jun", "Mara", "Tomás"]
    next(action for action in menu.actions() if action.text() == "Tomás").trigger()
    assert desk.statements() == ["Keeps his word on prices"]
    assert desk.page.about.text() == "About Tomás"
    desk.page._fill_names().actions()[0].trigger()
    desk.page._orders.actions()[2].trigger()
    assert desk.page.model.order is OpinionOrder.LEAST_SURE
    assert desk.page.order.text() == "Least sure first"
    assert desk.statements()[0] == "Draws best when left alone"


def test_no_fit_says_so_and_offers_all(desk: Desk) -> None:
    desk.type("kiln")
    empty = desk.page.empty_state
    assert empty is not None
    assert empty._title.text() == "No opinion fits"
    assert empty._text.text() == "No statement and no name has “kiln”. Try another word."
    assert not desk.page.detail.isVisible()
    empty.button.click()
    assert desk.page.empty_state is None
    assert len(desk.statements()) == 4


def test_without_opinions_it_says_what_to_do(qtbot: QtBot, theme: Theme) -> None:
    desk = Desk(qtbot, OpinionsWorkspace(held=[]))
    desk.open()
    empty = desk.page.empty_state
    assert empty is not None
    assert empty._title.text() == "No opinions yet"
    with qtbot.waitSignal(desk.page.write_down_requested):
        empty.button.click()
    assert not desk.page.detail.isVisible()
    desk.close()


def test_grey_bars_come_only_when_it_takes_long(qtbot: QtBot, theme: Theme) -> None:
    desk = Desk(qtbot, OpinionsWorkspace(read_takes=0.7))
    desk.library.open(Path("/notes"))
    qtbot.wait(100)
    assert not desk.page.is_loading_shown
    qtbot.waitUntil(lambda: desk.page.is_loading_shown)
    qtbot.waitUntil(lambda: len(desk.page.model.rows) == 4)
    assert not desk.page.is_loading_shown
    desk.settle()
    desk.close()


def test_a_failure_is_a_card_and_can_be_tried_again(qtbot: QtBot, theme: Theme) -> None:
    broken = OpinionsWorkspace(read_error=IndexBusy("Another Daybank is reading."))
    desk = Desk(qtbot, broken)
    desk.open()
    card = desk.page.error_card
    assert card is not None
    assert card.accessibleName() == "Another Daybank is reading."
    assert not desk.page.detail.isVisible()
    desk.workspace.read_error = None
    card.primary_clicked.emit()
    desk.settle()
    assert desk.page.error_card is None
    assert len(desk.statements()) == 4
    desk.close()


def test_changed_notes_keep_what_is_looked_at(desk: Desk) -> None:
    desk.page.list.select_row(1)
    newer = replace(desk.workspace.held[2], id="op-99999999", superseded_by=None, updated=TODAY)
    desk.workspace.held.insert(0, newer)
    desk.library.changed.emit()
    desk.settle()
    assert len(desk.statements()) == 5
    assert desk.page.detail.statement == "Keeps his word on prices"
    assert desk.page.list.current_row is not None
    assert desk.page.list.current_row.opinion.id == "op-00000002"


def test_a_page_out_of_sight_reads_when_it_is_seen(desk: Desk, qtbot: QtBot) -> None:
    desk.page.hide()
    before = desk.workspace.reads
    desk.library.changed.emit()
    desk.settle()
    assert desk.workspace.reads == before
    desk.page.show()
    desk.settle()
    assert desk.workspace.reads == before + 1


def test_a_place_is_shown_again_and_a_name_narrows_the_list(desk: Desk) -> None:
    desk.page.show_place(OpinionPlace("op-00000002"), False)
    assert desk.page.detail.statement == "Keeps his word on prices"
    assert desk.page.place == OpinionPlace("op-00000002")
    desk.page.show_place("op-00000003", False)  # folded away
    assert desk.page.detail.statement == "Would rather repair the old oven"
    desk.page.show_place("Jun", False)
    assert desk.statements() == ["Draws best when left alone"]
    assert desk.page.place == OpinionPlace("op-00000004", "Jun")
    desk.page.show_place(OpinionPlace("op-00000001"), True)
    assert desk.page.detail.statement == "Prefers a short voice message over a long text"
    desk.page.show_place(None, True)
    assert desk.page.detail.statement == "Prefers a short voice message over a long text"


def test_a_place_that_is_asked_for_early_is_shown_when_it_is_read(
    qtbot: QtBot, theme: Theme
) -> None:
    desk = Desk(qtbot, OpinionsWorkspace())
    desk.page.hide()
    desk.library.open(Path("/notes"))
    desk.settle()
    desk.page.show_place("op-00000002", False)
    desk.page.show()
    desk.settle()
    assert desk.page.detail.statement == "Keeps his word on prices"
    desk.close()


def test_the_table_has_the_same_data_as_the_chart(desk: Desk, qtbot: QtBot) -> None:
    detail = desk.page.detail
    detail.table_button.click()
    assert detail.table.isVisible()
    assert not detail.chart.isVisible()
    assert detail.table_button.accessibleName() == "Show as chart"
    model = detail.table.model()
    cells = [[model.index(r, c).data() for c in range(6)] for r in range(model.rowCount())]
    assert len(cells) == len(VOICE)
    assert cells[2] == [
        "8 Jul 2026",
        "Contradicts",
        "59\u00a0%",
        "−14",
        "speaks against it",
        "Please write it down.",
    ]
    detail.table.setFocus()
    qtbot.keyClick(detail.table, Qt.Key.Key_Up)
    assert detail.readout.text.startswith("Set by hand  Thu 10 Sept 2026")
    assert detail.chart.current == 4


@pytest.mark.parametrize("kind", ["png", "svg", "csv"])
def test_the_chart_and_its_numbers_are_saved(desk: Desk, tmp_path: Path, kind: str) -> None:
    desk.file = str(tmp_path / f"Curve.{kind}")
    desk.page.detail.export_asked.emit(kind)
    desk.settle()
    assert desk.asked_for == [f"Prefers a short voice message over a long text.{kind}"]
    assert desk.toasts[-1] == (f"Saved as “Curve.{kind}”", "", None)
    data = Path(desk.file).read_bytes()
    if kind == "png":
        image = QImage.fromData(data)
        assert image.width() == 1800
        assert len({image.pixel(x, y) for x in range(0, 1800, 7) for y in range(0, 700, 7)}) > 5
    elif kind == "svg":
        words = "".join(ElementTree.fromstring(data).itertext())
        assert "Prefers a short voice message over a long text" in words
        assert "Contradicts" in words
    else:
        rows = list(csv.reader(data.decode("utf-8-sig").splitlines()))
        assert len(rows) == len(VOICE) + 1


def test_a_dialog_that_was_left_saves_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.page.detail.export_asked.emit("csv")
    desk.settle()
    assert desk.toasts == []


def test_a_file_that_cannot_be_saved_is_a_sentence(desk: Desk, tmp_path: Path) -> None:
    desk.file = str(tmp_path / "missing" / "Curve.csv")
    desk.page.detail.export_asked.emit("csv")
    desk.settle()
    assert "“Curve.csv” could not be saved." in desk.page.detail.notice.text
    assert "Your notes were not touched." in desk.page.detail.notice.text


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b> <1500 chars> & more",
        '<img src="file:///etc/passwd">',
        "שלום \u202eabc\u202c",
        "a\u200bb",
        "word " * 300 + "x" * 300,
    ],
)
def test_markup_is_text_everywhere(qtbot: QtBot, theme: Theme, text: str, tmp_path: Path) -> None:
    odd = opinion(
        text, [text], (step(date(2026, 1, 2), 0.6, note=text), *VOICE[3:]), evidence=(text,)
    )
    desk = Desk(qtbot, OpinionsWorkspace(held=[odd]))
    desk.open()
    detail = desk.page.detail
    assert detail.statement == text
    detail.chart.set_current(0)
    assert text.strip() in detail.readout.text
    assert detail.people()[0].accessibleName() == text
    assert detail.evidence.idle.items[0].content == text
    detail.table_button.click()
    assert detail.table.model().index(0, 5).data() == text
    with qtbot.waitSignal(desk.page.page_requested) as asked:
        detail.people()[0].click()
    assert asked.args == ["people", text]
    names = [action.text().replace("&&", "&") for action in desk.page._fill_names().actions()]
    assert text[:30] in names[-1]
    desk.file = str(tmp_path / "odd.svg")
    detail.export_asked.emit("svg")
    desk.settle()
    ElementTree.parse(desk.file)
    desk.page.grab()
    desk.close()


def test_on_a_narrow_window_list_and_opinion_take_turns(desk: Desk, qtbot: QtBot) -> None:
    page = desk.page
    page.resize(700, 600)
    qtbot.waitUntil(lambda: not page.detail.isVisible())
    assert page.list.isVisible()
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert page.detail.isVisible()
    assert not page.list.isVisible()
    page.detail.back.click()
    assert page.list.isVisible()
    assert not page.detail.isVisible()
    page.resize(1154, 652)
    assert page.detail.isVisible()
    assert page.list.isVisible()


def test_large_text_takes_turns_too(desk: Desk, theme: Theme) -> None:
    theme.set_text_size(150)
    assert not desk.page.detail.isVisible()
    desk.page.grab()
    theme.set_text_size(100)
    assert desk.page.detail.isVisible()


def test_ten_thousand_opinions_open_scroll_and_filter_smoothly(qtbot: QtBot, theme: Theme) -> None:
    desk = Desk(qtbot, OpinionsWorkspace(held=many_opinions(10_000)))
    beats: list[float] = []
    heart = QTimer(interval=5)
    heart.timeout.connect(lambda: beats.append(time.monotonic()))
    heart.start()
    desk.open()
    page = desk.page
    assert len(page.model.rows) == 10_000
    assert page.list.uniformItemSizes()
    bar = page.list.verticalScrollBar()
    for at in range(0, bar.maximum(), bar.maximum() // 40):
        bar.setValue(at)
        qtbot.wait(6)
    desk.type("statement 9999")
    assert [row.opinion.id for row in page.model.rows] == ["op-0000270f"]  # type: ignore[union-attr]
    heart.stop()
    gaps = [b - a for a, b in pairwise(beats)]
    assert max(gaps) < 0.4  # room for a busy machine
    assert not any("MainThread" in name for name in desk.workspace.threads)
    desk.close()


def test_a_fold_is_a_row_of_its_own(desk: Desk) -> None:
    assert isinstance(desk.page.model.rows[-1], FoldRow)
    assert desk.page.list.current_row is not None
    desk.page.list.select_row(3)
    assert desk.page.list.current_row is None
    assert desk.page.detail.shown_row is not None  # what was read stays
