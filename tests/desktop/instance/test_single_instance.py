"""One Daybank for one person and folder, with real processes; and what a second start may say."""

from __future__ import annotations

import json
import logging
import os
import queue
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

import daybank
import daybank_desktop
from daybank_desktop import single_instance
from daybank_desktop.single_instance import (
    LARGEST_LINE,
    LARGEST_TEXT,
    Answer,
    Garbled,
    Hold,
    Instance,
    Message,
    Place,
    Verb,
    deliver,
    message_for,
    take_file,
    take_or_deliver,
    told,
)

SMALL = Path(__file__).with_name("small_daybank.py")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets and signals")


class Started:
    """A small Daybank that runs, and what it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.strip())

    def says(self, within: float = 60) -> str:
        return self.lines.get(timeout=within)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


Start = Callable[..., Started]


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A person's folders; short, since a socket's name may not be long."""
    folder = Path(tempfile.mkdtemp(prefix="db-", dir="/tmp"))
    (folder / "run").mkdir(mode=0o700)
    (folder / "notes").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder / "run"))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    running: list[Started] = []
    packages = [Path(p.__file__ or "").parents[1] for p in (daybank, daybank_desktop)]

    def begin(
        verb: str = "show",
        *text: str,
        config: Path | None = None,
        notes: Path | None = None,
        **variables: str,
    ) -> Started:
        path = os.pathsep.join(map(str, packages))
        process = subprocess.Popen(
            [
                sys.executable,
                SMALL,
                config or home / "config",
                notes or home / "notes",
                verb,
                *text,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path, **variables},
        )
        running.append(Started(process))
        return running[-1]

    yield begin
    for started in running:
        started.end()


def listening(started: Started) -> Started:
    assert started.says() == "first"
    assert started.says() == "listening"
    return started


def place_of(home: Path, config: str = "config", notes: str = "notes") -> Place:
    return Place.of(home / config, home / notes)


# Real processes


def test_a_second_start_hands_its_text_to_the_first(start: Start) -> None:
    first = listening(start())
    second = start("capture", "Flour comes on Monday\n@Mara: знает 🥐")
    assert json.loads(second.says()) == {"taken": True, "why": ""}
    assert second.process.wait(20) == 0
    assert json.loads(first.says()) == ["capture", "Flour comes on Monday\n@Mara: знает 🥐"]


def test_after_kill_9_the_next_takes_over_and_clears_the_socket_away(
    start: Start, home: Path
) -> None:
    first = listening(start())
    left = list((home / "run" / "daybank").glob("*.s"))
    assert len(left) == 1
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    assert left[0].exists()
    second = listening(start())
    assert not left[0].exists()
    assert len(list((home / "run" / "daybank").glob("*.s"))) == 1
    third = start("search", "flour")
    assert json.loads(third.says())["taken"]
    assert json.loads(second.says()) == ["search", "flour"]


def test_of_twenty_starts_at_once_exactly_one_holds_and_hears_the_others(start: Start) -> None:
    started = [start("capture", f"note {number}") for number in range(20)]
    said = [one.says(120) for one in started]
    holders = [one for one, words in zip(started, said, strict=True) if words == "first"]
    assert len(holders) == 1
    answers = [json.loads(words) for words in said if words != "first"]
    assert answers == [{"taken": True, "why": ""}] * 19
    holder = holders[0]
    assert holder.says() == "listening"
    heard = {json.loads(holder.says())[1] for _ in range(19)}
    own = f"note {started.index(holder)}"
    assert heard == {f"note {number}" for number in range(20)} - {own}


def test_one_that_hangs_is_told_of_and_the_text_comes_back(start: Start) -> None:
    first = listening(start())
    first.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    second = start("capture", "Do not lose me", ANSWER_WITHIN="1")
    assert second.process.wait(30) == 1
    assert time.monotonic() - began < 15
    assert second.process.stderr is not None
    said = second.process.stderr.read()
    assert "does not answer" in said
    assert said.endswith("Nothing was written down. Your text:\n\nDo not lose me")
    first.process.send_signal(signal.SIGCONT)


def test_one_killed_while_a_start_waits_for_its_answer_makes_room(start: Start) -> None:
    first = listening(start())
    first.process.send_signal(signal.SIGSTOP)
    second = start("capture", "Mine", ANSWER_WITHIN="60")
    time.sleep(1.5)
    first.process.send_signal(signal.SIGKILL)
    listening(second)


def test_two_folders_have_one_each_and_a_link_is_the_same_folder(start: Start, home: Path) -> None:
    (home / "others").mkdir()
    (home / "link").symlink_to(home / "notes")
    listening(start())
    listening(start(notes=home / "others"))
    assert json.loads(start(notes=home / "link").says())["taken"]
    assert json.loads(start(notes=home / "notes" / ".." / "notes").says())["taken"]


def test_a_copied_home_folder_holds_nothing_and_harms_nobody(start: Start, home: Path) -> None:
    first = listening(start())
    shutil.copytree(home / "config", home / "copy")
    # The lock of the copy is for another key; give it the very file of the running one too.
    old, new = place_of(home), place_of(home, "copy")
    folder = home / "copy" / "instances"
    shutil.copy(old.address_in(old.folders[0]), new.address_in(folder))
    shutil.copy(old.lock_in(old.folders[0]), new.lock_in(folder))
    second = start(config=home / "copy")
    # It speaks to whoever the copied address names only while somebody holds its own lock.
    listening(second)
    assert json.loads(start("review").says())["taken"]
    assert json.loads(first.says()) == ["review", ""]


def test_a_lock_with_a_number_of_a_living_process_in_it_is_no_lock(
    start: Start, home: Path
) -> None:
    place = place_of(home)
    place.folders[0].mkdir(parents=True)
    place.lock_in(place.folders[0]).write_text(f"{os.getpid()}\npython\n")
    listening(start())


def test_a_start_with_other_variables_finds_the_first_all_the_same(
    start: Start, home: Path
) -> None:
    listening(start())
    assert json.loads(start(XDG_RUNTIME_DIR=str(home / "elsewhere")).says())["taken"]


def test_without_a_folder_for_settings_there_is_still_only_one(start: Start, home: Path) -> None:
    (home / "config").mkdir()
    (home / "config" / "instances").write_text("not a folder")
    listening(start())
    assert json.loads(start("review").says())["taken"]


# The one that runs


@pytest.fixture
def instance(home: Path, qtbot: QtBot) -> Iterator[Instance]:
    hold = Hold.take(place_of(home))
    assert hold is not None
    instance = Instance(hold)
    assert instance.listen()
    yield instance
    instance.close()


def from_aside(qtbot: QtBot, call: Callable[[], object]) -> object:
    """What ``call`` gives, called as another process would be: aside of the window's thread."""
    done: list[object] = []
    thread = threading.Thread(target=lambda: done.append(call()))
    thread.start()
    qtbot.waitUntil(lambda: bool(done), timeout=20_000)
    thread.join()
    return done[0]


def speak(qtbot: QtBot, instance: Instance, said: bytes) -> bytes:
    """The raw answer to raw bytes."""

    def call() -> bytes:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(15)
            caller.connect(instance.address)
            heard = b""
            try:
                caller.sendall(said)
                while chunk := caller.recv(4096):
                    heard += chunk
            except (ConnectionError, BrokenPipeError):
                pass
            return heard

    answer = from_aside(qtbot, call)
    assert isinstance(answer, bytes)
    return answer


GOOD = Message(Verb.SEARCH, "flour").encode()


@pytest.mark.parametrize(
    "said",
    [
        b"hunter2-EXAMPLE\n",
        b"\x00\xff\xfehunter2-EXAMPLE\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"\n",
        b'{"daybank": 2, "do": "capture", "text": "hunter2-EXAMPLE"}\n',
        b'{"daybank": 1, "do": "format", "text": "hunter2-EXAMPLE"}\n',
        b'{"daybank": 1, "do": ["show"]}\n',
        b'{"daybank": 1, "do": "capture", "text": ["hunter2-EXAMPLE"]}\n',
        b'{"daybank": 1, "do": "capture", "text": "x", "activation": 7}\n',
        b'{"daybank": 1, "do": "open", "text": "../hunter2-EXAMPLE.md"}\n',
        b'{"daybank": 1, "do": "open", "text": "/notes/\\u0000hunter2-EXAMPLE.md"}\n',
        b"[" * 100_000 + b"\n",
        b'{"daybank": 1, "n": ' + b"9" * 100_000 + b"}\n",
        b'{"daybank": 1, "do": "capture", "text": "' + b"x" * (LARGEST_TEXT + 1) + b'"}\n',
    ],
    ids=lambda said: repr(said[:44]),
)
def test_what_is_no_message_is_refused_and_not_repeated(
    instance: Instance, qtbot: QtBot, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    heard: list[Message] = []
    instance.received.connect(heard.append)
    with caplog.at_level(logging.DEBUG):
        answer = Answer.decode(speak(qtbot, instance, said))
    assert not answer.taken
    assert "not understood" in caplog.text
    assert "hunter2" not in caplog.text + answer.why
    assert speak(qtbot, instance, GOOD) == Answer(True).encode()
    assert heard == [Message(Verb.SEARCH, "flour")]


def test_a_flood_without_an_end_is_cut_off(instance: Instance, qtbot: QtBot) -> None:
    heard: list[Message] = []
    instance.received.connect(heard.append)
    assert speak(qtbot, instance, b"x" * (LARGEST_LINE * 4)) == b""
    assert Answer.decode(speak(qtbot, instance, GOOD)).taken
    assert len(heard) == 1


def test_one_who_says_nothing_is_not_waited_for(
    instance: Instance, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_instance, "SPEAK_WITHIN", 0.2)
    began = time.monotonic()
    assert speak(qtbot, instance, b'{"daybank": 1, "do"') == b""
    assert time.monotonic() - began < 10


def test_many_who_say_nothing_do_not_keep_others_out(
    instance: Instance, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_instance, "SPEAK_WITHIN", 0.3)
    mute = []
    for _ in range(single_instance.MOST_AT_ONCE + 5):
        caller = socket.socket(socket.AF_UNIX)
        caller.connect(instance.address)
        mute.append(caller)
        qtbot.wait(1)

    def gets_through() -> None:
        assert speak(qtbot, instance, GOOD) == Answer(True).encode()

    qtbot.waitUntil(gets_through, timeout=10_000)
    for caller in mute:
        caller.close()


def test_a_long_text_arrives_whole(instance: Instance, qtbot: QtBot) -> None:
    heard: list[Message] = []
    instance.received.connect(heard.append)
    message = Message(Verb.CAPTURE, "хлеб \x07" * (LARGEST_TEXT // 6))
    assert speak(qtbot, instance, message.encode()) == Answer(True).encode()
    assert heard[0].text == "хлеб " * (LARGEST_TEXT // 6)


def test_a_text_that_is_too_long_is_not_cut_but_refused(instance: Instance, home: Path) -> None:
    answer = deliver(Message(Verb.CAPTURE, "x" * (LARGEST_TEXT + 1)), place_of(home))
    assert answer == Answer(False, "The text is too long to be handed over.")


def test_the_first_can_say_no(instance: Instance, start: Start, qtbot: QtBot) -> None:
    instance.received.connect(lambda message: instance.refuse("Not now."))
    second = start("capture", "Bread")
    qtbot.waitUntil(lambda: second.process.poll() is not None, timeout=60_000)
    assert second.process.returncode == 1
    assert second.process.stderr is not None
    assert second.process.stderr.read().startswith("Not now.\n")
    assert second.says() == '{"taken": false, "why": "Not now."}'


def test_only_its_owner_can_reach_it(instance: Instance, home: Path) -> None:
    reached = Path(instance.address)
    assert stat.S_IMODE(reached.lstat().st_mode) & 0o077 == 0
    assert stat.S_IMODE(reached.parent.stat().st_mode) == 0o700
    folder = home / "config" / "instances"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in folder.glob("*.address"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_run_folder_of_somebody_else_is_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "run" / "daybank").symlink_to(home / "notes")
    hold = Hold.take(place_of(home))
    assert hold is not None
    instance = Instance(hold)
    assert instance.listen()
    assert Path(instance.address).parent == home / f"daybank-{os.getuid()}"
    instance.close()


def test_an_address_that_leads_astray_costs_nothing_but_itself(home: Path, qtbot: QtBot) -> None:
    place = place_of(home)
    victim = home / "run" / "daybank" / f"{place.key[:8]}-notes.s"
    victim.parent.mkdir(mode=0o700)
    victim.write_text("a file of the person's")
    place.folders[0].mkdir(parents=True)
    place.address_in(place.folders[0]).write_text(json.dumps({"listens": str(victim)}))
    hold = Hold.take(place)
    assert hold is not None
    instance = Instance(hold)
    assert instance.listen()
    assert victim.read_text() == "a file of the person's"
    instance.close()


def test_while_one_leaves_the_next_waits_and_takes_over(
    instance: Instance, home: Path, qtbot: QtBot
) -> None:
    instance.stop_listening()
    taken: list[Hold | Answer] = []
    place = place_of(home)
    waits = threading.Thread(target=lambda: taken.append(take_or_deliver(place, Message())))
    waits.start()
    qtbot.wait(300)
    assert taken == []
    instance.close()
    waits.join(10)
    assert isinstance(taken[0], Hold)
    taken[0].release()


def test_one_that_never_listens_is_given_up(home: Path) -> None:
    hold = Hold.take(place_of(home))
    assert hold is not None
    answer = take_or_deliver(place_of(home), Message(), start_within=0.3)
    assert answer == Answer(False, "Daybank is open already, and cannot be reached.")
    hold.release()


def test_opening_another_folder_moves_the_lock_along(
    instance: Instance, start: Start, home: Path, qtbot: QtBot
) -> None:
    (home / "others").mkdir()
    heard: list[Message] = []
    instance.received.connect(heard.append)
    assert instance.move_to(home / "others")
    there = place_of(home, notes="others")
    second = start("review", notes=home / "others")
    qtbot.waitUntil(lambda: second.process.poll() == 0, timeout=60_000)
    assert heard == [Message(Verb.REVIEW)]
    freed = Hold.take(place_of(home))
    assert freed is not None
    # And back it cannot go while another has that folder.
    assert not instance.move_to(home / "notes")
    assert instance.place == there
    assert Hold.take(there) is None
    freed.release()


def test_a_listener_that_is_no_daybank_is_not_trusted(home: Path) -> None:
    hold = Hold.take(place_of(home))
    assert hold is not None
    path = home / "run" / "strange.s"
    program = (
        "import socket, sys, time\n"
        "server = socket.socket(socket.AF_UNIX); server.bind(sys.argv[1]); server.listen()\n"
        "print('ready', flush=True)\n"
        "caller, _ = server.accept(); caller.sendall(b'HTTP/1.1 200 OK\\r\\n'); time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE
    ) as strange:
        assert strange.stdout is not None
        assert strange.stdout.readline() == b"ready\n"
        place = place_of(home)
        place.address_in(place.folders[0]).write_text(json.dumps({"listens": str(path)}))
        answer = deliver(Message(Verb.CAPTURE, "Bread"), place, within=20)
        strange.kill()
    assert answer == Answer(False, "Another program answers in the place of Daybank.")
    hold.release()


# Messages


@given(
    st.sampled_from([v for v in Verb if v is not Verb.OPEN]),
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=200),
    st.text("abcXYZ-_/019", max_size=80),
)
def test_a_message_arrives_as_it_was_sent(verb: Verb, text: str, token: str) -> None:
    message = Message(verb, text, token)
    assert Message.decode(message.encode()) == message


@given(st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
def test_no_bytes_make_more_trouble_than_garbled(said: bytes) -> None:
    for read in (Message.decode, Answer.decode):
        try:
            read(said)
        except Garbled as error:
            assert str(error) in (  # noqa: PT017 - that there may be none is the point
                "no JSON",
                "no object",
                "another version",
                "an answer",
            )


def test_the_name_of_a_file_need_not_be_text() -> None:
    message = Message(Verb.OPEN, "/notes/caf\udce9.md")
    assert Message.decode(message.encode()) == message


def test_half_characters_and_control_marks_do_not_reach_the_box() -> None:
    sent = Message(Verb.CAPTURE, "a\x00b\x1b[31m\tc\nd\ud83d")
    assert Message.decode(sent.encode()).text == "ab[31m\tc\nd\N{REPLACEMENT CHARACTER}"


def test_what_a_start_asks_for() -> None:
    environ = {"XDG_ACTIVATION_TOKEN": "token-1", "DESKTOP_STARTUP_ID": "old"}
    assert message_for(environ=environ) == Message(Verb.SHOW, "", "token-1")
    assert message_for(hidden=True, environ={}) == Message(Verb.NOTHING)
    assert message_for(capture="", environ={}) == Message(Verb.CAPTURE)
    assert message_for(capture="Bread", search="x", environ={}) == Message(Verb.CAPTURE, "Bread")
    assert message_for(search="x", hidden=True, environ={}) == Message(Verb.SEARCH, "x")
    assert message_for(review=True, environ={}) == Message(Verb.REVIEW)
    assert message_for(file="/n/a.md", environ={}) == Message(Verb.OPEN, "/n/a.md")
    assert message_for(environ={"DESKTOP_STARTUP_ID": "a\nb"}).activation == ""


def test_a_file_is_found_among_what_qt_is_given(tmp_path: Path) -> None:
    assert take_file(["-style", "fusion"], tmp_path) == ("", ["-style", "fusion"])
    assert take_file(["-style", "fusion", "a.md"], tmp_path) == (
        str(tmp_path / "a.md"),
        ["-style", "fusion"],
    )
    assert take_file(["../Day.MD"], tmp_path / "x") == (str(tmp_path / "Day.MD"), [])
    assert take_file(["file:///notes/a%20b.md"], tmp_path) == ("/notes/a b.md", [])
    assert take_file(["/notes/picture.png"], tmp_path) == ("", ["/notes/picture.png"])


def test_only_a_text_is_printed_back() -> None:
    no = Answer(False, "Not now.")
    assert told(no, Message(Verb.SEARCH, "flour")) == "Not now."
    assert told(no, Message(Verb.CAPTURE)) == "Not now."
    assert told(no, Message(Verb.CAPTURE, "flour")).endswith("\n\nflour")
