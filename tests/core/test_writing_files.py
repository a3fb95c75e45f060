"""A person's file is written whole or not at all, and nothing typed is ever lost."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from daybank import NoteNotSaved, PathRefused, Workspace
from daybank import workspace as workspace_module

Make = Callable[..., Workspace]
LOG = "memory/2026-11-26.md"
OLD = "# 2026-11-26\r\n\r\n" + "".join(f"- written by hand {n}\r\n" for n in range(20))
NOTE = "W @Peter: Likes figs."


@pytest.fixture
def ws(make_workspace: Make) -> Workspace:
    return make_workspace({LOG: OLD, "b.md": "- other\n"})


def _only_notes_are_left(ws: Workspace) -> bool:
    ws.sync()
    return not [p for p in ws.path.rglob("*") if "writing" in p.name]


class _FullDisk:
    """An open file whose disk is full after half of what is written."""

    def __init__(self, file: object) -> None:
        self.file = file

    def __enter__(self) -> _FullDisk:
        return self

    def __exit__(self, *rest: object) -> None:
        self.file.close()  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)

    def write(self, data: bytes) -> int:
        self.file.write(data[: len(data) // 2])  # type: ignore[attr-defined]
        raise OSError(errno.ENOSPC, "No space left on device")


class _ShortWrites(_FullDisk):
    """An open file that takes only half of what is written and says nothing."""

    def write(self, data: bytes) -> int:
        return int(self.file.write(data[: len(data) // 2]))  # type: ignore[attr-defined]


def _with_file(monkeypatch: pytest.MonkeyPatch, kind: type[_FullDisk]) -> None:
    real = open

    def fake(place: object, mode: str = "r", *rest: object, **more: object) -> object:
        file = real(place, mode, *rest, **more)  # type: ignore[call-overload]
        return kind(file) if "daybank-writing" in str(place) else file

    monkeypatch.setattr(workspace_module, "open", fake, raising=False)


def _full_on_write(monkeypatch: pytest.MonkeyPatch) -> None:
    _with_file(monkeypatch, _FullDisk)


def _short_write(monkeypatch: pytest.MonkeyPatch) -> None:
    _with_file(monkeypatch, _ShortWrites)


def _full_on_fsync(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)


def _failing_replace(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "replace", fail)


def _locked_by_a_scanner(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(errno.EACCES, "in use")

    monkeypatch.setattr(os, "replace", fail)


def _no_temporary_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_module.secrets, "token_hex", lambda _: "x" * 300)


TROUBLES = [
    _full_on_write,
    _short_write,
    _full_on_fsync,
    _failing_replace,
    _locked_by_a_scanner,
    _no_temporary_file,
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda f: f.__name__.strip("_"))
@pytest.mark.parametrize("is_new", [False, True], ids=["existing log", "new log"])
def test_when_the_disk_refuses_the_log_is_as_it_was_and_the_text_is_kept(
    ws: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[pytest.MonkeyPatch], None],
    is_new: bool,
) -> None:
    log = ws.path / LOG
    if is_new:
        log.unlink()
    before = None if is_new else log.read_bytes()
    with monkeypatch.context() as patch:
        trouble(patch)
        with pytest.raises(NoteNotSaved) as caught:
            ws.add(NOTE)
    assert caught.value.text == NOTE
    assert caught.value.message.endswith("The file is as it was.")
    assert (log.read_bytes() if log.exists() else None) == before
    assert _only_notes_are_left(ws)
    ws.add(NOTE)
    assert "Likes figs." in log.read_text()


def test_a_replace_refused_a_few_times_succeeds(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tries = os.replace, []

    def replace(source: str, target: str) -> None:
        if len(tries) < 3:
            tries.append(1)
            raise PermissionError(errno.EACCES, "in use")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    ws.add(NOTE)
    assert len(tries) == 3
    assert "Likes figs." in (ws.path / LOG).read_text()


def test_a_kill_between_writing_and_replacing_leaves_the_old_log(ws: Workspace) -> None:
    code = (
        "import os, sys\nfrom daybank import open_workspace\nfrom datetime import date\n"
        "os.replace = lambda *a: os.kill(os.getpid(), 9)\n"
        "with open_workspace(sys.argv[1]) as ws:\n"
        "    ws.add('W @Peter: Likes figs.', day=date(2026, 11, 26))\n"
    )
    core = str(Path(__file__).parents[2] / "core")
    done = subprocess.run(
        [sys.executable, "-c", code, str(ws.path)],
        env={**os.environ, "PYTHONPATH": core},
        check=False,
        timeout=60,
    )
    assert done.returncode == -9
    assert (ws.path / LOG).read_bytes() == OLD.encode()
    assert len(list((ws.path / "memory").glob(".daybank-writing-*"))) == 1
    assert not ws.recall("figs").results
    assert _only_notes_are_left(ws)
    ws.add(NOTE)  # the dead one's lock is free
    assert (ws.path / LOG).read_bytes().startswith(OLD.encode())


def test_a_leftover_of_a_writer_that_still_lives_is_left_to_it(ws: Workspace) -> None:
    temp = ws.path / "memory/.daybank-writing-00ff.tmp"
    temp.write_text("in the making")
    with ws._folder.writing():
        worker = threading.Thread(target=ws.sync)
        worker.start()
        worker.join(20)
        assert temp.exists()
    assert _only_notes_are_left(ws)


def test_adding_keeps_every_byte_that_was_there(ws: Workspace) -> None:
    ws.add(NOTE)
    ws.add("A plain line.")
    text = (ws.path / LOG).read_bytes().decode()
    assert [line for line in text.split("\r\n") if "by hand" in line] == [
        f"- written by hand {n}" for n in range(20)
    ]
    assert "\n" not in text.replace("\r\n", "")


@pytest.mark.parametrize(
    ("protected", "mode"), [(LOG, 0o444), ("memory", 0o555), (LOG, 0o000)], ids=str
)
def test_a_protected_log_or_folder_is_left_alone_and_the_reason_said(
    ws: Workspace, protected: str, mode: int
) -> None:
    place = ws.path / protected
    before = (ws.path / LOG).read_bytes()
    usual = stat.S_IMODE(place.stat().st_mode)
    place.chmod(mode)
    try:
        with pytest.raises(NoteNotSaved) as caught:
            ws.add(NOTE)
        assert "You may not read or write there." in caught.value.message
        assert caught.value.text == NOTE
        assert stat.S_IMODE(place.stat().st_mode) == mode
    finally:
        place.chmod(usual)
    assert (ws.path / LOG).read_bytes() == before
    assert _only_notes_are_left(ws)


def test_no_folder_is_made_in_a_protected_workspace(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n"})
    ws.path.chmod(0o555)
    try:
        with pytest.raises(NoteNotSaved):
            ws.add(NOTE)
        assert not (ws.path / "memory").exists()
    finally:
        ws.path.chmod(0o755)


def test_the_mode_is_kept(ws: Workspace) -> None:
    (ws.path / LOG).chmod(0o640)
    ws.add(NOTE)
    assert stat.S_IMODE((ws.path / LOG).stat().st_mode) == 0o640


def test_a_link_inside_the_folder_is_written_through(ws: Workspace) -> None:
    real = ws.path / "real.md"
    (ws.path / LOG).rename(real)
    (ws.path / LOG).symlink_to("../real.md")
    ws.add(NOTE)
    assert (ws.path / LOG).is_symlink()
    assert "Likes figs." in real.read_text()


def test_a_link_out_of_the_folder_is_not_written(ws: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("mine\n")
    (ws.path / LOG).unlink()
    (ws.path / LOG).symlink_to(outside)
    with pytest.raises(PathRefused):
        ws.add(NOTE)
    assert outside.read_text() == "mine\n"


def test_a_log_with_a_second_name_keeps_it(ws: Workspace) -> None:
    os.link(ws.path / LOG, ws.path / "second.md")
    ws.add(NOTE)
    ws.add("A plain line.")
    first, second = ws.path / LOG, ws.path / "second.md"
    assert first.samefile(second)
    assert "Likes figs." in second.read_text()
    assert _only_notes_are_left(ws)


def test_a_log_with_a_second_name_is_put_back_when_the_disk_is_full(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.link(ws.path / LOG, ws.path / "second.md")
    real, calls = os.fsync, []

    def fail_once(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 2:  # after the temporary file: the file itself
            raise OSError(errno.ENOSPC, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", fail_once)
    with pytest.raises(NoteNotSaved):
        ws.add(NOTE)
    assert (ws.path / LOG).read_bytes() == OLD.encode()
    assert (ws.path / LOG).samefile(ws.path / "second.md")


def test_an_edit_by_another_program_in_between_is_not_overwritten(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, done = workspace_module._flush, []

    def in_between(file: object, length: int) -> None:
        real(file, length)  # type: ignore[arg-type]
        if not done:
            done.append(1)
            with open(ws.path / LOG, "ab") as log:
                log.write(b"- from the editor\r\n")

    monkeypatch.setattr(workspace_module, "_flush", in_between)
    ws.add(NOTE)
    text = (ws.path / LOG).read_text()
    assert "from the editor" in text
    assert text.count("Likes figs.") == 1


def test_a_file_that_never_rests_is_told_of(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_module, "_replace", lambda *_: False)
    with pytest.raises(NoteNotSaved) as caught:
        ws.add(NOTE)
    assert "keeps changing it" in caught.value.message
    assert caught.value.text == NOTE


def test_while_another_program_saves_the_text_is_kept(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = workspace_module.WorkspaceFolder.writing
    monkeypatch.setattr(
        workspace_module.WorkspaceFolder, "writing", lambda folder: real(folder, wait_seconds=0.1)
    )
    holding, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with real(ws._folder):
            holding.set()
            let_go.wait(20)

    holder = threading.Thread(target=hold)
    holder.start()
    assert holding.wait(20)
    try:
        with pytest.raises(NoteNotSaved) as caught:
            ws.add(NOTE)
        assert "Another Daybank is saving right now." in caught.value.message
        assert caught.value.text == NOTE
    finally:
        let_go.set()
        holder.join()
    ws.add(NOTE)


def test_programs_that_keep_their_index_elsewhere_share_the_lock(
    ws: Workspace, tmp_path: Path
) -> None:
    from daybank import open_workspace

    with open_workspace(ws.path, index_dir=tmp_path / "elsewhere") as other, ws._folder.writing():
        worker_result: list[object] = []

        def want() -> None:
            try:
                with other._folder.writing(wait_seconds=0.1):
                    worker_result.append("let in")
            except PathRefused as error:
                worker_result.append(error)

        worker = threading.Thread(target=want)
        worker.start()
        worker.join(10)
    assert isinstance(worker_result[0], PathRefused)
