"""The timeline itself, and the strip below it that shows all of the time there is.

Where things stand is decided in ``daybank_desktop.timeline``; this paints it and moves through it.
What is looked at is told by signal, for the readout below, and stands in the accessible
description. Nothing here is animated. GUI thread only.
"""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QEvent, QLineF, QLocale, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGestureEvent, QPinchGesture, QSizePolicy, QWidget

from daybank_desktop import people_phrases, phrases
from daybank_desktop.models.timeline_table_model import item_days, item_kind
from daybank_desktop.theme import Theme
from daybank_desktop.timeline.items import TimelineItem, TimelineItems
from daybank_desktop.timeline.layout import Bar, Card, Column, Layout, Metrics, columns, lay_out
from daybank_desktop.timeline.scale import (
    Bucket,
    Extent,
    Level,
    Scale,
    Tick,
    Unit,
    bucket_unit,
    density,
    following,
    major_ticks,
    minor_ticks,
    whole,
)
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.kind_mark import mark_color, paint_kind_mark

ZOOM = 1.5
_TICK_SIZE = 11
_RING = 21
_DRAG_FROM = 4.0  # pixels before a press becomes a drag
_WHEEL_STEP = 120.0
_STRIP = 22
_STRIP_LABELS = 17
_LONGEST_MEASURED = 200


class TimelinePlot(QWidget):
    """←→ goes from note to note, ↑↓ from lane to lane, + and - zoom, Home and End jump to the first
    and the last note, Enter opens the one that is chosen.

    ``looked_at`` carries the item under the pointer, else the chosen one, or None; ``opened`` an
    item whose source is wanted; ``scale_changed`` the days in sight.
    """

    looked_at = Signal(object)
    opened = Signal(object)
    scale_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._items = TimelineItems()
        self._today = 1
        self._extent = Extent(1, 1)
        self._scale = Scale(1.0, float(Level.MONTHS.value), 600.0)
        self._chosen: str | None = None
        self._hovered: TimelineItem | None = None
        self._layout: Layout | None = None
        self._pressed_at: QPointF | None = None
        self._dragged = False
        self._widths: dict[str, float] = {}
        self.setObjectName("timelinePlot")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self.setProperty("focusRadius", 6)
        self.setAccessibleName(self.tr("Timeline"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self._restyle)

    # For the page

    def set_items(self, items: TimelineItems, today: date, *, keep: bool = False) -> None:
        """Show other items, the newest of them in sight and chosen; with ``keep`` what is in sight
        and what is chosen stay as they are."""
        self._items = items
        self._today = today.toordinal()
        self._extent = items.extent(self._today)
        self._hovered = None
        if not keep or items.item(self._chosen) is None:
            newest = self._newest()
            self._chosen = newest.id if newest is not None else None
        if not keep:
            days = float(Level.MONTHS.value)
            self._scale = Scale(self._extent.last + 1 - days, days, float(max(1, self.width())))
            chosen = items.item(self._chosen)
            if chosen is not None and not self._scale.shows(chosen.anchor):
                self._scale = self._scale.around(chosen.anchor)
        self._set_scale(self._scale)
        self._tell()

    @property
    def items(self) -> TimelineItems:
        return self._items

    @property
    def extent(self) -> Extent:
        return self._extent

    @property
    def scale(self) -> Scale:
        return self._scale

    @property
    def chosen(self) -> TimelineItem | None:
        """The item that the keys are on."""
        return self._items.item(self._chosen)

    @property
    def shown(self) -> TimelineItem | None:
        """What the readout speaks of: the item under the pointer, else the chosen one."""
        return self._hovered or self.chosen

    @property
    def placed(self) -> Layout:
        """Where everything is, as it is painted."""
        if self._layout is None:
            self._layout = lay_out(self._items, self._scale, self._metrics(), self._text_width)
        return self._layout

    def choose(self, id_: str) -> None:
        """Choose an item and bring it into sight."""
        item = self._items.item(id_)
        if item is None:
            return
        self._chosen = item.id
        self._hovered = None
        self._bring_into_sight(item)
        self._tell()
        self.update()

    def set_level(self, level: Level) -> None:
        """Look from as near as ``level`` says, around what is chosen."""
        self._set_scale(self._scale.at_level(level, self._focus_x()))

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Look from nearer (``factor`` above 1) or farther, around ``x`` or what is chosen."""
        self._set_scale(self._scale.zoomed(factor, self._focus_x() if x is None else x))

    def show_days(self, scale: Scale) -> None:
        """Have other days in sight, as the strip asks."""
        self._set_scale(scale.resized(float(max(1, self.width()))))

    # Inside

    def _newest(self) -> TimelineItem | None:
        """The last item that is not still to come, else the first one."""
        first = self._items.all[0] if len(self._items) else None
        return self._items.last_until(self._today) or first

    def _metrics(self) -> Metrics:
        return Metrics().scaled(self._theme.text_size / 100)

    def _label_font(self) -> QFont:
        font = self._theme.font("caption")
        font.setWeight(QFont.Weight.Medium)
        return font

    def _text_width(self, text: str) -> float:
        width = self._widths.get(text)
        if width is None:
            start = text_layout.shown(text[:_LONGEST_MEASURED])
            width = QFontMetricsF(self._label_font()).horizontalAdvance(start) + 1
            self._widths[text] = width
        return width

    def _restyle(self) -> None:
        self._widths.clear()
        self._layout = None
        self.updateGeometry()
        self.update()

    def _set_scale(self, scale: Scale) -> None:
        self._scale = scale.inside(self._extent)
        self._layout = None
        self.scale_changed.emit(self._scale)
        self.update()

    def _focus_x(self) -> float:
        """Around what to zoom: what is chosen if it is in sight, else the middle."""
        item = self.chosen
        if item is not None and self._scale.shows(item.anchor):
            return self._scale.middle(item.anchor)
        return self._scale.width / 2

    def _bring_into_sight(self, item: TimelineItem) -> None:
        if item.span is not None and any(b.item.id == item.id for b in self.placed.bars):
            return
        edge = min(24.0, self._scale.width / 8)
        x = self._scale.middle(item.anchor)
        if not edge <= x <= self._scale.width - edge:
            self._set_scale(self._scale.around(item.anchor))

    def _tell(self) -> None:
        item = self.shown
        self.setAccessibleDescription(self._spoken(item))
        self.looked_at.emit(item)

    def _spoken(self, item: TimelineItem | None) -> str:
        if item is None:
            return self.tr("Nothing yet")
        return f"{item_kind(item)}. {item_days(item)}. {text_layout.shown(item.text)}"

    def _move(self, item: TimelineItem | None) -> None:
        if item is not None:
            self.choose(item.id)
            announce(self, self.accessibleDescription())

    def _hover(self, item: TimelineItem | None) -> None:
        if item is not self._hovered:
            self._hovered = item
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if item else Qt.CursorShape.ArrowCursor
            )
            self._tell()
            self.update()

    # Keys and pointer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        ):
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._move(self._items.next(self._chosen, -1 if key == Qt.Key.Key_Left else 1))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._move(self.placed.neighbour(self._chosen, 1 if key == Qt.Key.Key_Up else -1))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and len(self._items):
            self._move(self._items.all[0 if key == Qt.Key.Key_Home else -1])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(ZOOM)
        elif key in (Qt.Key.Key_Minus, Qt.Key.Key_Underscore):
            self.zoom(1 / ZOOM)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen is not None:
            self.opened.emit(self.chosen)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed_at is None:
            self._hover(self.placed.item_at(at.x(), at.y()))
            return
        moved = self._pressed_at.x() - at.x()
        if self._dragged or abs(moved) >= _DRAG_FROM:
            self._dragged = True
            self._hovered = None
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._pressed_at = at
            self._set_scale(self._scale.panned(moved))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        was_drag = self._dragged
        self._pressed_at, self._dragged = None, False
        self.setCursor(Qt.CursorShape.ArrowCursor)
        if was_drag:
            self._tell()
            return
        item = self._item_under(event.position())
        if item is not None:
            self._chosen = item.id
            self._tell()
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        item = self.placed.item_at(at.x(), at.y())
        column = self.placed.column_at(at.x(), at.y())
        if item is not None:
            self.opened.emit(item)
        elif column is not None:
            days = float(max(column.bucket.after - column.bucket.first, Level.DAYS.value))
            self._set_scale(Scale(float(column.bucket.first), days, self._scale.width))

    def _item_under(self, at: QPointF) -> TimelineItem | None:
        item = self.placed.item_at(at.x(), at.y())
        if item is not None:
            return item
        column = self.placed.column_at(at.x(), at.y())
        if column is None:
            return None
        return self._items.first_from(column.bucket.first, column.bucket.after)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned, aside = event.angleDelta().y(), event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and turned:
            self.zoom(ZOOM ** (turned / _WHEEL_STEP), event.position().x())
        elif abs(aside) > abs(turned):
            self._set_scale(self._scale.panned(-float(aside)))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and turned:
            self._set_scale(self._scale.panned(-float(turned)))
        else:
            event.ignore()  # the page scrolls
            return
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom(max(0.1, 1 + event.value()), event.position().x())
                return True
        elif isinstance(event, QGestureEvent):
            pinch = event.gesture(Qt.GestureType.PinchGesture)
            if isinstance(pinch, QPinchGesture):
                middle = self.mapFromGlobal(pinch.centerPoint().toPoint())
                self.zoom(max(0.1, pinch.scaleFactor()), float(middle.x()))
                return True
        return super().event(event)

    # Looks

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(600), round(self._metrics().height))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = self._scale
        self._set_scale(before.resized(float(max(1, self.width()))))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        layout = self.placed
        self._paint_grid(painter, layout)
        accent, muted = self._theme.color("accent"), self._theme.color("chart.muted")
        filled = (
            (QRectF(*column.rect), accent if self._is_chosen_in(column.bucket) else muted)
            for column in layout.columns
        )
        paint.bars(painter, filled, 2)
        for bar in layout.bars:
            self._paint_bar(painter, bar)
        for card in layout.cards:
            self._paint_card(painter, card)
        shown = self.shown
        for mark in layout.marks:
            middle = QPointF(mark.x, mark.y)
            if shown is not None and mark.item.id == shown.id:
                self._paint_ring(painter, middle)
            paint_kind_mark(painter, self._theme, mark.item.kind, middle, layout.metrics.mark)
        self._paint_more(painter, layout)

    def _is_chosen_in(self, bucket: Bucket) -> bool:
        item = self.shown
        return item is not None and item.span is None and bucket.first <= item.day < bucket.after

    def _paint_grid(self, painter: QPainter, layout: Layout) -> None:
        theme, metrics = self._theme, layout.metrics
        line = theme.color("chart.grid")
        bottom = round(metrics.baseline) + 0.5
        painter.setPen(QPen(theme.color("border.default"), 1))
        painter.drawLine(QLineF(0, bottom, self.width(), bottom))
        self._paint_today(painter, layout)
        font = theme.font("captionStrong")
        free_from = 0.0
        ticks = major_ticks(self._scale)
        for number, tick in enumerate(ticks):
            if tick.x > 0:
                painter.setPen(QPen(line, 1))
                x = round(tick.x) + 0.5
                painter.drawLine(QLineF(x, 0, x, bottom))
            after = ticks[number + 1].x if number + 1 < len(ticks) else float(self.width())
            free_from = self._paint_head(painter, tick, after, free_from, font)
        self._paint_minor(painter, metrics)

    def _paint_head(
        self, painter: QPainter, tick: Tick, after: float, free_from: float, font: QFont
    ) -> float:
        """A label above, where it does not meet the one before it or the next line."""
        left = max(tick.x, 0.0) + 8
        metrics = QFontMetricsF(font)
        for words in self._head_words(tick):
            width = metrics.horizontalAdvance(words)
            if left >= free_from and left + width + 4 <= after:
                painter.setFont(font)
                area = QRectF(left, 0, width + 2, self._metrics().head - 4)
                paint.text(painter, area, words, self._theme.color("text.secondary"))
                return left + width + 6
        return free_from

    def _head_words(self, tick: Tick) -> tuple[str, ...]:
        when = date.fromordinal(tick.day)
        if tick.unit is Unit.YEAR:
            return (str(when.year),)
        short, long = phrases.month_short(when), QLocale().standaloneMonthName(when.month)
        long = long[:1].upper() + long[1:]
        if when.month == 1 or self._scale.level in (Level.DAYS, Level.WEEKS):
            return (f"{long} {when.year}", f"{short} {when.year}", short)
        return (long, short)

    def _paint_minor(self, painter: QPainter, metrics: Metrics) -> None:
        theme = self._theme
        font = theme.font("caption", tabular=True)
        font.setPixelSize(theme.px(_TICK_SIZE))
        painter.setFont(font)
        measure = QFontMetricsF(font)
        per_day = self._scale.per_day
        named = per_day >= measure.horizontalAdvance("Www 30") + 8
        top = metrics.baseline + 1
        free_from = float("-inf")
        for tick in minor_ticks(self._scale):
            when = date.fromordinal(tick.day)
            if tick.unit is Unit.MONTH:
                words, x = phrases.month_short(when), tick.x + per_day * 15
            else:
                words, x = str(when.day), self._scale.middle(tick.day)
                if named:
                    words = f"{phrases.weekday_short(when)} {when.day}"
            width = measure.horizontalAdvance(words)
            if x - width / 2 < max(free_from, 0.0) or x + width / 2 > self.width():
                continue
            free_from = x + width / 2 + 6
            if tick.unit is Unit.WEEK:
                painter.setPen(QPen(theme.color("border.default"), 1))
                painter.drawLine(QLineF(round(x) + 0.5, top, round(x) + 0.5, top + 4))
            area = QRectF(x - width / 2, top + 5, width + 2, metrics.axis - 6)
            paint.text(painter, area, words, theme.color("chart.axis"))

    def _paint_today(self, painter: QPainter, layout: Layout) -> None:
        """A dotted line where today ends, if anything after it is in sight."""
        x = round(self._scale.x(self._today + 1)) + 0.5
        if 0 < x < self.width() - 24 and self._extent.last > self._today:
            pen = QPen(self._theme.color("accent"), 1, Qt.PenStyle.DotLine)
            painter.setPen(pen)
            painter.drawLine(QLineF(x, layout.metrics.head - 4, x, layout.metrics.baseline))

    def _paint_ring(self, painter: QPainter, middle: QPointF) -> None:
        side = self._theme.px(_RING)
        ring = QRectF(0, 0, side, side)
        ring.moveCenter(middle)
        fill, line = self._theme.color("bg.surface"), self._theme.color("focus.ring")
        paint.rounded(painter, ring, side / 2, fill, line, 2)

    def _paint_bar(self, painter: QPainter, bar: Bar) -> None:
        theme = self._theme
        color = mark_color(bar.item.kind)
        rect = QRectF(*bar.rect)
        chosen = self.shown is not None and bar.item.id == self.shown.id
        line, width = (theme.color("focus.ring"), 2.0) if chosen else (theme.color(color), 1.0)
        painter.save()
        painter.setClipRect(rect)
        frame = rect.adjusted(
            -8 if bar.goes_on_left and rect.x() <= 0 else 0,
            0,
            8 if bar.goes_on_right and rect.right() >= self.width() else 0,
            0,
        )
        paint.rounded(painter, frame, 4, theme.color(f"{color}.soft"), line, width)
        painter.restore()
        side = min(theme.px(14), bar.rect[3])
        if bar.goes_on_left and rect.width() > side:
            spot = QRectF(rect.x() + 2, rect.y(), side, rect.height())
            paint.icon(painter, theme, self, "action.back", color, spot)
        if bar.goes_on_right and rect.width() > 2 * side:
            spot = QRectF(rect.right() - side - 2, rect.y(), side, rect.height())
            paint.icon(painter, theme, self, "action.forward", color, spot)
        font = self._label_font()
        if bar.label_width < 16:
            return
        painter.setFont(font)
        words = text_layout.elided(bar.item.text, font, bar.label_width)
        area = QRectF(bar.label_x, rect.y(), bar.label_width + 2, rect.height())
        paint.text(painter, area, words, theme.color(color))

    def _paint_card(self, painter: QPainter, card: Card) -> None:
        theme = self._theme
        kind = card.item.kind
        rect = QRectF(*card.rect)
        chosen = self.shown is not None and card.item.id == self.shown.id
        line, width = ("focus.ring", 2.0) if chosen else ("border.default", 1.0)
        paint.rounded(painter, rect, 6, theme.color("bg.surface"), theme.color(line), width)
        side, line_height = theme.px(9), theme.line_height("caption")
        font = theme.font("caption")
        lines = 2 if rect.height() >= 2 * line_height else 1
        area = rect.adjusted(6 + side + 5, 0, -5, 0)
        part = text_layout.excerpt(card.item.text, (), font, area.width(), lines)
        block = text_layout.lay_out(part.text, font, area.width(), line_height, max_lines=lines)
        top = rect.center().y() - block.height / 2
        spot = QPointF(rect.x() + 6 + side / 2, top + line_height / 2)
        paint_kind_mark(painter, theme, kind, spot, side)
        ink = theme.color("text.primary")
        block.paint(painter, QPointF(area.x(), top), ink, theme.color("mark.bg"))

    def _paint_more(self, painter: QPainter, layout: Layout) -> None:
        font = self._theme.font("caption", tabular=True)
        font.setPixelSize(self._theme.px(_TICK_SIZE))
        painter.setFont(font)
        for more in layout.more:
            words = self.tr("+{count}").format(count=phrases.count(more.count))
            area = QRectF(more.x - 30, more.y - 2, 60, layout.metrics.step)
            color = self._theme.color("chart.axis")
            paint.text(painter, area, words, color, Qt.AlignmentFlag.AlignHCenter)


class TimelineStrip(QWidget):
    """All of the time there is, and a window over what is in sight, to be dragged. The keys of the
    timeline do the same, so this takes no focus."""

    moved = Signal(object)  # Scale

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._items = TimelineItems()
        self._extent = Extent(1, 1)
        self._today = 1
        self._view = Scale(1.0, 1.0, 1.0)
        self._columns: tuple[Column, ...] | None = None
        self._grip: float | None = None
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("All of the time there are notes from"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self._restyle)

    def set_items(self, items: TimelineItems, extent: Extent, today: date) -> None:
        self._items, self._extent, self._today = items, extent, today.toordinal()
        self._columns = None
        self.update()

    def set_view(self, view: Scale) -> None:
        """Which days are in sight above."""
        if view != self._view:
            self._view = view
            self.update()

    @property
    def window_rect(self) -> QRectF:
        """Where the window is."""
        scale = self._scale()
        left = max(0.0, scale.x(self._view.start))
        right = min(float(self.width()), scale.x(self._view.start + self._view.days))
        width = max(14.0, right - left)
        left = max(0.0, min(left, self.width() - width))
        return QRectF(left, 0, min(width, self.width()), self._theme.px(_STRIP))

    def _scale(self) -> Scale:
        return whole(self._extent, float(self.width()))

    def _counted(self, scale: Scale) -> tuple[Column, ...]:
        """How many notes there are from each time. Painted again with each step of what is in
        sight."""
        if self._columns is None:
            unit = bucket_unit(scale)
            buckets = density(self._items.anchors, unit, self._extent.first, self._extent.last)
            self._columns = columns(buckets, scale, 4, float(self._theme.px(_STRIP)) - 2)
        return self._columns

    def _restyle(self) -> None:
        self._columns = None
        self.updateGeometry()
        self.update()

    # Qt overrides

    def sizeHint(self) -> QSize:
        theme = self._theme
        return QSize(theme.px(600), max(28, theme.px(_STRIP) + theme.px(_STRIP_LABELS)))

    def minimumSizeHint(self) -> QSize:
        return QSize(100, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._columns = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        window = self.window_rect
        # Beside the window: it comes here. On it: it is held where it was taken.
        inside = window.left() <= x <= window.right()
        self._grip = x - window.center().x() if inside else 0.0
        if not inside:
            self._drag_to(x)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._grip is not None:
            self._drag_to(x)
            return
        window = self.window_rect
        over = window.left() <= x <= window.right()
        self.setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def _drag_to(self, x: float) -> None:
        middle = self._scale().day_at(x - (self._grip or 0.0))
        view = self._view
        self.moved.emit(Scale(middle - view.days / 2, view.days, view.width))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        scale = self._scale()
        height = float(theme.px(_STRIP))
        first, last = self._view.start, self._view.start + self._view.days
        window = self.window_rect
        paint.rounded(painter, window, 4, theme.color("chart.fill"))
        inside, outside = theme.color("chart.line"), theme.color("chart.muted")
        filled = (
            (
                QRectF(*column.rect),
                inside if first <= _middle(column.bucket) <= last else outside,
            )
            for column in self._counted(scale)
        )
        paint.bars(painter, filled, 1)
        paint.rounded(painter, window, 4, None, theme.color("accent"), 2)
        self._paint_labels(painter, scale, height)

    def _paint_labels(self, painter: QPainter, scale: Scale, top: float) -> None:
        theme = self._theme
        font = theme.font("caption", tabular=True)
        font.setPixelSize(theme.px(_TICK_SIZE))
        painter.setFont(font)
        measure = QFontMetricsF(font)
        color = theme.color("chart.axis")
        height = float(theme.px(_STRIP_LABELS))
        first = people_phrases.month_long(date.fromordinal(self._extent.first))
        last = people_phrases.month_long(date.fromordinal(self._extent.last))
        if self._extent.last == self._today:
            last = self.tr("Today")
        ends = self.width() - measure.horizontalAdvance(last)
        area = QRectF(0, top, self.width(), height)
        free_from = 0.0
        if measure.horizontalAdvance(first) + 12 < ends:
            paint.text(painter, area, first, color)
            free_from = measure.horizontalAdvance(first) + 12
        paint.text(painter, area, last, color, Qt.AlignmentFlag.AlignRight)
        day = following(
            date(date.fromordinal(self._extent.first).year, 1, 1).toordinal(), Unit.YEAR
        )
        while day <= self._extent.last:
            words = str(date.fromordinal(day).year)
            width = measure.horizontalAdvance(words)
            x = scale.x(day)
            if x >= free_from and x + width + 12 <= ends:
                paint.text(painter, QRectF(x, top, width + 2, height), words, color)
                free_from = x + width + 12
            day = following(day, Unit.YEAR)


def _middle(bucket: Bucket) -> float:
    return (bucket.first + bucket.after) / 2
