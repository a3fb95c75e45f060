"""The command line: exit codes, JSON, one-sentence errors, and nothing that acts on a terminal."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Protocol

import pytest

from daybank import IndexBusy, SystemClock, Workspace
from daybank import workspace as workspace_module
from daybank.cli import main
from daybank.visible import one_line, visible

Make = Callable[..., Workspace]
CORE = Path(__file__).parents[2] / "core"
DAY = """# 2025-11-27

Walked along the river with @Mara.

## Retain

- W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday.
- O(c=0.9) @Peter: Prefers concise replies on WhatsApp.
- W @美咲: 昨日は川沿いを散歩した 🚀
"""


class Run(Protocol):
    def __call__(self, *arguments: str) -> tuple[int, str, str]: ...


@pytest.fixture(autouse=True)
def nobodys_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings, no variables and no folder of the person who runs the tests."""
    for name in ("DAYBANK_WORKSPACE", "OPENCLAW_WORKSPACE_DIR"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    return home


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    (root / "memory").mkdir(parents=True)
    (root / "memory/2025-11-27.md").write_text(DAY, encoding="utf-8")
    return root


@pytest.fixture
def run(notes: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in the notes; its exit code, output and errors."""

    def run(*arguments: str) -> tuple[int, str, str]:
        command, *rest = arguments
        try:
            code = main([command, "--workspace", str(notes), *rest])
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def _process(
    *arguments: str, more: Mapping[str, str] | None = None, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "daybank", *arguments],
        input=stdin,
        env={**os.environ, "PYTHONPATH": str(CORE), **(more or {})},
        capture_output=True,
        check=False,
        timeout=60,
    )


def _one_sentence(text: str) -> None:
    assert text.startswith("daybank: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text


# -- exit codes and shapes


def test_what_is_found_is_printed_with_its_source(run: Run) -> None:
    code, out, err = run("recall", "Marrakech")
    assert (code, err) == (0, "")
    first, second, *_ = out.split("\n")
    assert first.endswith("memory/2025-11-27.md#L7")
    assert second == "  Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday."
    assert "\x1b" not in out


def test_what_is_not_found_is_said_on_stderr_with_its_own_code(run: Run) -> None:
    assert run("recall", "xylophone") == (1, "", "Nothing found for “xylophone”.\n")
    assert run("entity", "Nobody") == (1, "", "Nothing mentions “Nobody”.\n")
    code, out, err = run("recall")
    assert (code, out) == (1, "")
    assert err.count("\n") == 1


def test_the_json_of_recall_has_the_documented_shape(run: Run) -> None:
    code, out, err = run("recall", "what does Peter prefer", "--json", "--since", "2025-11")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert list(answer) == ["query", "results", "notices"]
    assert list(answer["query"]) == ["text", "words", "entities", "since", "until", "kinds"]
    assert answer["query"]["since"] == "2025-11-01"
    assert answer["query"]["entities"] == ["Peter"]
    assert set(answer["results"][0]) == {
        "kind", "timestamp", "entities", "content", "source", "confidence", "id", "score", "why",
    }  # fmt: skip
    timestamps = {str(result["timestamp"]) for result in answer["results"]}
    assert "2025-11-27" in timestamps
    code, out, _ = run("recall", "Marrakech", "--json")
    assert json.loads(out)["results"][0]["timestamp"] == {
        "start": "2025-11-27",
        "end": "2025-12-01",
    }
    code, out, _ = run("recall", "xylophone", "--json")
    assert (code, json.loads(out)["results"]) == (1, [])


def test_the_json_of_health_has_the_documented_shape(run: Run, notes: Path) -> None:
    (notes / "memory/2025-11-27 (conflicted copy).md").write_text(DAY)
    code, out, err = run("health", "--json")
    assert (code, err) == (0, "")
    checks = json.loads(out)["checks"]
    assert all(set(check) == {"id", "level", "message", "sources"} for check in checks)
    assert {check["level"] for check in checks} <= {"ok", "note", "warning", "error"}
    assert checks[0]["id"] == "conflict-copies"
    assert checks[0]["sources"] == ["memory/2025-11-27 (conflicted copy).md"]
    code, out, _ = run("health")
    assert out.startswith("warning  1 copy made by a sync program")


def test_health_fails_when_something_cannot_be_read(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.read_bytes

    def read(place: Path) -> bytes:
        if place.suffix == ".md":
            raise PermissionError(13, "Permission denied")
        return real(place)

    monkeypatch.setattr(Path, "read_bytes", read)
    code, out, _ = run("health")
    assert code == 2
    assert out.startswith("error    memory/2025-11-27.md: ")


def test_the_json_of_an_entity(run: Run) -> None:
    code, out, _ = run("entity", "peter", "--json")
    entity = json.loads(out)["entity"]
    assert (code, entity["name"], entity["mentions"]) == (0, "Peter", 2)
    assert len(entity["facts"]) == 2
    assert run("entity", "Nobody", "--json") == (1, '{\n  "entity": null\n}\n', "")


def test_index_counts_and_says_where_it_is(run: Run, notes: Path) -> None:
    code, out, err = run("index")
    assert (code, err) == (0, "")
    assert "files: 1 new, 0 changed, 0 gone" in out
    assert str(notes / ".memory/index.sqlite") in out
    (notes / "x.sync-conflict-20251128-101500-ABCDEFG.md").write_text("x")
    code, out, err = run("index", "--rebuild")
    assert code == 0
    assert err.startswith("Not searched: x.sync-conflict-")


def test_filters_and_limits(run: Run) -> None:
    assert run("recall", "Peter", "--kind", "opinion")[1].count("memory/") == 1
    assert run("recall", "Peter", "--kind", "OPINION", "--kind", "world")[1].count("memory/") == 2
    assert run("recall", "Peter", "--k", "1")[1].count("memory/") == 1
    assert run("recall", "", "--entity", "peter")[1].count("memory/") == 2
    assert run("recall", "Peter", "--until", "2024")[0] == 1
    assert run("recall", "Peter", "--since", " ")[0] == 0
    assert run("recall", "--budget", "5", "Peter")[2].endswith("did not fit into the budget.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["Marrakech", "-birthday"],
        ["-birthday", "Marrakech"],
        ["Marrakech", "--k", "5", "-birthday"],
        ["--", "Marrakech", "-birthday"],
        ["Marrakech -birthday"],
    ],
)
def test_a_word_with_a_minus_is_a_word_to_leave_out(run: Run, arguments: list[str]) -> None:
    assert run("recall", *arguments)[0] == 1
    assert run("recall", "Marrakech", "-xylophone")[0] == 0


# -- errors in one sentence


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall", "x", "--since", "blorp"],
        ["recall", "x", "--until", "2025-02-30"],
        ["recall", "x", "--since", "2025-12", "--until", "2025-11"],
        ["recall", "x", "--kind", "rumour"],
        ["recall", "x", "--k", "0"],
        ["recall", "x", "--k", "many"],
        ["recall", "x", "--nonsense"],
        ["entity", "x", "-y"],
        ["entity"],
        ["add"],
        ["add", "  "],
        ["add", "W@Peter: no space"],
        ["add", "O(c=7) @Peter: Too sure."],
        ["frobnicate"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_said_in_one_sentence(run: Run, notes: Path, arguments: list[str]) -> None:
    before = (notes / "memory/2025-11-27.md").read_bytes()
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    _one_sentence(err)
    assert [p.name for p in (notes / "memory").iterdir()] == ["2025-11-27.md"]
    assert (notes / "memory/2025-11-27.md").read_bytes() == before


def test_no_command_at_all_is_said_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 2
    _one_sentence(capsys.readouterr().err)


@pytest.mark.parametrize("place", ["nowhere", "file.md", "~nosuchuser/x"])
def test_no_folder_is_said_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    (tmp_path / "file.md").write_text("")
    path = place if place.startswith("~") else str(tmp_path / place)
    for command in (["recall", "x"], ["index"], ["health"], ["add", "x"], ["entity", "x"]):
        assert main([*command, "--workspace", path]) == 2
        _one_sentence(capsys.readouterr().err)


def test_no_folder_chosen_says_how_to_choose_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recall", "x"]) == 2
    err = capsys.readouterr().err
    _one_sentence(err)
    assert "--workspace FOLDER" in err


def test_an_unreadable_folder_is_said_in_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(workspace_module.os, "scandir", fail)
    code, _, err = run("recall", "x")
    assert code == 2
    _one_sentence(err)


@pytest.mark.parametrize("command", [["recall", "x"], ["index"], ["health"]], ids=str)
def test_an_index_without_a_place_is_said_in_one_sentence(
    run: Run, tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    code, out, err = run(*command, "--index-dir", str(tmp_path / "file"))
    assert (code, out) == (2, "")
    _one_sentence(err)


def test_with_an_index_that_cannot_be_written_now_the_old_one_answers(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("index")

    def busy(*_: object, **__: object) -> None:
        raise IndexBusy("Another Daybank is reading this folder.", "Try again.")

    monkeypatch.setattr(Workspace, "sync", busy)
    code, out, err = run("recall", "Marrakech")
    assert (code, err.count("\n")) == (0, 1)
    assert "Marrakech" in out
    assert "Another Daybank" in err
    code, out, _ = run("recall", "Marrakech", "--json")
    assert [notice["id"] for notice in json.loads(out)["notices"]] == ["stale"]
    assert run("index")[0] == 2
    assert run("health")[0] == 0


def test_a_note_that_is_saved_but_not_indexed_yet_is_no_failure(
    run: Run, monkeypatch: pytest.MonkeyPatch, notes: Path
) -> None:
    def busy(*_: object, **__: object) -> None:
        raise IndexBusy("Another Daybank is reading this folder.", "Try again.")

    monkeypatch.setattr(Workspace, "sync", busy)
    code, out, err = run("add", "W @Peter: Likes figs.")
    assert code == 0
    assert out.startswith("Added to memory/")
    assert err.startswith("The note is saved, but not searched yet.")
    assert len(list((notes / "memory").iterdir())) == 2


def test_a_bug_is_not_dressed_up_as_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(Workspace, "recall", fail)
    with pytest.raises(ValueError, match="a bug"):
        run("recall", "x")


def test_stopping_it_is_said_in_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "sync", stop)
    code, _, err = run("index")
    assert code == 130
    _one_sentence(err)


# -- which folder


def test_the_folder_is_chosen_in_the_documented_order(
    tmp_path: Path, nobodys_settings: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    names = ["named", "variable", "chosen", "claw"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text(f"- apple {name}\n")
    home = nobodys_settings / ".openclaw/workspace"
    home.mkdir(parents=True)
    (home / "a.md").write_text("- apple home\n")
    (nobodys_settings / ".config/daybank").mkdir(parents=True)
    settings = nobodys_settings / ".config/daybank/settings.json"
    settings.write_text(json.dumps({"workspace": str(tmp_path / "chosen")}))
    monkeypatch.setenv("DAYBANK_WORKSPACE", str(tmp_path / "variable"))
    monkeypatch.setenv("OPENCLAW_WORKSPACE_DIR", str(tmp_path / "claw"))

    def found(*more: str) -> str:
        assert main(["recall", "apple", *more]) == 0
        return capsys.readouterr().out.split()[-1]

    assert found("--workspace", str(tmp_path / "named")) == "named"
    assert found() == "variable"
    monkeypatch.delenv("DAYBANK_WORKSPACE")
    assert found() == "chosen"
    settings.write_text("{broken")
    assert found() == "claw"
    monkeypatch.delenv("OPENCLAW_WORKSPACE_DIR")
    assert found() == "home"


def test_a_synced_folder_keeps_its_index_in_the_cache(
    notes: Path, nobodys_settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = nobodys_settings / ".config/daybank/settings.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"workspace": str(notes), "index_outside": True}))
    (notes / ".memory/vectors").mkdir(parents=True)
    (notes / ".memory/index.sqlite").write_bytes(b"from before")
    assert main(["index"]) == 0
    assert str(nobodys_settings / ".cache") in capsys.readouterr().out
    assert not (notes / ".memory/index.sqlite").exists()
    assert not (notes / ".memory/vectors").exists()


def test_a_deleted_state_folder_comes_back_with_the_same_answers(run: Run, notes: Path) -> None:
    queries = ["Marrakech", "what does Peter prefer", "散歩", "river"]
    run("index")
    before = [run("recall", query, "--json")[1] for query in queries]
    shutil.rmtree(notes / ".memory")
    run("index")
    assert [run("recall", query, "--json")[1] for query in queries] == before


def test_recall_without_looking_at_the_files(run: Run, notes: Path) -> None:
    code, _, err = run("recall", "Marrakech", "--no-sync")
    assert (code, err.count("\n")) == (1, 1)
    assert "daybank index" in err
    run("index")
    (notes / "b.md").write_text("- xylophone\n")
    assert run("recall", "xylophone", "--no-sync")[0] == 1
    assert run("recall", "xylophone")[0] == 0


def test_a_new_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(tmp_path / "fresh")]) == 0
    assert "fresh" in capsys.readouterr().out
    (tmp_path / "file").write_text("")
    assert main(["new", str(tmp_path / "file")]) == 2
    _one_sentence(capsys.readouterr().err)


# -- adding


def test_a_note_is_added_and_found_at_once(run: Run, notes: Path) -> None:
    code, out, _ = run("add", "W", "@美咲:", "散歩が好き", "🚀", "--json")
    added = json.loads(out)
    assert (code, added["kind"]) == (0, "world")
    assert added["id"].startswith("f-")
    path = added["source"].partition("#")[0]
    assert "- W @美咲: 散歩が好き 🚀\n" in (notes / path).read_text(encoding="utf-8")
    assert added["id"] in run("recall", "散歩が好き", "--no-sync", "--json")[1]


def test_a_note_may_begin_with_a_minus_or_hold_one(run: Run) -> None:
    assert run("add", "- W @Peter: It was -5 outside.")[0] == 0
    assert run("add", "it", "was", "-5", "outside")[0] == 0
    assert "it was -5 outside" in run("recall", "outside")[1]


@pytest.mark.parametrize(
    "data", ["W @Zoë: Likes 散歩.\n".encode(), "\ufeffW @Zoë: Likes 散歩.\r\n".encode()]
)
def test_a_note_comes_from_standard_input(
    run: Run, notes: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))
    assert run("add", "-")[0] == 0
    today = datetime.now().astimezone().date().isoformat()
    assert "- W @Zoë: Likes 散歩.\n" in (notes / f"memory/{today}.md").read_text(encoding="utf-8")


def test_standard_input_that_is_no_text_is_refused(
    run: Run, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9"), encoding="utf-8"))
    code, _, err = run("add", "-")
    assert code == 2
    _one_sentence(err)
    assert len(list((notes / "memory").iterdir())) == 1


# -- terminals and pipes

NASTY = "red \x1b[31malert\x07 \x9b2J over\u202ethere \u2066x\u2069 \u200e\u061c\x7f end\x00"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> _Terminal:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return _Terminal()


def _acts(text: str) -> set[str]:
    return {c for c in text if one_line(c) == "·" and c != "·"} - {"\n"}


def test_text_that_acts_on_a_terminal_is_shown_and_does_nothing(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "memory/2025-11-28.md").write_text(
        f"## {NASTY}\n\n- W @[Mal{NASTY}lory]: {NASTY} xylophone\n", encoding="utf-8"
    )
    (notes / "b\u202egnp.md").write_text("- xylophone\n")
    commands = [
        ["recall", "xylophone"],
        ["recall", "xylophone", "--json"],
        ["recall", NASTY.replace("\x00", "")],
        ["entity", f"no{NASTY}body".replace("\x00", "")],
        ["entity", "xylophone"],
        ["index"],
        ["health"],
        ["health", "--json"],
        ["add", "W@" + NASTY],
    ]
    for command in commands:
        main([*command, "--workspace", str(notes)])
        captured = capsys.readouterr()
        assert _acts(captured.out) == set(), command
        assert _acts(captured.err) == set(), command


def test_json_says_the_same_whether_escaped_or_not(run: Run, notes: Path) -> None:
    (notes / "a.md").write_text("- over\u202ethere xylophone\n", encoding="utf-8")
    _, out, _ = run("recall", "xylophone", "--json")
    assert "\\u202e" in out
    with Workspace(workspace_module.WorkspaceFolder(notes), SystemClock()) as ws:
        content = ws.recall("xylophone").results[0].content
    assert json.loads(out)["results"][0]["content"] == content


def test_colours_are_for_terminals_only(
    notes: Path, terminal: _Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", terminal)
    main(["recall", "Marrakech", "--workspace", str(notes)])
    assert "\x1b[36mworld" in terminal.getvalue()
    assert "\x1b[1;33mMarrakech\x1b[0m" in terminal.getvalue()
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            terminal.seek(0)
            terminal.truncate()
            main(["recall", "Marrakech", "--workspace", str(notes)])
            assert "Marrakech" in terminal.getvalue()
            assert "\x1b" not in terminal.getvalue()


def test_json_is_never_coloured(
    notes: Path, terminal: _Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", terminal)
    main(["recall", "Marrakech", "--json", "--workspace", str(notes)])
    assert "\x1b" not in terminal.getvalue()
    assert json.loads(terminal.getvalue())["results"]


def test_what_is_invisible_is_shown_and_ordinary_text_is_left() -> None:
    plain = "Ζωή, אבא, 散歩, 👩‍👩‍👧, é, tab\tand\nline"
    assert visible(plain) == plain
    assert visible("\x1b[31m") == "·[31m"
    assert one_line("a\nb\tc") == "a·b c"


def test_a_reader_that_goes_away_is_no_error(notes: Path) -> None:
    (notes / "many.md").write_text("".join(f"- apple number {n}\n" * 3 for n in range(3000)))
    script = (
        f'"{sys.executable}" -m daybank recall apple --k 3000 --workspace "{notes}" | head -n 1;'
        ' echo "${PIPESTATUS[0]}"'
    )
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PYTHONPATH": str(CORE)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.split("\n")[1] == "0"


@pytest.mark.parametrize(
    "more",
    [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=["ascii", "C locale"],
)
def test_a_terminal_without_unicode_stops_nothing(notes: Path, more: dict[str, str]) -> None:
    for command in (["recall", "散歩"], ["recall", "散歩", "--json"], ["recall", "nichts da ü"]):
        done = _process(*command, "--workspace", str(notes), more=more)
        assert b"Traceback" not in done.stderr
        assert done.returncode in (0, 1)
    done = _process("recall", "concise", "--json", "--workspace", str(notes), more=more)
    assert json.loads(done.stdout)["results"]


def test_arguments_that_are_no_text_stop_nothing(notes: Path) -> None:
    bad = os.fsdecode(b"caf\xe9")
    for command in (["recall", bad], ["entity", bad], ["recall", "x", "--since", bad]):
        done = _process(*command, "--workspace", str(notes))
        assert b"Traceback" not in done.stderr
        assert done.returncode in (1, 2)
    done = _process("add", bad, "--workspace", str(notes))
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    done = _process("recall", "x", "--workspace", bad)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_full_disk_behind_the_output_is_no_traceback(notes: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "daybank", "recall", "Peter", "--workspace", str(notes)],
            env={**os.environ, "PYTHONPATH": str(CORE)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    _one_sentence(done.stderr)


def test_the_version_and_the_help_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--version"], ["--help"], ["recall", "--help"], ["add", "--help"]):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 0
        assert capsys.readouterr().out
