"""The reader's page: letter for letter, nothing loaded, the cited lines in sight."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from fakes import BAKERY_DAY
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextDocument, QTextTable
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from daybank.markdown.model import Source
from daybank.markdown.page import read_page
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import page_view
from daybank_desktop.widgets.page_view import PageView, page_text


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> PageView:
    view = PageView()
    qtbot.addWidget(view)
    view.resize(684, 500)
    view.show()
    return view


def show(view: PageView, text: str, cited: Source | None = None, marks: tuple[str, ...] = ()):
    page = read_page("memory/2026-11-18.md", text.encode("utf-8", "surrogatepass"))
    view.show_page(page, cited, marks)
    while view._is_filling:
        QApplication.processEvents()
    return page


def cite(line: int, last: int | None = None) -> Source:
    return Source("memory/2026-11-18.md", line, last or line)


def test_a_day_reads_like_a_page(view: PageView) -> None:
    show(view, BAKERY_DAY)
    text = view.toPlainText()
    assert text.startswith("Morning\n")  # the title says the day already
    assert "To keep" in text
    assert "Retain" not in text
    assert "Tomás: From December" in text
    assert "Oven 2: Worth the money." in text
    assert "90 % sure" in text
    assert "W @" not in text


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b> and <script>alert(1)</script>",
        "up to <1500 chars> of text & more &amp; more",
        '<img src="file:///etc/passwd"> <img src="http://example.com/x.png">',
        "שלום \u202eabc\u202c עולם",
        "zero\u200bwidth",
    ],
)
def test_text_is_shown_letter_for_letter(view: PageView, text: str) -> None:
    page = show(view, f"{text}\n\n## Retain\n- W @[<b>Mara</b>]: {text}\n")
    shown = view.toPlainText()
    assert page.blocks[0].text == page.blocks[2].text
    assert page.blocks[0].text in shown
    assert f"<b>Mara</b>: {page.blocks[2].text}" in shown
    if "&amp;" not in text:  # an entity is Markdown, and means a letter
        assert page.blocks[0].text == text


def test_what_qt_takes_for_structure_cannot_break_a_page(view: PageView) -> None:
    assert page_text("a\ufdd0b\ufdd1c\u2029d\ufffce\ud83dx\x00") == (
        "a\ufffdb\ufffdc\u2028d\ufffde\ufffdx\ufffd"
    )
    show(view, "one \ufdd0 two \ufdd1 three \ufffc four\n\nfive\n")
    assert "five" in view.toPlainText()


def test_nothing_is_ever_loaded(view: PageView) -> None:
    show(view, "![secret](file:///etc/passwd) ![x](../../x.png) ![y](https://example.com/y.png)\n")
    kinds = QTextDocument.ResourceType
    for kind in (kinds.ImageResource, kinds.StyleSheetResource, kinds.HtmlResource):
        assert not view.loadResource(kind.value, QUrl("file:///etc/passwd"))
    block = view.document().begin()
    while block.isValid():
        for part in block.textFormats():
            assert not part.format.isImageFormat()
        block = block.next()


def test_links_only_lead_where_they_may(view: PageView, qtbot: QtBot) -> None:
    text = (
        "See @Mara, [web](https://example.com/a), [mail](mailto:a@b.c), [file](file:///etc/passwd),"
        " [up](../../other.md), [script](javascript:alert(1)), [data](data:text/html,x)\n"
    )
    show(view, text)
    asked: list[str] = []
    for signal in (view.entity_asked, view.page_asked, view.web_asked):
        signal.connect(asked.append)
    for number in range(20):
        view.anchorClicked.emit(QUrl(str(number)))
    assert asked[:3] == ["Mara", "https://example.com/a", "mailto:a@b.c"]
    for refused in ("file:", "javascript:", "data:"):
        assert not any(link.lower().startswith(refused) for link in asked)
    view.anchorClicked.emit(QUrl("https://evil.example/"))
    view.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert not any("evil" in link or link.startswith("file") for link in asked)


def test_cited_lines_come_into_sight_and_stay_there(view: PageView, qtbot: QtBot) -> None:
    lines = "\n\n".join(f"Paragraph {n} with flour in it." for n in range(120))
    show(view, lines, cite(201), ("flour",))
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 0)
    block = view._cited_block()
    assert block is not None
    assert block.text() == "Paragraph 100 with flour in it."
    assert view._is_in_sight(block)
    view.resize(420, 300)
    qtbot.waitUntil(lambda: view._is_in_sight(block))
    assert list(view._found) == [block.blockNumber()]


def test_cited_lines_stay_in_sight_however_slowly_a_page_is_filled(
    view: PageView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_view, "PORTION_S", 0.0)
    lines = "\n\n".join(f"Paragraph {n} with flour in it." for n in range(120))
    page = read_page("memory/2026-11-18.md", lines.encode())
    view.show_page(page, cite(201), ("flour",))
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 0)
    view.resize(420, 300)
    block = view._cited_block()
    assert block is not None
    qtbot.waitUntil(lambda: view._is_in_sight(block))


def test_found_words_are_marked_in_the_cited_lines_only(view: PageView) -> None:
    show(view, "flour one\n\nFLOUR two 😀 flour\n", cite(3), ("flour",))
    assert list(view._found.values()) == [[(0, 5), (13, 18)]]


def test_a_table_is_a_table(view: PageView) -> None:
    show(view, "| a | b |\n|---|---|\n| 1 | <b>2</b> |\n\nafter\n", cite(3))
    tables = [f for f in view.document().rootFrame().childFrames() if isinstance(f, QTextTable)]
    assert [(t.rows(), t.columns()) for t in tables] == [(2, 2)]
    assert "<b>2</b>" in view.toPlainText()


def test_lists_boxes_and_code_keep_their_shape(view: PageView) -> None:
    show(view, "- [x] done\n- [ ] open\n  - inner\n3. three\n\n```\na\n  b\n```\n\n> said\n")
    text = view.toPlainText()
    for part in ("☑\tdone", "☐\topen", "inner", "3.\tthree", "a\n  b", "said"):
        assert part in text


def test_lines_broken_by_an_editor_flow_again(view: PageView) -> None:
    long = "A line that somebody's editor has broken because it had become too long\nfor it.\n"
    show(view, f"{long}\nshort\nlines\n")
    assert "too long for it." in view.toPlainText()
    assert "short\nlines" in view.toPlainText()


def big_page(lines: int = 3700) -> str:
    return "\n".join(
        f"- W @Mara: Fact number {n}, with words enough to make a line of it, and flour."
        if n % 2
        else ""
        for n in range(lines)
    )


def test_a_huge_page_shows_around_its_lines_first(view: PageView, qtbot: QtBot) -> None:
    page = read_page("memory/2026-11-18.md", big_page().encode())
    slowest = 0.0
    started = time.perf_counter()
    view.show_page(page, cite(3002))
    slowest = time.perf_counter() - started
    assert slowest < 0.2
    qtbot.waitUntil(lambda: not view._is_filling)
    assert not view.shows_all
    assert "Fact number 3001," in view.toPlainText()
    assert "Fact number 1," not in view.toPlainText()
    assert "Show the whole page, 3,700 lines" in view.toPlainText()
    with qtbot.waitSignal(view.filled, timeout=20_000):
        view.anchorClicked.emit(QUrl("all"))
    assert "Fact number 1," in view.toPlainText()
    block = view._cited_block()
    assert block is not None
    qtbot.waitUntil(lambda: view._is_in_sight(block))


def test_filling_a_huge_page_never_holds_the_window(view: PageView, qtbot: QtBot) -> None:
    page = read_page("memory/2026-11-18.md", big_page().encode())
    beats: list[float] = []
    view._filling.timeout.connect(lambda: beats.append(time.perf_counter()))
    view.show_page(page)
    with qtbot.waitSignal(view.filled, timeout=20_000):
        view.show_all()
    gaps = [b - a for a, b in pairwise(beats)]
    assert gaps
    assert max(gaps) < 0.15


def test_another_page_while_one_is_filled_in(view: PageView, qtbot: QtBot) -> None:
    page = read_page("memory/2026-11-18.md", big_page().encode())
    view.show_page(page)
    view.show_all()
    show(view, "Only this.\n")
    qtbot.wait(50)
    assert view.toPlainText() == "Only this."


def test_copying_takes_plain_text_and_knows_its_lines(view: PageView) -> None:
    show(view, "one\n\ntwo <b>\n\nthree\n")
    view.selectAll()
    mime = view.createMimeDataFromSelection()
    assert mime.text() == "one\ntwo <b>\nthree"
    assert not mime.hasHtml()
    assert view.selection() == ("one\ntwo <b>\nthree", 1, 5)


def test_a_tooltip_of_a_link_is_plain(view: PageView, qtbot: QtBot) -> None:
    show(view, "[x](https://example.com/<b>)\n")
    assert view.link_at(QPoint(0, 0)) is None


def test_it_is_read_only_and_takes_no_drops(view: PageView, qtbot: QtBot) -> None:
    show(view, "text\n")
    qtbot.keyClick(view, Qt.Key.Key_A)
    assert view.toPlainText() == "text"
    assert not view.acceptDrops()
