"""What the rest of the desktop does for us: editor, file manager, browser, clipboard.

GUI thread. Each is asked for by a click, and only ever with a file of the open folder, a web
address, or with one of Daybank's own folders; nothing that a note says can make anything else open.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from daybank.errors import DaybankError
from daybank_desktop.services.library import Library

WEB_SCHEMES = ("http", "https", "mailto")


class DesktopActions(QObject):
    """``open_url`` is QDesktopServices.openUrl, or a stand-in."""

    failed = Signal(object)  # DaybankError

    def __init__(
        self,
        library: Library,
        parent: QObject | None = None,
        *,
        open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl,
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._open_url = open_url

    def edit(self, path: str) -> None:
        """Open a page of the folder in the program that the system has for it."""
        found = self._absolute(path)
        if found is not None:
            self._open(QUrl.fromLocalFile(str(found)), path)

    def reveal(self, path: str) -> None:
        """Open the folder that a page lies in."""
        found = self._absolute(path)
        if found is not None:
            self._open(QUrl.fromLocalFile(str(found.parent)), path)

    def show_folder(self, place: Path) -> None:
        """Open one of the folders that Daybank itself keeps or was given, or the one a file of
        them lies in."""
        folder = place.parent if place.is_file() else place
        self._open(QUrl.fromLocalFile(str(folder)), str(folder))

    def open_web(self, address: str) -> None:
        """Open a web or mail address; anything else is ignored."""
        url = QUrl(address, QUrl.ParsingMode.StrictMode)
        if url.isValid() and url.scheme().lower() in WEB_SCHEMES:
            self._open(url, address)

    def copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _absolute(self, path: str) -> Path | None:
        workspace = self._library.workspace
        if workspace is None:
            return None
        try:
            return Path(workspace.absolute(path))
        except DaybankError as error:
            self.failed.emit(error)
            return None

    def _open(self, url: QUrl, shown: str) -> None:
        if not self._open_url(url):
            self.failed.emit(
                DaybankError(
                    self.tr("“{name}” cannot be opened.").format(name=shown),
                    self.tr("No program on this computer says that it can."),
                )
            )
