"""A page of the notes, shown read-only.

The document is built block by block with cursors and formats; a person's text never passes through
HTML or Markdown on its way. Nothing is ever loaded from anywhere: a page has text and links, and a
link is only a number into our own list. GUI thread; a page arrives ready parsed, a long one is
shown around its cited lines first and filled in small portions when the whole is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QLocale,
    QMimeData,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    QTimer,
    QUrl,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextOption,
    QTextTableFormat,
)
from PySide6.QtWidgets import QFrame, QMenu, QTextBrowser, QTextEdit, QToolTip, QWidget

from daybank.markdown.model import Block, BlockKind, Page, Source, Span
from daybank_desktop import phrases
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.quiet_scroll_bar import QuietScrollBar
from daybank_desktop.widgets.tooltip import plain_tooltip

LEFT, RIGHT, TOP, BOTTOM = 40, 14, 18, 28
COLUMN = 640
FACT_INDENT = 34
BAR_GAP = 14  # from the bar of a cited line to the text

AROUND_BEFORE, AROUND_AFTER = 120, 200
WHOLE_UP_TO = 400  # blocks; longer pages begin with a part
ROWS_IN_TABLE = 60
WRAPPED_FROM = 56  # a line this long was broken by an editor, not by its writer
BELOW_CITED = 30  # blocks that are there when the cited lines come into sight
PORTION_S = 0.004
SCROLL_TRIES, SCROLL_AGAIN_MS = 50, 20

_BLOCK = int(QTextFormat.Property.UserProperty) + 1
_LOOK = int(QTextFormat.Property.UserProperty) + 2
_ALL = "all"
_WEB = ("http:", "https:", "mailto:")

# What Qt's text engine would take for structure of its own, and breaks inside one block.
_STRUCTURE = {
    0x0A: "\u2028",
    0x0B: "\u2028",
    0x0C: "\u2028",
    0x0D: "",
    0x2029: "\u2028",
    0xFDD0: "\ufffd",
    0xFDD1: "\ufffd",
    0xFFFC: "\ufffd",
}
_STRUCTURE.update(
    {code: "\ufffd" for code in range(0x20) if code not in (0x09, 0x0A, 0x0B, 0x0C, 0x0D)}
)


def page_text(text: str) -> str:
    """``text`` as it can stand in a document: letter for letter, breaks as line breaks."""
    if text.isascii() and text.isprintable():
        return text
    clean = text.replace("\r\n", "\n").translate(_STRUCTURE)
    return clean.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class _Shown:
    """Which part of a page is in the document."""

    first: int
    last: int


class PageView(QTextBrowser):
    """Shows a Page. Says by signal where a link leads; opens nothing by itself."""

    entity_asked = Signal(str)
    page_asked = Signal(str)
    web_asked = Signal(str)
    filled = Signal()  # all that is to be shown is in the document

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._page: Page | None = None
        self._cited: Source | None = None
        self._marks: tuple[str, ...] = ()
        self._asked_marks: tuple[str, ...] = ()
        self._links: list[str] = []
        self._found: dict[int, list[tuple[int, int]]] = {}
        self._queue: Iterator[Sequence[int]] | None = None
        self._wants_cited = False
        self._enough = 0
        self._shows_all = False
        self._fresh = True
        self._was_list = False
        self._scroll_tries = SCROLL_TRIES
        self._filling = QTimer(self, interval=0)
        self._filling.timeout.connect(self._fill_portion)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setAcceptDrops(False)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBar(QuietScrollBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setAccessibleName(self.tr("Page"))
        self.anchorClicked.connect(self._follow)
        self._theme.changed.connect(self._restyle)

    # What is shown

    @property
    def page(self) -> Page | None:
        return self._page

    @property
    def cited(self) -> Source | None:
        return self._cited

    @property
    def marks(self) -> tuple[str, ...]:
        return self._asked_marks

    @property
    def shows_all(self) -> bool:
        return self._shows_all

    def show_page(self, page: Page, cited: Source | None = None, marks: Sequence[str] = ()) -> None:
        """Show ``page``, with ``cited`` lines marked and brought into sight."""
        self._page, self._cited = page, cited
        self._asked_marks = tuple(marks)
        self._marks = tuple(mark.casefold() for mark in marks if mark.strip())
        self._shows_all = len(page.blocks) <= WHOLE_UP_TO
        self._build()

    def show_all(self) -> None:
        """Fill in what a long page left out."""
        if self._page is not None and not self._shows_all:
            self._shows_all = True
            self._build()

    def clear_page(self) -> None:
        self._page = None
        self._stop_filling()
        self.clear()

    def show_cited(self) -> None:
        """Bring the cited lines into sight; without any, the top."""
        block = self._cited_block()
        if block is None:
            self.verticalScrollBar().setValue(0)
            return
        rect = self._rect(block)
        height = self.viewport().height()
        room = max(0.0, height - rect.height())
        self.verticalScrollBar().setValue(round(rect.top() - min(room / 2, height * 0.35)))
        if not self._is_in_sight(block) and self._scroll_tries > 0:
            # The document is laid out in portions, and the scroll bar does not reach there yet.
            self._scroll_tries -= 1
            QTimer.singleShot(SCROLL_AGAIN_MS, self, self._scroll_on)
        else:
            self._scroll_tries = SCROLL_TRIES

    def _scroll_on(self) -> None:
        if self._page is not None:
            self.show_cited()

    # Building the document

    def _restyle(self) -> None:
        if self._page is not None:
            self._build()

    @property
    def _is_filling(self) -> bool:
        return self._queue is not None

    def _stop_filling(self) -> None:
        self._filling.stop()
        self._queue = None

    def _build(self) -> None:
        page = self._page
        if page is None:
            return
        self._stop_filling()
        self.clear()
        self.document().setDefaultFont(self._theme.font("reading"))
        self._links = []
        self._found = {}
        self._fresh = True
        self._was_list = False
        self._wants_cited = True
        self._set_column()
        is_cited = self._cited is not None
        self._enough = self._cited_number(page) + BELOW_CITED if is_cited else len(page.blocks)
        shown = self._part(page)
        if shown.first > 0:
            self._write_gap(page, before=True)
        self._queue = self._groups(page, shown)
        self._fill_portion()
        if self._is_filling:
            self._filling.start()

    def _part(self, page: Page) -> _Shown:
        if self._shows_all:
            return _Shown(0, len(page.blocks))
        at = self._cited_number(page)
        first = max(0, at - AROUND_BEFORE)
        return _Shown(first, min(len(page.blocks), max(at, first) + AROUND_AFTER))

    def _cited_number(self, page: Page) -> int:
        """Of the first block with cited lines; of the first of all where nothing is cited."""
        if self._cited is None:
            return 0
        line = self._cited.line_start
        return next((i for i, b in enumerate(page.blocks) if b.line_end >= line), 0)

    def _groups(self, page: Page, shown: _Shown) -> Iterator[Sequence[int]]:
        """Block numbers, one by one, rows of a table together."""
        rows: list[int] = []
        for number in range(shown.first, shown.last):
            block = page.blocks[number]
            is_row = block.kind is BlockKind.TABLE_ROW
            if rows and (not is_row or block.header or len(rows) >= ROWS_IN_TABLE):
                yield rows
                rows = []
            if is_row:
                rows.append(number)
            elif not self._is_repeated_title(page, number):
                yield (number,)
        if rows:
            yield rows

    def _is_repeated_title(self, page: Page, number: int) -> bool:
        """The first heading says what the reader's own title says already."""
        block = page.blocks[number]
        if block.kind is not BlockKind.HEADING or block.level != 1 or self._is_cited(block):
            return False
        if any(b.kind is not BlockKind.PROPERTIES for b in page.blocks[:number]):
            return False
        names = {page.title.strip()}
        if page.day is not None:
            names.update((page.day.isoformat(), phrases.day_long(page.day)))
            names.add(phrases.day_long(page.day, QLocale(QLocale.Language.English)))
        return block.text.strip() in names

    def _fill_portion(self) -> None:
        if self._page is None or self._queue is None:
            self._stop_filling()
            return
        until = time.perf_counter() + PORTION_S
        written = 0
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        try:
            for group in self._queue:
                self._write(cursor, self._page, group)
                written = group[-1]
                if time.perf_counter() > until:
                    break
            else:
                self._stop_filling()
                if not self._shows_all:
                    self._write_gap(self._page, before=False)
        finally:
            cursor.endEditBlock()
        if self._wants_cited and (not self._is_filling or written >= self._enough):
            self._wants_cited = False
            # Once the view has its size: the first page is built before the window is laid out.
            QTimer.singleShot(0, self, self.show_cited)
        if not self._is_filling:
            self.filled.emit()

    def _next_block(
        self, cursor: QTextCursor, form: QTextBlockFormat, look: QTextCharFormat
    ) -> None:
        """Begin a block at the end; the document has an empty one to start with."""
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self._fresh:
            self._fresh = False
            form.setTopMargin(0)
            cursor.setBlockFormat(form)
            cursor.setBlockCharFormat(look)
        else:
            cursor.insertBlock(form, look)

    def _write_gap(self, page: Page, *, before: bool) -> None:
        """Say that the page goes on, and offer all of it."""
        shown = self._part(page)
        if not before and shown.last >= len(page.blocks):
            return
        cursor = QTextCursor(self.document())
        look = self._look("small", "accent")
        form = self._form("small", top=8, bottom=12)
        self._next_block(cursor, form, look)
        look.setAnchor(True)
        look.setAnchorHref(_ALL)
        last = page.blocks[-1].line_end
        words = self.tr("Show the whole page, {count} lines")
        cursor.insertText(words.format(count=phrases.count(last)), look)

    def _write(self, cursor: QTextCursor, page: Page, group: Sequence[int]) -> None:
        block = page.blocks[group[0]]
        if block.kind is BlockKind.TABLE_ROW:
            self._write_table(cursor, page, group)
        else:
            self._write_block(cursor, block, group[0])

    def _write_block(self, cursor: QTextCursor, block: Block, number: int) -> None:
        style, color = _STYLES.get(block.kind, ("reading", "text.primary"))
        if block.kind is BlockKind.HEADING:
            style = {1: "title", 2: "heading"}.get(block.level, "bodyStrong")
        look = self._look(style, color)
        form = self._form(style, *_MARGINS.get(block.kind, (0, 12)))
        form.setProperty(_BLOCK, number)
        form.setProperty(_LOOK, str(block.kind))
        prefix = self._indent(form, block)
        is_list = block.kind in (BlockKind.BULLET, BlockKind.NUMBERED)
        if self._was_list and not is_list:
            form.setTopMargin(max(12, form.topMargin()))
        self._was_list = is_list
        self._next_block(cursor, form, look)
        if prefix:
            cursor.insertText(prefix, self._look(style, "text.tertiary"))
        if block.kind is BlockKind.FACT:
            self._write_names(cursor, block, look)
        for span in _unwrapped(block.kind, _shown_spans(block, self.tr("To keep"))):
            self._write_span(cursor, span, look)
        if self._is_cited(block):
            self._mark_found(cursor.block())
        if block.kind is BlockKind.FACT and block.confidence is not None:
            self._write_sure(cursor, block, number)

    def _indent(self, form: QTextBlockFormat, block: Block) -> str:
        """Margins of a block, and what stands in front of it: a bullet, a number, a box."""
        px = self._theme.px
        step = px(22)
        if block.kind is BlockKind.FACT:
            form.setLeftMargin(px(FACT_INDENT) + block.level * step)
        elif block.kind is BlockKind.QUOTE:
            form.setLeftMargin(16 + block.level * step)
        elif block.kind is BlockKind.CODE:
            form.setLeftMargin(12)
            form.setRightMargin(12)
        elif block.kind in (BlockKind.BULLET, BlockKind.NUMBERED):
            if block.checked is not None:
                prefix = "☑" if block.checked else "☐"
            elif block.kind is BlockKind.NUMBERED:
                prefix = f"{block.number if block.number is not None else 1}."
            else:
                prefix = "•" if block.level % 2 == 0 else "◦"
            metrics = QFontMetricsF(self._theme.font("reading"))
            hang = max(step, int(metrics.horizontalAdvance(prefix)) + px(8))
            form.setLeftMargin(block.level * step + hang)
            form.setTextIndent(-hang)
            form.setTabPositions([QTextOption.Tab(hang, QTextOption.TabType.LeftTab)])
            return prefix + "\t"
        return ""

    def _write_names(self, cursor: QTextCursor, block: Block, look: QTextCharFormat) -> None:
        for place, name in enumerate(block.names):
            if place:
                cursor.insertText(", ", look)
            link = self._linked(look, f"entity:{name}")
            link.setFontWeight(QFont.Weight.Medium)
            cursor.insertText(page_text(name), link)
        if block.names:
            cursor.insertText(": ", look)

    def _write_sure(self, cursor: QTextCursor, block: Block, number: int) -> None:
        assert block.confidence is not None
        form = self._form("caption", 4, 15)
        form.setLeftMargin(self._theme.px(FACT_INDENT) + block.level * self._theme.px(22))
        form.setProperty(_BLOCK, number)
        form.setProperty(_LOOK, "sure")
        above = cursor.blockFormat()
        above.setBottomMargin(0)
        cursor.setBlockFormat(above)
        look = self._look("caption", "text.tertiary")
        self._next_block(cursor, form, look)
        cursor.insertText(phrases.sure(block.confidence), look)

    def _write_span(self, cursor: QTextCursor, span: Span, base: QTextCharFormat) -> None:
        look = QTextCharFormat(base)
        if span.link is not None and _leads_somewhere(span.link):
            look = self._linked(look, span.link)
        if span.bold:
            look.setFontWeight(QFont.Weight.DemiBold)
        if span.italic:
            look.setFontItalic(True)
        if span.strike:
            look.setFontStrikeOut(True)
        if span.code:
            mono = self._theme.font("mono")
            look.setFontFamilies(mono.families() or [mono.family()])
            look.setBackground(self._theme.color("bg.sunken"))
        cursor.insertText(page_text(span.text), look)

    def _linked(self, base: QTextCharFormat, link: str) -> QTextCharFormat:
        look = QTextCharFormat(base)
        look.setAnchor(True)
        look.setAnchorHref(str(len(self._links)))
        look.setForeground(self._theme.color("accent"))
        self._links.append(link)
        return look

    def _write_table(self, cursor: QTextCursor, page: Page, group: Sequence[int]) -> None:
        rows = [page.blocks[number] for number in group]
        columns = max(1, *(len(row.cells) for row in rows))
        form = QTextTableFormat()
        form.setBorder(1)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderCollapse(True)
        form.setBorderBrush(self._theme.color("border.default"))
        form.setCellPadding(7)
        form.setCellSpacing(0)
        form.setTopMargin(2)
        form.setBottomMargin(12)
        share = QTextLength(QTextLength.Type.VariableLength, 0)
        form.setColumnWidthConstraints([share] * columns)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self._fresh:
            self._fresh = False
        else:
            plain = self._form("caption", 0, 0)
            plain.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            cursor.insertBlock(plain, self._look("caption", "text.primary"))
        table = cursor.insertTable(len(rows), columns, form)
        for y, (row, number) in enumerate(zip(rows, group, strict=True)):
            look = self._look("bodyStrong" if row.header else "body", "text.primary")
            for x, spans in enumerate(row.cells[:columns]):
                cell = table.cellAt(y, x)
                cell_format = cell.format()
                if self._is_cited(row):
                    cell_format.setBackground(self._theme.color("accent.soft"))
                elif row.header:
                    cell_format.setBackground(self._theme.color("bg.sunken"))
                cell.setFormat(cell_format)
                inside = cell.firstCursorPosition()
                block_format = self._form("body", 0, 0)
                block_format.setProperty(_BLOCK, number)
                block_format.setProperty(_LOOK, str(BlockKind.TABLE_ROW))
                inside.setBlockFormat(block_format)
                inside.setBlockCharFormat(look)
                for span in spans:
                    self._write_span(inside, span, look)
                if self._is_cited(row):
                    self._mark_found(inside.block())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        after = self._form("caption", 0, 0)
        after.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.setBlockFormat(after)

    def _look(self, style: str, color: str) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setFont(self._theme.font(style))
        look.setForeground(self._theme.color(color))
        return look

    def _form(self, style: str, top: int = 0, bottom: int = 12) -> QTextBlockFormat:
        form = QTextBlockFormat()
        height = self._theme.line_height(style)
        form.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        form.setTopMargin(top)
        form.setBottomMargin(bottom)
        return form

    # Cited lines

    def _is_cited(self, block: Block) -> bool:
        cited = self._cited
        return (
            cited is not None
            and block.line_start <= cited.line_end
            and cited.line_start <= block.line_end
        )

    def _mark_found(self, block: QTextBlock) -> None:
        """Remember where the found words are in a cited block, and give them their ink."""
        if not self._marks:
            return
        text = block.text()
        folded = text.casefold()
        if len(folded) != len(text):  # a letter such as ß or İ: positions would not agree
            folded = "".join(c.casefold() if len(c.casefold()) == 1 else c for c in text)
        spans = sorted(set(_occurrences(folded, self._marks)))
        if not spans:
            return
        ink = QTextCharFormat()
        ink.setForeground(self._theme.color("mark.text"))
        found = []
        for start, end in spans:
            first, last = text_layout.qt_index(text, start), text_layout.qt_index(text, end)
            cursor = QTextCursor(block)
            cursor.setPosition(block.position() + first)
            cursor.setPosition(block.position() + last, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(ink)
            found.append((first, last))
        self._found[block.blockNumber()] = found

    def _cited_block(self) -> QTextBlock | None:
        if self._cited is None or self._page is None:
            return None
        block = self.document().begin()
        while block.isValid():
            shown = self._block_of(block)
            if shown is not None and self._is_cited(shown):
                return block
            block = block.next()
        return None

    def _block_of(self, block: QTextBlock) -> Block | None:
        number = block.blockFormat().property(_BLOCK)
        if not isinstance(number, int) or self._page is None:
            return None
        return self._page.blocks[number]

    def _rect(self, block: QTextBlock) -> QRectF:
        """Where a block's letters are: with a fixed line height Qt puts all the lead above them."""
        rect = self.document().documentLayout().blockBoundingRect(block)
        style = _STYLES.get(block.blockFormat().property(_LOOK), ("reading", ""))[0]
        natural = QFontMetricsF(self._theme.font(style)).height()
        lead = max(0.0, self._theme.line_height(style) - natural)
        return rect.translated(0, round(lead / 2))

    # Links

    def link_at(self, point: QPoint) -> str | None:
        """Where the link under ``point`` leads."""
        return self._link(self.anchorAt(point))

    def _link(self, anchor: str) -> str | None:
        if anchor.isdecimal() and int(anchor) < len(self._links):
            return self._links[int(anchor)]
        return None

    def _follow(self, url: QUrl) -> None:
        if url.toString() == _ALL:
            self.show_all()
            return
        link = self._link(url.toString())
        if link is None:
            return
        if link.startswith("entity:"):
            self.entity_asked.emit(link.removeprefix("entity:"))
        elif link.startswith("page:"):
            self.page_asked.emit(link.removeprefix("page:"))
        elif link.lower().startswith(_WEB):
            self.web_asked.emit(link)

    # Qt overrides

    def loadResource(self, type_: int, name: QUrl | str) -> object:
        """Nothing is loaded, ever: a page's text cannot make Daybank read or fetch anything."""
        return QByteArray()

    def createMimeDataFromSelection(self) -> QMimeData:
        mime = QMimeData()
        mime.setText(self.selected_text())
        return mime

    def selected_text(self) -> str:
        text = self.textCursor().selectedText()
        return text.replace("\u2029", "\n").replace("\u2028", "\n")

    def selection(self) -> tuple[str, int, int] | None:
        """The selected text and the lines of the file that it stands on."""
        cursor = self.textCursor()
        if not cursor.hasSelection() or self._page is None:
            return None
        block = self.document().findBlock(cursor.selectionStart())
        touched = []
        while block.isValid() and block.position() < cursor.selectionEnd():
            shown = self._block_of(block)
            if shown is not None:
                touched.append(shown)
            block = block.next()
        if not touched:
            return None
        first = min(shown.line_start for shown in touched)
        return self.selected_text(), first, max(shown.line_end for shown in touched)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self.copy)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setEnabled(self.textCursor().hasSelection())
        every = menu.addAction(self.tr("Select everything"), self.selectAll)
        every.setShortcut(QKeySequence(QKeySequence.StandardKey.SelectAll))
        menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            link = self.link_at(self.viewport().mapFrom(self, event.pos()))
            if link is not None and link.lower().startswith(_WEB):
                QToolTip.showText(event.globalPos(), plain_tooltip(link), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() == event.oldSize().width() and self._page is not None:
            return
        block = self._cited_block()
        in_sight = block is not None and self._is_in_sight(block)
        top = self.cursorForPosition(QPoint(LEFT + 1, 1)).block()
        if not self._set_column():
            return
        if in_sight:
            self.show_cited()
        elif top.isValid() and self.verticalScrollBar().value() > 0:
            self.verticalScrollBar().setValue(round(self._rect(top).top()))

    def _is_in_sight(self, block: QTextBlock) -> bool:
        rect = self._rect(block).translated(0, -self.verticalScrollBar().value())
        return rect.bottom() > 0 and rect.top() < self.viewport().height()

    def _set_column(self) -> bool:
        """The column follows the view down to nothing and up to 640."""
        px = self._theme.px
        wide = LEFT + max(COLUMN, px(COLUMN)) + RIGHT
        width = min(max(120, self.viewport().width()), wide)
        margins = (LEFT, RIGHT) if self.viewport().width() > 420 else (24, 16)
        frame = self.document().rootFrame().frameFormat()
        form = QTextFrameFormat(frame)
        form.setLeftMargin(margins[0])
        form.setRightMargin(margins[1])
        form.setTopMargin(TOP)
        form.setBottomMargin(BOTTOM)
        is_new = self.lineWrapColumnOrWidth() != width or form != frame
        if form != frame:
            self.document().rootFrame().setFrameFormat(form)
        if self.lineWrapColumnOrWidth() != width:
            self.setLineWrapColumnOrWidth(width)
        return is_new

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("bg.surface"))
        area = QRectF(event.rect())
        blocks = list(self._visible_blocks(area))
        self._paint_grounds(painter, blocks)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        for block, rect, shown in blocks:
            if block.blockFormat().property(_LOOK) == BlockKind.FACT:
                self._paint_kind(painter, rect, shown)
        painter.end()

    def _visible_blocks(self, area: QRectF) -> Iterator[tuple[QTextBlock, QRectF, Block]]:
        if self._page is None:
            return
        scrolled = self.verticalScrollBar().value()
        block = self.cursorForPosition(QPoint(LEFT + 1, int(area.top()))).block()
        for _ in range(3):  # the ground of a block reaches a little beyond its text
            if block.previous().isValid():
                block = block.previous()
        while block.isValid():
            rect = self._rect(block).translated(0, -scrolled)
            if rect.top() > area.bottom() + 20:
                return
            shown = self._block_of(block)
            if shown is not None:
                yield block, rect, shown
            block = block.next()

    def _column(self) -> tuple[float, float]:
        form = self.document().rootFrame().frameFormat()
        return form.leftMargin(), self.lineWrapColumnOrWidth() - form.rightMargin()

    def _paint_grounds(
        self, painter: QPainter, blocks: Sequence[tuple[QTextBlock, QRectF, Block]]
    ) -> None:
        """What lies behind the text: cited lines, code, the bar of a quote, found words."""
        theme = self._theme
        left, right = self._column()
        cited: QRectF | None = None
        for block, rect, shown in blocks:
            look = block.blockFormat().property(_LOOK)
            if look == BlockKind.CODE:
                ground = QRectF(left, rect.top() - 6, right - left, rect.height() + 12)
                paint.rounded(painter, ground, theme.radius("md"), theme.color("bg.sunken"))
            elif look == BlockKind.QUOTE:
                bar = QRectF(left, rect.top(), 3, rect.height())
                paint.rounded(painter, bar, 1.5, theme.color("border.default"))
            elif look == BlockKind.RULE:
                y = round(rect.center().y())
                painter.fillRect(QRectF(left, y, right - left, 1), theme.color("border.subtle"))
            if self._is_cited(shown) and look != BlockKind.TABLE_ROW:
                here = QRectF(left - BAR_GAP, rect.top() - 5, right - left + BAR_GAP, 0)
                here.setBottom(rect.bottom() + 5)
                cited = here if cited is None else cited.united(here)
        if cited is not None:
            self._paint_cited(painter, cited)
        for block, _, _ in blocks:
            self._paint_found(painter, block)

    def _paint_cited(self, painter: QPainter, area: QRectF) -> None:
        theme = self._theme
        painter.save()
        painter.setClipRect(area)
        rounded = area.adjusted(-theme.radius("md"), 0, 0, 0)
        paint.rounded(painter, rounded, theme.radius("md"), theme.color("accent.soft"))
        painter.fillRect(QRectF(area.left(), area.top(), 3, area.height()), theme.color("accent"))
        painter.restore()

    def _paint_found(self, painter: QPainter, block: QTextBlock) -> None:
        found = self._found.get(block.blockNumber())
        if not found:
            return
        layout = block.layout()
        at = layout.position() - QPointF(0, self.verticalScrollBar().value())
        lines = [layout.lineAt(number) for number in range(layout.lineCount())]
        rects = [
            rect.translated(at)
            for start, end in found
            for rect in text_layout.mark_rects(lines, start, end)
        ]
        text_layout.paint_marks(painter, rects, self._theme.color("mark.bg"))

    def _paint_kind(self, painter: QPainter, rect: QRectF, shown: Block) -> None:
        """The coloured square in front of a kept note."""
        if shown.kind_of_fact is None:
            return
        theme = self._theme
        side = theme.px(22)
        line = theme.line_height("reading")
        left = rect.left() + shown.level * theme.px(22)
        if rect.left() > self._column()[0] + 1:  # some layouts leave the margin out of the box
            left = rect.left() - theme.px(FACT_INDENT)
        square = QRectF(left, rect.top() + (line - side) / 2, side, side)
        color = phrases.kind_color(shown.kind_of_fact)
        ground = f"{color}.soft" if shown.kind_of_fact.is_fact else "bg.sunken"
        paint.rounded(painter, square, theme.radius("sm"), theme.color(ground))
        icon = QRectF(0, 0, theme.px(14), theme.px(14))
        icon.moveCenter(square.center())
        paint.icon(painter, theme, self, phrases.kind_icon(shown.kind_of_fact), color, icon)


_STYLES = {
    BlockKind.QUOTE: ("reading", "text.secondary"),
    BlockKind.CODE: ("mono", "text.primary"),
    BlockKind.PROPERTIES: ("caption", "text.tertiary"),
    BlockKind.RULE: ("caption", "text.tertiary"),
}
_MARGINS = {
    BlockKind.HEADING: (14, 6),
    BlockKind.PARAGRAPH: (0, 12),
    BlockKind.BULLET: (0, 6),
    BlockKind.NUMBERED: (0, 6),
    BlockKind.FACT: (12, 12),
    BlockKind.QUOTE: (0, 12),
    BlockKind.CODE: (6, 18),
    BlockKind.PROPERTIES: (0, 12),
    BlockKind.RULE: (0, 12),
}


def _leads_somewhere(link: str) -> bool:
    return link.startswith(("entity:", "page:")) or link.lower().startswith(_WEB)


def _shown_spans(block: Block, to_keep: str) -> Sequence[Span]:
    """The spans of a block; a ``## Retain`` heading is told in the window's words."""
    if block.kind is not BlockKind.HEADING or not block.spans:
        return block.spans
    head, *rest = block.spans
    words = head.text.split(maxsplit=1)
    if not words or words[0].casefold().rstrip(":") != "retain":
        return block.spans
    after = head.text[head.text.index(words[0]) + len(words[0].rstrip(":")) :]
    return (replace(head, text=to_keep + after), *rest)


def _unwrapped(kind: BlockKind, spans: Sequence[Span]) -> Sequence[Span]:
    """Lines that were broken to fit an editor flow again; short lines stay lines of their own."""
    if kind in (BlockKind.CODE, BlockKind.PROPERTIES) or not any("\n" in s.text for s in spans):
        return spans
    out = []
    line = 0
    for span in spans:
        letters = []
        for char in span.text:
            if char == "\n":
                letters.append(" " if line >= WRAPPED_FROM else char)
                line = 0
            else:
                letters.append(char)
                line += 1
        out.append(replace(span, text="".join(letters)))
    return out


def _occurrences(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    for word in words:
        start = text.find(word)
        while start >= 0:
            yield start, start + len(word)
            start = text.find(word, start + len(word))
