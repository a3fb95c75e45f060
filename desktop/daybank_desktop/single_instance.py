"""One Daybank for one person and one memory folder, and how a second start speaks to it.

Who is the one, an operating-system lock on a small file decides (``filelock``: flock, or
LockFileEx), not Qt's QLockFile. QLockFile writes a process number into its file and guesses from it
whether the holder lives. After a crash that number may belong to another program, after a restart
nearly always does, and in a home folder that was copied from another computer it means nothing. The
system's lock has nothing to guess: it is gone in the moment the process is, after ``kill -9`` too,
and a copied lock file is an ordinary file. The file stays behind and says nothing.

QLocalServer only carries messages. The holder listens at a name that nobody can guess, in a folder
that only its owner may enter, and writes the name beside the lock; so nobody else can listen in its
place, and a start with other variables (from a terminal, by ssh) finds it too. What a dead holder
left there is cleared away by the next holder, and by nobody else.

A message is one line of JSON with a version, answered by one line. It is taken or it is refused;
until the answer has come the second process keeps the text. What does not read well is dropped and
noted in the log, without what it said: it may be somebody's password.

Claiming and handing over need no QApplication: both happen before there is one. ``Instance`` lives
on the GUI thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import getpass
import hashlib
import json
import logging
import os
import secrets
import stat
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout
from PySide6.QtCore import QCoreApplication, QObject, QTimer, QUrl, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication, QWidget

from daybank.workspace import TEXT_SUFFIXES

log = logging.getLogger(__name__)

VERSION = 1
LARGEST_TEXT = 100_000
"""Characters that one message may carry; a journal's day is far shorter."""
LARGEST_LINE = 1024 * 1024
"""Bytes of one message: the text above, with every character escaped."""
LARGEST_ANSWER = 4096
ANSWER_WITHIN = 3.0
"""Seconds that one who listens has to answer."""
START_WITHIN = 10.0
"""Seconds that one who has the lock has to listen: it may be starting, or just about to leave."""
SPEAK_WITHIN = 5.0
MOST_AT_ONCE = 32
_LONGEST_SOCKET = 100  # macOS takes 104 bytes, Linux 108
_AGAIN_AFTER = 0.05


class Verb(StrEnum):
    """What the one that runs is asked to do. NOTHING only asks whether it is there."""

    SHOW = "show"
    NOTHING = "nothing"
    CAPTURE = "capture"
    SEARCH = "search"
    REVIEW = "review"
    OPEN = "open"


class Garbled(ValueError):
    """A line that is no message. The text is a reason for the log; it quotes nothing."""


@dataclass(frozen=True, slots=True)
class Message:
    """``text`` is what to write down, what to look for, or the whole path of a file. ``activation``
    is the desktop's permission to come to the front, as the second process got it."""

    verb: Verb = Verb.SHOW
    text: str = ""
    activation: str = ""

    def encode(self) -> bytes:
        """The line as it is sent, with its line end."""
        parts = {
            "daybank": VERSION,
            "do": self.verb.value,
            "text": self.text,
            "activation": self.activation,
        }
        # A file's name need not be readable text; half characters go through as they are.
        return json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> Message:
        """The message in ``line``. Raises Garbled."""
        parts = _object(line, LARGEST_LINE)
        if parts.get("daybank") != VERSION:
            raise Garbled("another version")
        text, activation = parts.get("text", ""), parts.get("activation", "")
        if not isinstance(text, str) or len(text) > LARGEST_TEXT:
            raise Garbled("its text")
        if not isinstance(activation, str):
            raise Garbled("its activation")
        try:
            verb = Verb(parts.get("do"))  # type: ignore[arg-type]
        except ValueError as error:
            raise Garbled("an unknown wish") from error
        if verb is Verb.OPEN and (not os.path.isabs(text) or "\0" in text):
            raise Garbled("a path that is not whole")
        if verb is not Verb.OPEN:
            text = _readable(text)
        return cls(verb, text, _token(activation))


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether the one that runs took the message; ``why`` is a sentence where it did not."""

    taken: bool
    why: str = ""

    def encode(self) -> bytes:
        parts = {"daybank": VERSION, "taken": self.taken, "why": self.why[:500]}
        return json.dumps(parts).encode() + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> Answer:
        """Raises Garbled."""
        parts = _object(line, LARGEST_ANSWER)
        why = parts.get("why", "")
        taken = parts.get("taken")
        if not isinstance(taken, bool) or not isinstance(why, str):
            raise Garbled("an answer")
        return cls(taken, " ".join(_readable(why).split()))


def _object(line: bytes, largest: int) -> dict[str, object]:
    if len(line) > largest:
        raise Garbled("too long")
    try:
        parts = json.loads(line.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise Garbled("no JSON") from error
    if not isinstance(parts, dict):
        raise Garbled("no object")
    return parts


def _readable(text: str) -> str:
    """Without half characters, and without marks that no text has."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(c for c in whole if c in "\n\t" or unicodedata.category(c) != "Cc")


def _token(text: str) -> str:
    """An activation token that may stand in a variable; "" for anything else."""
    fits = len(text) <= 512 and text.isascii() and text.isprintable()
    return text if fits else ""


# -- what a start asks for


def message_for(
    *,
    capture: str | None = None,
    search: str = "",
    review: bool = False,
    file: str = "",
    hidden: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> Message:
    """What the command line asks for, as a message; of several wishes the first counts."""
    token = environ.get("XDG_ACTIVATION_TOKEN") or environ.get("DESKTOP_STARTUP_ID") or ""
    token = _token(token)
    if capture is not None:
        return Message(Verb.CAPTURE, capture, token)
    if file:
        return Message(Verb.OPEN, file, token)
    if search:
        return Message(Verb.SEARCH, search, token)
    if review:
        return Message(Verb.REVIEW, "", token)
    return Message(Verb.NOTHING if hidden else Verb.SHOW, "", token)


def take_file(rest: Sequence[str], folder: Path) -> tuple[str, list[str]]:
    """The note named among the arguments that are left, as a whole path ("" for none), and what is
    left then for Qt. ``folder`` is where a short path begins. File managers give addresses."""
    left = list(rest)
    for place, name in enumerate(left):
        path = QUrl(name).toLocalFile() if name.startswith("file:") else name
        if not name.startswith("-") and path.lower().endswith(TEXT_SUFFIXES):
            del left[place]
            return os.path.abspath(folder / path), left
    return "", left


def told(answer: Answer, message: Message) -> str:
    """For the terminal, where a message was not taken: why, and the text, so that it is kept."""
    if message.verb is not Verb.CAPTURE or not message.text:
        return answer.why
    kept = _tr("Nothing was written down. Your text:")
    return f"{answer.why}\n{kept}\n\n{message.text}"


# -- the place and the lock


@dataclass(frozen=True, slots=True)
class Place:
    """Where the lock of one folder of notes is, and the address of who holds it: ``folders`` are
    the candidates, the first that can be written to is used."""

    config: Path
    key: str
    folders: tuple[Path, ...]
    run: tuple[Path, ...]

    @classmethod
    def of(
        cls,
        config: Path,
        workspace: Path | None,
        environ: Mapping[str, str] = os.environ,
    ) -> Place:
        """For ``workspace``, or for "none chosen yet"; ``config`` is the person's config folder."""
        run = run_folders(environ)
        return cls(config, _key(config, workspace), (config / "instances", *run), run)

    def elsewhere(self, workspace: Path) -> Place:
        """The same person's place for another folder of notes."""
        return replace(self, key=_key(self.config, workspace))

    def lock_in(self, folder: Path) -> Path:
        return folder / f"{self.key}.lock"

    def address_in(self, folder: Path) -> Path:
        return folder / f"{self.key}.address"

    def address(self) -> str:
        """Where the holder says that it listens; "" where nobody says so."""
        for folder in self.folders:
            with contextlib.suppress(OSError, ValueError, RecursionError):
                said = json.loads(self.address_in(folder).read_text("utf-8"))
                if isinstance(said, dict) and isinstance(said.get("listens"), str):
                    return str(said["listens"])
        return ""


def _key(config: Path, workspace: Path | None) -> str:
    named = "" if workspace is None else _same(workspace)
    whole = f"{_same(config)}\0{named}".encode("utf-8", "surrogateescape")
    return hashlib.blake2b(whole, digest_size=10).hexdigest()


def run_folders(environ: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Where sockets may be, best first: none of them is synchronised or shared with others."""
    folders = []
    if sys.platform != "win32" and os.path.isabs(environ.get("XDG_RUNTIME_DIR", "")):
        folders.append(Path(environ["XDG_RUNTIME_DIR"]) / "daybank")
    try:
        name = f"daybank-{os.getuid() if sys.platform != 'win32' else getpass.getuser()}"
    except (OSError, KeyError, ImportError):  # nobody by that number
        name = "daybank-user"
    folders.append(Path(tempfile.gettempdir()) / name)
    if sys.platform != "win32":
        folders.append(Path("/tmp") / name)  # where the one above is too long for a socket
    return tuple(dict.fromkeys(folders))


def _same(path: Path) -> str:
    """One spelling for every way to write the same folder."""
    real = os.path.normcase(os.path.realpath(path))
    return unicodedata.normalize("NFC", real).casefold() if sys.platform == "darwin" else real


def _is_ours(folder: Path) -> bool:
    """Make ``folder`` for its owner alone, and see that it is so; never raises."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform == "win32":  # it is in the person's own profile
            return True
        seen = folder.lstat()
        if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid():
            return False
        if stat.S_IMODE(seen.st_mode) & 0o077:
            folder.chmod(0o700)
    except OSError:
        return False
    return True


class Hold:
    """The lock, for as long as this object lives. Made by `take` alone."""

    def __init__(self, place: Place, folder: Path | None, lock: BaseFileLock | None) -> None:
        self.place = place
        self.folder = folder
        self._lock = lock

    @classmethod
    def take(cls, place: Place) -> Hold | None:
        """The lock, or None while another process has it.

        Where no lock can be made at all, as on a computer that can only be read, there is nothing
        to guard with, and that is no reason not to start.
        """
        for folder in place.folders:
            if not _is_ours(folder):
                continue
            lock = FileLock(place.lock_in(folder), mode=0o600)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                return None
            except (OSError, NotImplementedError):
                log.warning("No lock can be made in %s", folder, exc_info=True)
                continue
            return cls(place, folder, lock)
        log.warning("Nothing keeps a second Daybank from opening the same folder")
        return cls(place, None, None)

    def release(self) -> None:
        """Let another process have it."""
        if self._lock is not None:
            self._lock.release()


# -- the second process


def take_or_deliver(
    place: Place,
    message: Message,
    *,
    answer_within: float = ANSWER_WITHIN,
    start_within: float = START_WITHIN,
) -> Hold | Answer:
    """Be the one, or hand ``message`` to it. Needs no QApplication; blocks until it is settled.

    One that dies meanwhile makes room: then we are the one, with the message still in our hands.
    """
    deadline = time.monotonic() + start_within
    while True:
        hold = Hold.take(place)
        if hold is not None:
            return hold
        answer = deliver(message, place, within=answer_within)
        if answer is not None:
            return answer
        if time.monotonic() > deadline:
            return Answer(False, _tr("Daybank is open already, and cannot be reached."))
        time.sleep(_AGAIN_AFTER)


def deliver(message: Message, place: Place, *, within: float = ANSWER_WITHIN) -> Answer | None:
    """Hand ``message`` to the holder and wait for its answer; None where nobody listens."""
    line = message.encode()
    if len(message.text) > LARGEST_TEXT or len(line) > LARGEST_LINE:
        return Answer(False, _tr("The text is too long to be handed over."))
    address = place.address()
    if not address:
        return None
    _let_it_come_forward()
    deadline = time.monotonic() + within
    socket = QLocalSocket()
    try:
        socket.connectToServer(address)
        if not socket.waitForConnected(_left(deadline)):
            return None
        socket.write(line)
        while socket.bytesToWrite():
            if not socket.waitForBytesWritten(_left(deadline)):
                return _no_answer(socket, deadline)
        while not socket.canReadLine():
            if socket.bytesAvailable() > LARGEST_ANSWER:
                raise Garbled("too long")
            if not socket.waitForReadyRead(_left(deadline)) and not socket.canReadLine():
                return _no_answer(socket, deadline)
        return Answer.decode(bytes(socket.readLine(LARGEST_ANSWER + 1).data()))
    except Garbled:
        return Answer(False, _tr("Another program answers in the place of Daybank."))
    finally:
        socket.abort()


def _no_answer(socket: QLocalSocket, deadline: float) -> Answer | None:
    """None where the other side has gone, or is going; it may have died with our message."""
    if socket.state() != QLocalSocket.LocalSocketState.ConnectedState:
        return None
    if time.monotonic() < deadline - 0.1:
        return None
    return Answer(
        False,
        _tr(
            "Daybank is open already, but does not answer. Wait a moment, or end it and try again."
        ),
    )


def _left(deadline: float) -> int:
    return max(1, round((deadline - time.monotonic()) * 1000))


def _let_it_come_forward() -> None:
    """Windows lets a program come to the front only with the word of the one that is there."""
    if sys.platform == "win32":
        user32 = getattr(ctypes, "windll").user32  # noqa: B009 - absent elsewhere, also for mypy
        user32.AllowSetForegroundWindow(-1)


# -- the first process


@dataclass(eq=False)
class _Caller:
    """One connection: what it said so far, and how long it may take."""

    socket: QLocalSocket
    patience: QTimer
    said: bytearray = field(default_factory=bytearray)


class Instance(QObject):
    """The one that runs: emits `received` for what second starts ask.

    A slot that cannot do what is asked calls `refuse` with a sentence while it is called.
    """

    received = Signal(object)  # Message

    def __init__(self, hold: Hold, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hold = hold
        self._server: QLocalServer | None = None
        self._callers: list[_Caller] = []
        self._refusal = ""

    @property
    def place(self) -> Place:
        return self._hold.place

    @property
    def address(self) -> str:
        """Where it listens; "" while it does not."""
        return self._server.fullServerName() if self._server is not None else ""

    def listen(self) -> bool:
        """Take messages from now on. False where that cannot be: then second starts are told
        that Daybank is open."""
        self._clear_away()
        for name in self._names():
            server = QLocalServer(self)
            server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
            server.setMaxPendingConnections(MOST_AT_ONCE)
            if server.listen(name):
                server.newConnection.connect(self._on_call)
                self._server = server
                return self._tell_address()
            log.warning("Cannot listen at %s: %s", name, server.errorString())
            server.deleteLater()
        return False

    def refuse(self, why: str) -> None:
        """Called while `received` is: the second process says ``why`` and keeps its text."""
        self._refusal = why

    def move_to(self, workspace: Path) -> bool:
        """Be the one for another folder of notes from now on. False where another process is; then
        all stays as it was, and `deliver` can bring that one to the front."""
        place = self.place.elsewhere(workspace)
        if place.key == self.place.key:
            return True
        hold = Hold.take(place)
        if hold is None:
            return False
        listened = self._server is not None
        self.close()
        self._hold = hold
        if listened:
            self.listen()
        return True

    def stop_listening(self) -> None:
        """First half of leaving: a start from now on waits until we are gone, and takes over."""
        server, self._server = self._server, None
        for caller in list(self._callers):
            self._end(caller)
        if server is not None:
            server.close()
            server.deleteLater()
            if self._hold.folder is not None:
                with contextlib.suppress(OSError):
                    self.place.address_in(self._hold.folder).unlink()

    def close(self) -> None:
        """Second half: the folder is free for another process."""
        self.stop_listening()
        self._hold.release()

    # Listening

    def _names(self) -> Iterator[str]:
        name = f"{self.place.key[:8]}-{secrets.token_hex(4)}"
        if sys.platform == "win32":
            yield f"daybank-{name}-{secrets.token_hex(8)}"
            return
        for folder in self.place.run:
            path = folder / f"{name}.s"
            if len(os.fsencode(path)) <= _LONGEST_SOCKET and _is_ours(folder):
                yield str(path)

    def _tell_address(self) -> bool:
        folder = self._hold.folder
        if folder is None:
            return False
        place = self.place.address_in(folder)
        fresh = place.with_name(f"{place.name}.new")
        try:
            with contextlib.suppress(FileNotFoundError):
                fresh.unlink()
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"daybank": VERSION, "listens": self.address}, file)
            os.replace(fresh, place)
        except OSError:
            log.warning("Second starts will not find this one", exc_info=True)
            return False
        return True

    def _clear_away(self) -> None:
        """The socket that a holder before us left behind when it died. Only a socket of ours and of
        this folder's is touched, whatever the address says."""
        left = Path(self.place.address())
        if sys.platform == "win32" or left.parent not in self.place.run:
            return
        if left.name.startswith(self.place.key[:8]) and left.suffix == ".s":
            with contextlib.suppress(OSError):
                seen = left.lstat()
                if stat.S_ISSOCK(seen.st_mode) and seen.st_uid == os.getuid():
                    left.unlink()

    def _on_call(self) -> None:
        while self._server is not None and self._server.hasPendingConnections():
            socket = self._server.nextPendingConnection()
            if len(self._callers) >= MOST_AT_ONCE:
                log.warning("Too many second starts at once; one is turned away")
                socket.abort()
                socket.deleteLater()
                continue
            socket.setReadBufferSize(LARGEST_LINE + 1)
            patience = QTimer(socket, singleShot=True, interval=round(SPEAK_WITHIN * 1000))
            caller = _Caller(socket, patience)
            self._callers.append(caller)
            patience.timeout.connect(lambda caller=caller: self._drop(caller, "too slow"))
            socket.readyRead.connect(lambda caller=caller: self._on_words(caller))
            socket.disconnected.connect(lambda caller=caller: self._end(caller))
            patience.start()
            if socket.bytesAvailable():
                self._on_words(caller)

    def _on_words(self, caller: _Caller) -> None:
        if caller not in self._callers:
            return
        caller.said += caller.socket.readAll().data()
        line, end, _ = caller.said.partition(b"\n")
        if not end:
            if len(caller.said) > LARGEST_LINE:
                self._drop(caller, "too long")
            return
        caller.patience.stop()
        caller.said.clear()
        try:
            message = Message.decode(bytes(line))
        except Garbled as error:
            log.warning("A message to this Daybank was not understood: %s", error)
            self._answer(caller, Answer(False, _tr("Daybank did not understand what was asked.")))
            return
        self._refusal = ""
        self.received.emit(message)
        self._answer(caller, Answer(not self._refusal, self._refusal))

    def _answer(self, caller: _Caller, answer: Answer) -> None:
        if caller in self._callers:
            caller.socket.write(answer.encode())
            caller.socket.flush()
            caller.socket.disconnectFromServer()

    def _drop(self, caller: _Caller, why: str) -> None:
        log.warning("A message to this Daybank was dropped: %s", why)
        self._end(caller)

    def _end(self, caller: _Caller) -> None:
        if caller not in self._callers:
            return
        self._callers.remove(caller)
        caller.patience.stop()
        caller.socket.abort()
        caller.socket.deleteLater()


def bring_forward(window: QWidget, activation: str = "") -> None:
    """Show ``window`` and have the desktop put it before the others, with the permission that came
    along: Wayland and careful X11 window managers let nobody forward without one."""
    if activation:
        os.environ["XDG_ACTIVATION_TOKEN"] = activation
    try:
        if window.isMinimized():
            window.showNormal()
        else:
            window.show()
        window.raise_()
        window.activateWindow()
        QApplication.alert(window)  # where it was not let forward, it asks to be looked at
    finally:
        if activation:
            os.environ.pop("XDG_ACTIVATION_TOKEN", None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SingleInstance", text)
