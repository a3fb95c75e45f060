"""How sure an opinion was, day by day: a step line with a mark for everything that moved it.

The pointer and ←→, Home and End move from point to point; what is looked at is told by signal, for
the readout below, and stands in the accessible description. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank_desktop import phrases
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.chart_geometry import ChartPoint, ConfidenceGeometry, Tick, Unit
from daybank_desktop.widgets.stance_mark import paint_mark
from daybank_desktop.widgets.sure_slider import percent_text, sure_words

HEIGHT = 248
_LINES = (0, 25, 50, 75, 100)
_TICK_SIZE = 11
_TOP, _RIGHT = 12, 18
_FOOT = 32
_MARK = 11
_APART = 9
_RING = 12


class ConfidenceChart(QWidget):
    """``looked_at`` is emitted with the number of the point under the pointer or the keys;
    ``opened`` when Enter or a double click asks for its day."""

    looked_at = Signal(int)
    opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._points: tuple[ChartPoint, ...] = ()
        self._words: tuple[str, ...] = ()
        self._today = 1
        self._current = -1
        self._hovered: int | None = None
        self._room: Mapping[Unit, float] | None = None
        self._month_width: float | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setProperty("focusRadius", 6)
        self.setAccessibleName(self.tr("How sure, over time"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self._restyle)

    def set_points(self, points: Sequence[ChartPoint], words: Sequence[str], today: date) -> None:
        """Show ``points``; ``words`` say each of them to a screen reader. The last is current."""
        self._points, self._words = tuple(points), tuple(words)
        self._today = today.toordinal()
        self._hovered = None
        self._room = None
        self._current = len(self._points) - 1
        self._describe()
        self.update()
        if self._points:
            self.looked_at.emit(self._current)

    @property
    def points(self) -> tuple[ChartPoint, ...]:
        return self._points

    @property
    def current(self) -> int:
        """The number of the point that the keys are on; -1 where there is none."""
        return self._current

    @property
    def shown(self) -> int:
        """The number of the point that is looked at: under the pointer, else the current one."""
        return self._current if self._hovered is None else self._hovered

    def set_current(self, number: int) -> None:
        """Move to a point, as the keys do."""
        if not self._points:
            return
        self._current = max(0, min(number, len(self._points) - 1))
        self._hovered = None
        self._look()

    def geometry_in(self, area: QRectF) -> ConfidenceGeometry:
        """Where things are when the chart is drawn in ``area``."""
        theme = self._theme
        left = theme.px(18) + self._tick_metrics().horizontalAdvance(percent_text(100)) + 9
        return ConfidenceGeometry(
            self._points,
            self._today,
            left=area.left() + left,
            top=area.top() + _TOP,
            width=area.width() - left - _RIGHT,
            height=area.height() - _TOP - theme.px(_FOOT),
        )

    # Painting

    def draw(self, painter: QPainter, area: QRectF, *, looking: bool = True) -> None:
        """Draw the chart in ``area``; without ``looking`` no point stands out."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        places = self.geometry_in(area)
        self._draw_fill(painter, places)
        self._draw_grid(painter, places)
        self._draw_days(painter, places)
        if self._points:
            number = self.shown if looking else -1
            if number >= 0:
                self._draw_look(painter, places, number)
            self._draw_line(painter, places)
            self._draw_marks(painter, places, number)
        painter.restore()

    def _draw_fill(self, painter: QPainter, places: ConfidenceGeometry) -> None:
        corners = places.line()
        if not corners:
            return
        foot = places.bottom
        shape = [(corners[0][0], foot), *corners, (corners[-1][0], foot)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("chart.fill"))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in shape]))

    def _draw_grid(self, painter: QPainter, places: ConfidenceGeometry) -> None:
        theme = self._theme
        painter.setFont(self._tick_font())
        height = QFontMetricsF(painter.font()).height()
        for percent in _LINES:
            y = round(places.y(percent / 100)) + 0.5
            half = percent == 50
            pen = QPen(theme.color("chart.muted" if half else "chart.grid"), 1)
            if half:
                pen.setDashPattern([3, 3])
            painter.setPen(pen)
            painter.drawLine(QLineF(places.left, y, places.right, y))
            words = QRectF(0, y - height / 2, places.left - 8, height)
            right = Qt.AlignmentFlag.AlignRight
            paint.text(painter, words, percent_text(percent), theme.color("chart.axis"), right)
        self._draw_half_words(painter, places)

    def _draw_half_words(self, painter: QPainter, places: ConfidenceGeometry) -> None:
        """What the dashed line means, where the line of the opinion leaves room for it."""
        words = self.tr("below this line: {word}").format(word=sure_words(49))
        metrics = QFontMetricsF(painter.font())
        y = places.y(0.5) + 4
        start = (places.line()[0][0] if self._points else places.left) + 10
        area = QRectF(start, y, metrics.horizontalAdvance(words) + 4, metrics.height())
        low, high = area.bottom() + 4, area.top() - 4
        span = [(x, y) for x, y in places.line() if x <= area.right() + 8]
        if area.right() > places.right or any(high < y < low for _, y in span):
            return
        paint.text(painter, area, words, self._theme.color("chart.axis"))

    def _draw_days(self, painter: QPainter, places: ConfidenceGeometry) -> None:
        theme = self._theme
        ink, line = theme.color("chart.axis"), theme.color("chart.muted")
        metrics = self._tick_metrics()
        foot = places.bottom
        words_at = foot + theme.px(6)
        if self._points and not places.is_dated:
            area = QRectF(places.left, words_at, places.width, metrics.height())
            paint.text(painter, area, self.tr("No day is written down"), ink)
            return
        previous = 0
        for tick in places.ticks(self._tick_room()):
            painter.setPen(QPen(line, 1))
            x = round(tick.x) + 0.5
            painter.drawLine(QLineF(x, foot, x, foot + 4))
            words = self._tick_words(tick, previous)
            previous = date.fromordinal(tick.day).year
            area = QRectF(x + 4, words_at, metrics.horizontalAdvance(words) + 2, metrics.height())
            if area.right() <= places.right + _RIGHT:
                paint.text(painter, area, words, ink)

    def _draw_look(self, painter: QPainter, places: ConfidenceGeometry, number: int) -> None:
        theme = self._theme
        x = round(places.x(self._points[number].day)) + 0.5
        ink = theme.color("accent")
        ink.setAlphaF(0.45)
        painter.setPen(QPen(ink, 1.5))
        painter.drawLine(QLineF(x, places.top, x, places.bottom))

    def _draw_line(self, painter: QPainter, places: ConfidenceGeometry) -> None:
        pen = QPen(self._theme.color("chart.line"), 2)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline([QPointF(x, y) for x, y in places.line()])

    def _draw_marks(self, painter: QPainter, places: ConfidenceGeometry, looked: int) -> None:
        theme = self._theme
        side = theme.px(_MARK)
        for number in places.marks(_APART):
            if number != looked:
                point = self._points[number]
                spot = QPointF(places.x(point.day), places.y(point.value))
                paint_mark(painter, theme, point.key, spot, side, "bg.surface")
        if looked < 0:
            return
        point = self._points[looked]
        spot = QPointF(places.x(point.day), places.y(point.value))
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.setBrush(theme.color("bg.surface"))
        ring = theme.px(_RING)
        painter.drawEllipse(spot, ring, ring)
        paint_mark(painter, theme, point.key, spot, side)

    def _tick_words(self, tick: Tick, previous_year: int) -> str:
        day = date.fromordinal(tick.day)
        if tick.unit == "year":
            return str(day.year)
        if tick.unit == "month":
            years = self._spans_years()
            is_new = years and day.year != previous_year
            return f"{phrases.month_short(day)} {day.year}" if is_new else phrases.month_short(day)
        return f"{day.day} {phrases.month_short(day)}"

    def _spans_years(self) -> bool:
        days = [p.day for p in self._points if p.day is not None] + [self._today]
        return date.fromordinal(min(days)).year != date.fromordinal(max(days)).year

    def _tick_room(self) -> Mapping[Unit, float]:
        """How much the words of each unit need; kept, as the pointer's every move paints."""
        if self._room is None:
            self._room = self._measured_room()
        return self._room

    def _measured_room(self) -> Mapping[Unit, float]:
        metrics = self._tick_metrics()
        month = self._widest_month(metrics)
        figures = metrics.horizontalAdvance("0000")
        space = metrics.horizontalAdvance(" ")
        gap = 12.0
        with_year = month + space + figures if self._spans_years() else month
        return {
            "day": month + space + figures / 2 + gap,
            "month": with_year + gap,
            "year": figures + gap,
        }

    def _widest_month(self, metrics: QFontMetricsF) -> float:
        """The same for every opinion."""
        if self._month_width is None:
            self._month_width = max(
                metrics.horizontalAdvance(phrases.month_short(date(2026, number, 1)))
                for number in range(1, 13)
            )
        return self._month_width

    def _tick_font(self) -> QFont:
        font = self._theme.font("caption", tabular=True)
        font.setPixelSize(self._theme.px(_TICK_SIZE))
        return font

    def _tick_metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._tick_font())

    # Looking

    def _look(self) -> None:
        self._describe()
        self.update()
        self.looked_at.emit(self.shown)

    def _describe(self) -> None:
        """Screen readers hear the same as the readout shows."""
        words = self._words[self.shown] if 0 <= self.shown < len(self._words) else ""
        self.setAccessibleDescription(words)

    def _restyle(self) -> None:
        self._room = self._month_width = None
        self.updateGeometry()
        self.update()

    # Qt overrides

    def sizeHint(self) -> QSize:
        return QSize(480, max(200, self._theme.px(HEIGHT)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        self.draw(QPainter(self), QRectF(self.rect()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {
            Qt.Key.Key_Left: self._current - 1,
            Qt.Key.Key_Right: self._current + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self._points) - 1,
        }
        if event.key() in moves and not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.set_current(moves[Qt.Key(event.key())])
            announce(self, self.accessibleDescription())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._points:
            self.opened.emit(self._current)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._point_at(event.position())
        if number != self._hovered:
            self._hovered = number
            self._look()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._point_at(event.position())
        if number is not None:
            self.set_current(number)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._point_at(event.position()) is not None:
            self.opened.emit(self._current)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._hovered is not None:
            self._hovered = None
            if self._points:
                self._look()

    def _point_at(self, spot: QPointF) -> int | None:
        places = self.geometry_in(QRectF(self.rect()))
        if not places.left - 12 <= spot.x() <= places.right + 12:
            return None
        return places.nearest(spot.x())
