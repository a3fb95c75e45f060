"""Hears at once when a tray of the newer kind comes or goes, where a D-Bus session is.

GUI thread. Trays of the older kind (XEmbed) announce nothing that Qt passes on; those are found by
asking now and then.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

WATCHER = "org.kde.StatusNotifierWatcher"
"""The name on the bus, whatever desktop it is; trays of the newer kind also show the menu
themselves."""


class StatusNotifierWatch(QObject):
    """``changed`` when a tray of that kind comes or goes. Silent on a computer without D-Bus."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher: QObject | None = None

    def start(self) -> None:
        from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher  # only Linux uses it

        bus = QDBusConnection.sessionBus()
        if self._watcher is not None or not bus.isConnected():
            return
        watcher = QDBusServiceWatcher(
            WATCHER, bus, QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange, self
        )
        watcher.serviceOwnerChanged.connect(lambda *_: self.changed.emit())
        self._watcher = watcher

    def stop(self) -> None:
        if self._watcher is not None:
            self._watcher.deleteLater()
            self._watcher = None

    @property
    def is_present(self) -> bool:
        """Whether there is one now. Asks the bus, which answers within a millisecond."""
        if self._watcher is None:
            return False
        from PySide6.QtDBus import QDBusConnection

        bus = QDBusConnection.sessionBus()
        return bus.isConnected() and bool(bus.interface().isServiceRegistered(WATCHER).value())
