"""Starting: be the one Daybank of this folder, or have the one that runs do what is asked.

The window and all it needs are imported only by the one, so a second start is over soon.
"""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import platformdirs
from PySide6.QtCore import QLocale, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from daybank_desktop.log_filter import SecretFilter, keep_end
from daybank_desktop.options import meant_workspace, read_options
from daybank_desktop.services.drafts import DraftStore
from daybank_desktop.single_instance import (
    Answer,
    Instance,
    Message,
    Place,
    Verb,
    take_or_deliver,
    told,
)
from daybank_desktop.tray.presence import QUITS_WITH_LAST_WINDOW

log = logging.getLogger(__name__)

_APP = "daybank"


def run(argv: Sequence[str]) -> int:
    """Start Daybank, and come back when it ends; or have the Daybank that runs already do what is
    asked, and come back at once."""
    options, rest = read_options(argv[1:], Path.cwd())
    config = Path(platformdirs.user_config_dir(_APP, appauthor=False))
    hold = None
    if not options.demo:
        place = Place.of(config, meant_workspace(options, config, os.environ))
        taken = take_or_deliver(place, options.message)
        if isinstance(taken, Answer):
            return _handed_over(taken, options.message, DraftStore(config / "drafts", place.key))
        hold = taken
    from daybank_desktop.app import App, Outside
    from daybank_desktop.leaving import Leaving
    from daybank_desktop.tasks import be_smooth

    log_file = start_logging(Path(platformdirs.user_log_dir(_APP, appauthor=False)))
    application = QApplication.instance() or QApplication([argv[0], *rest])
    assert isinstance(application, QApplication)
    if QLocale().language() == QLocale.Language.C:  # no language set: ours, with its numbers
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    application.setApplicationName("Daybank")
    application.setOrganizationName(_APP)
    application.setDesktopFileName(os.environ.get("FLATPAK_ID", _APP))
    application.setQuitOnLastWindowClosed(QUITS_WITH_LAST_WINDOW)
    be_smooth()
    leaving = Leaving(application)
    outside = Outside(
        Instance(hold) if hold is not None else None,
        leaving,
        QSystemTrayIcon.isSystemTrayAvailable,
        notices=True,
    )
    app = App(application, options, config=config, log_file=log_file, outside=outside)
    leaving.watch_signals()
    app.start()
    code = application.exec()
    if not app.end():
        log.warning("A worker did not end in time; leaving without it")
        logging.shutdown()
        os._exit(code)
    return code


def _handed_over(answer: Answer, message: Message, drafts: DraftStore) -> int:
    """The exit code of a second start. A text that was not taken waits in the box for the next
    time, and stands on the terminal where there is one."""
    if answer.taken:
        return 0
    if message.verb is Verb.CAPTURE and message.text:
        drafts.leave(message.text)
    if sys.stderr is not None:
        print(told(answer, message), file=sys.stderr)  # noqa: T201
    return 1


def start_logging(folder: Path) -> Path | None:
    """Log to a file that does not grow for ever; None where no file can be written."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    path = folder / "daybank.log"
    written: Path | None = path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            path, maxBytes=1_000_000, backupCount=2, encoding="utf-8"
        )
        keep_end(folder / "crash.log")
        with (folder / "crash.log").open("a") as crash:
            faulthandler.enable(os.dup(crash.fileno()))
    except OSError:
        handler, written = logging.StreamHandler(), None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.addFilter(SecretFilter())
    root.addHandler(handler)
    qInstallMessageHandler(_log_qt)
    return written


def _log_qt(kind: QtMsgType, context: object, message: str) -> None:
    level = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
    }.get(kind, logging.ERROR)
    logging.getLogger("qt").log(level, message)
