"""When search by meaning may be prepared: it is switched on, and not on battery unless allowed.

GUI thread; the power supply is asked for on a worker, once a minute and only where it matters. What
the person says, by a pause or by going on, holds until the power changes.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from daybank_desktop.scheduling import power
from daybank_desktop.services.meaning import Meaning, Phase
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.tasks import Lane, Tasks

LOOK_EVERY_MS = 60_000


class MeaningRules(QObject):
    """Nothing happens before :meth:`start`."""

    switched = Signal(bool)  # search by meaning, by the person
    waits_changed = Signal(bool)  # for mains power

    def __init__(
        self,
        tasks: Tasks,
        meaning: Meaning,
        settings: SettingsStore,
        parent: QObject | None = None,
        *,
        on_battery: Callable[[], bool] = power.on_battery,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._meaning = meaning
        self._settings = settings
        self._on_battery = on_battery
        self._waits = False
        self._look = QTimer(self, interval=LOOK_EVERY_MS)
        self._look.timeout.connect(self.look)

    @property
    def is_on(self) -> bool:
        return self._settings.value.by_meaning

    @property
    def also_on_battery(self) -> bool:
        return self._settings.value.prepare_on_battery

    @property
    def waits(self) -> bool:
        """Whether preparing waits for mains power."""
        return self._waits

    def start(self) -> None:
        """Have what is saved hold. Call it before a folder is opened."""
        self._meaning.set_on(self.is_on)
        self._look.start()
        self.look()

    def stop(self) -> None:
        self._look.stop()

    def set_on(self, is_on: bool) -> None:
        """Switch search by meaning on or off, for good."""
        if is_on == self.is_on:
            return
        self._settings.update(by_meaning=is_on)
        self._meaning.set_on(is_on)
        self.switched.emit(is_on)
        self.look()

    def set_also_on_battery(self, also: bool) -> None:
        self._settings.update(prepare_on_battery=also)
        self.look()

    def look(self) -> None:
        """Ask for the power supply, if it makes a difference."""
        if not self.is_on or self.also_on_battery:
            self._tasks.drop("power")
            self._set_waits(False)
            return
        self._tasks.run(
            Lane.READ, lambda job: self._on_battery(), done=self._set_waits, channel="power"
        )

    def _set_waits(self, waits: bool) -> None:
        if waits == self._waits:
            return
        if waits and self._meaning.readiness.phase is Phase.PAUSED:
            return  # by the person; going on is theirs too
        self._waits = waits
        if waits:
            self._meaning.pause()
        else:
            self._meaning.resume()
        self.waits_changed.emit(waits)
