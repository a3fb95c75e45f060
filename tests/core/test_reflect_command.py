"""The commands reflect, review and opinions: exit codes, JSON, and sentences for a person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

import pytest
from core_tools import retain, write_files
from filelock import FileLock

from daybank import open_workspace
from daybank.cli import main
from daybank.review.proposal import Decision

PAGE = "bank/opinions.md"
FILES = {
    "memory/2026-05-01.md": retain("O(c=0.6) @Mara: Prefers tea over coffee."),
    "memory/2026-05-02.md": retain("O @Zed: Is tall."),
    PAGE: "# Opinions\n\n- O(c=0.5) @Ida: Sings\n",
}


class Run(Protocol):
    def __call__(self, *arguments: str) -> tuple[int, str, str]: ...


@pytest.fixture(autouse=True)
def nobodys_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("DAYBANK_WORKSPACE", "OPENCLAW_WORKSPACE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    write_files(root, FILES)
    return root


@pytest.fixture
def run(notes: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main([*arguments, "--workspace", str(notes)])
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def opinions_only(run: Run) -> str:
    """Reflect on opinions; the id of the suggestion for their page."""
    assert run("reflect", "--phase", "opinions")[0] == 0
    return waiting(run)[0]["id"]


def waiting(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("review", "list", "--json")[1])["proposals"]
    return found


def test_reflect_says_what_it_suggests_and_how_to_go_on(run: Run) -> None:
    code, out, err = run("reflect", "--phase", "opinions")
    assert (code, err) == (0, "")
    pid = waiting(run)[0]["id"]
    assert out.startswith(f"{pid}  {PAGE}\n  - Written down on 1 May 2026, 60 % sure")
    assert "2 new changes suggested" in out
    assert "daybank review show ID" in out


def test_reflect_again_says_that_nothing_is_new(run: Run) -> None:
    run("reflect")
    code, out, _ = run("reflect")
    assert code == 0
    assert "Nothing new since the last reflection." in out
    assert "still waiting" in out


def test_reflect_as_json_is_the_report(run: Run) -> None:
    code, out, _ = run("reflect", "--json", "--phase", "opinions")
    report = json.loads(out)
    assert code == 0
    assert (report["facts"], report["new"], report["dry_run"], report["error"]) == (
        2,
        2,
        False,
        None,
    )
    assert {item["target"] for item in report["proposed"]} == {PAGE}


def test_a_dry_run_shows_the_lines_and_keeps_nothing(run: Run, notes: Path) -> None:
    code, out, _ = run("reflect", "--dry-run", "--phase", "opinions")
    assert code == 0
    assert "+ - O(c=0.60) @Mara: Prefers tea over coffee ^op-" in out
    assert run("review", "list")[0] == 1
    assert not (notes / ".memory/reflection").exists()


def test_what_was_skipped_is_listed_with_its_reason(run: Run, notes: Path) -> None:
    write_files(notes, {"memory/2026-05-03.md": retain("W @Mara: Bought a bicycle.")})
    _, out, _ = run("reflect", "--skipped", "--phase", "opinions")
    assert "skipped memory/2026-05-03.md#L3 “Bought a bicycle.”: It speaks for or against" in out


def test_a_day_that_cannot_be_read_and_a_part_that_is_none_are_refused(run: Run) -> None:
    assert run("reflect", "--since", "someday")[0] == 2
    assert run("reflect", "--phase", "gossip")[0] == 2


def test_the_list_as_json_has_the_agreed_shape(run: Run) -> None:
    pid = opinions_only(run)
    (proposal,) = waiting(run)
    assert list(proposal) == ["id", "target", "state", "phase", "reason", "hunks", "created"]
    assert (proposal["id"], proposal["target"]) == (pid, PAGE)
    assert (proposal["state"], proposal["phase"]) == ("waiting", "opinions")
    hunk = proposal["hunks"][0]
    assert hunk["decision"] == "waiting"
    assert hunk["old"] == []
    assert hunk["evidence"][0]["day"] == "2026-05-01"
    assert hunk["evidence"][0]["source"] == "memory/2026-05-01.md#L3"
    assert proposal["created"].startswith("20")


def test_an_empty_list_is_json_too_and_ends_with_1(run: Run) -> None:
    code, out, err = run("review", "list", "--json")
    assert (code, json.loads(out), err) == (1, {"proposals": []}, "")
    assert run("review", "list")[::2] == (1, "Nothing is waiting.\n")


def test_show_prints_reasons_sources_and_a_diff(run: Run) -> None:
    pid = opinions_only(run)
    code, out, _ = run("review", "show", pid)
    assert code == 0
    assert "Change 1  Written down on 1 May 2026, 60 % sure" in out
    assert "1 May 2026 · memory/2026-05-01.md#L3  Prefers tea over coffee." in out
    assert "--- a/bank/opinions.md" in out
    assert "+- O(c=0.60) @Mara" in out
    assert json.loads(run("review", "show", pid, "--json")[1])["id"] == pid


def test_an_id_may_be_shortened_while_it_is_one(run: Run, notes: Path) -> None:
    pid = opinions_only(run)
    assert run("review", "show", pid[:5])[0] == 0
    write_files(notes, {"memory/2026-05-03.md": "# 3\n\nMara decided on 3 May 2026 to move.\n"})
    run("reflect", "--phase", "retain", "--since", "2026-05-01")
    code, _, err = run("review", "show", "p-")
    assert code == 2
    assert "2 suggestions begin with “p-”. Give more of the id." in err


@pytest.mark.parametrize("action", ["show", "approve", "reject", "never", "undo"])
@pytest.mark.parametrize("pid", ["p-nothing", "../../etc/passwd", "", "p-\x1b[2J"])
def test_an_unknown_id_is_a_sentence(run: Run, action: str, pid: str) -> None:
    code, out, err = run("review", action, pid)
    assert (code, out) == (2, "")
    assert "There is no such suggestion." in err
    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_approve_writes_and_undo_takes_back(run: Run, notes: Path) -> None:
    before = (notes / PAGE).read_bytes()
    pid = opinions_only(run)
    code, out, _ = run("review", "approve", pid)
    assert code == 0
    assert out == f"Saved in {PAGE}. Take it back with daybank review undo {pid}.\n"
    assert (notes / PAGE).read_bytes().startswith(before)
    assert "already" in run("review", "approve", pid)[1]
    assert run("review", "undo", pid)[:2] == (
        0,
        f"Taken back from {PAGE}. daybank review reopen {pid} suggests it again.\n",
    )
    assert (notes / PAGE).read_bytes() == before
    assert f"{pid}  {PAGE}, 2 changes (undone)" in run("review", "list", "--all")[1]


def test_only_the_chosen_change_is_written_and_the_other_waits(run: Run, notes: Path) -> None:
    pid = opinions_only(run)
    code, out, _ = run("review", "approve", pid, "--change", "2")
    text = (notes / PAGE).read_text()
    assert "@Zed" in text
    assert "@Mara" not in text
    (rest,) = waiting(run)
    assert code == 0
    assert out == (
        f"Saved in {PAGE}. 1 other change waits as {rest['id']}."
        f" Take it back with daybank review undo {pid}.\n"
    )
    code, out, err = run("review", "approve", pid, "--change", "1")
    assert (code, out) == (2, "")
    assert "saved already. A change of it that was not chosen then waits" in err
    assert run("review", "approve", rest["id"])[0] == 0
    assert "@Mara" in (notes / PAGE).read_text()


def test_nothing_is_said_to_be_saved_where_every_change_was_rejected(run: Run, notes: Path) -> None:
    pid = opinions_only(run)
    with open_workspace(notes) as workspace:
        for index in (0, 1):
            workspace.decide(pid, index, Decision.REJECTED)
    code, out, _ = run("review", "approve", pid)
    assert (code, out) == (
        0, f"Nothing was saved in {PAGE}: every change of {pid} is rejected.\n",
    )  # fmt: skip
    assert (notes / PAGE).read_text() == FILES[PAGE]
    assert run("review", "approve", pid)[0] == 2


def test_what_was_rejected_waits_again(run: Run) -> None:
    pid = opinions_only(run)
    run("review", "never", pid)
    topics = json.loads(run("review", "nevers", "--json")[1])["topics"]
    assert len(topics) == 2
    assert run("review", "nevers")[:2] == (0, "".join(f"{topic}\n" for topic in topics))
    assert run("review", "forget", topics[0])[1] == f"“{topics[0]}” may be suggested again.\n"
    assert run("review", "forget", topics[0])[0] == 1
    assert run("review", "reopen", pid)[:2] == (0, f"{pid} waits again, for {PAGE}.\n")
    assert [p["id"] for p in waiting(run)] == [pid]
    assert run("review", "nevers")[::2] == (1, "No topic is kept from being suggested.\n")
    code, _, err = run("review", "reopen", pid)
    assert (code, "waiting already" in err) == (2, True)


@pytest.mark.parametrize("action", ["reject", "never", "undo", "reopen"])
def test_only_approving_takes_all(run: Run, action: str) -> None:
    opinions_only(run)
    code, out, err = run("review", action, "all")
    assert (code, out) == (2, "")
    assert err.startswith("daybank: Only approve takes “all”.")
    assert len(waiting(run)) == 1


@pytest.mark.parametrize("number", ["0", "3", "-1"])
def test_a_change_that_is_not_there_is_refused(run: Run, notes: Path, number: str) -> None:
    pid = opinions_only(run)
    for action in ("approve", "reject", "never"):
        assert run("review", action, pid, f"--change={number}")[0] == 2
    assert (notes / PAGE).read_text() == FILES[PAGE]
    assert len(waiting(run)) == 1


def test_a_choice_of_changes_goes_with_one_suggestion(run: Run, notes: Path) -> None:
    opinions_only(run)
    code, _, err = run("review", "approve", "all", "--change", "1")
    assert code == 2
    assert "--change goes with one suggestion" in err
    assert (notes / PAGE).read_text() == FILES[PAGE]


def test_reject_keeps_it_away(run: Run) -> None:
    pid = opinions_only(run)
    assert run("review", "reject", pid)[:2] == (0, "Rejected. It does not come back.\n")
    run("reflect", "--phase", "opinions")
    assert waiting(run) == []
    assert run("review", "reject", pid)[0] == 2


def test_never_keeps_the_like_away(run: Run, notes: Path) -> None:
    pid = opinions_only(run)
    assert run("review", "never", pid, "--change", "1")[0] == 0
    more = {"memory/2026-05-09.md": retain("O(c=0.9) @Mara: Prefers tea over coffee.")}
    write_files(notes, more)
    run("reflect", "--phase", "opinions")
    open_changes = [h for p in waiting(run) for h in p["hunks"] if h["decision"] == "waiting"]
    assert "Mara" not in json.dumps(open_changes)


def test_one_that_is_refused_keeps_no_other_from_being_saved(run: Run, notes: Path) -> None:
    opinions_only(run)
    with open_workspace(notes) as workspace:
        (other,) = workspace.proposals()
    write_files(notes, {PAGE: "# Edited meanwhile\n\n- O(c=0.5) @Ida: Sings\n"})
    code, out, err = run("review", "approve", "p-nothing", other.id)
    assert code == 2
    assert out == ""
    assert "p-nothing: There is no such suggestion." in err
    assert f"daybank review show {other.id}" in err
    code, out, err = run("review", "approve", "all")
    assert (code, err) == (0, "")
    assert out == f"Saved in {PAGE} ({other.id}).\n"


def test_approve_all_says_what_was_refused_and_saves_the_rest(run: Run, notes: Path) -> None:
    write_files(notes, {"memory/2026-05-03.md": "# 3\n\nMara decided on 3 May 2026 to move.\n"})
    run("reflect", "--phase", "opinions")
    run("reflect", "--phase", "retain", "--since", "2026-05-01")
    targets = {p["target"] for p in waiting(run)}
    assert targets == {PAGE, "memory/2026-05-03.md"}
    write_files(notes, {PAGE: "# Edited meanwhile\n"})
    code, out, err = run("review", "approve", "all")
    assert code == 2
    assert "Saved in memory/2026-05-03.md" in out
    assert f"daybank: {PAGE}: “{PAGE}” was edited" in err


def test_nothing_to_approve_ends_with_1(run: Run) -> None:
    assert run("review", "approve", "all")[::2] == (1, "Nothing is waiting.\n")


def test_opinions_are_listed_with_their_history(run: Run) -> None:
    run("review", "approve", opinions_only(run))
    code, out, _ = run("opinions")
    assert code == 0
    assert [line.split("  ")[0].strip() for line in out.splitlines()] == ["50 %", "60 %", "70 %"]
    code, out, _ = run("opinions", "mara", "--history")
    assert " 60 %  Mara: Prefers tea over coffee  bank/opinions.md#L4-L6" in out
    assert "1 May 2026" in out
    assert "first written" in out
    assert run("opinions", "Nobody")[::2] == (
        1,
        "No opinion about “Nobody” is written down.\n",
    )


def test_opinions_as_json(run: Run) -> None:
    code, out, _ = run("opinions", "Mara", "--json")
    (opinion,) = json.loads(out)["opinions"]
    assert code == 0
    assert (opinion["statement"], opinion["confidence"]) == ("Prefers tea over coffee", 0.6)
    assert opinion["on_page"] is False
    assert [step["key"] for step in opinion["history"]] == ["start"]
    code, out, _ = run("opinions", "Nobody", "--json")
    assert (code, json.loads(out)) == (1, {"opinions": []})


def test_no_text_of_a_page_acts_on_the_terminal(run: Run, notes: Path) -> None:
    nasty = "O @Mara: Likes \x1b]0;tea\x07 and \x1b[31mred\x1b[0m \u202e\u2066cake\x9b."
    write_files(
        notes,
        {
            "memory/2026-05-04.md": retain(nasty),
            PAGE: "# Opinions \x1b[2J\n\n- O(c=0.5) @Ida: Sings \x1b[5m\n",
        },
    )
    pid = opinions_only(run)
    for arguments in (
        ("reflect", "--dry-run", "--since", "2026-01-01", "--skipped"),
        ("reflect", "--json"),
        ("review", "list"),
        ("review", "list", "--json"),
        ("review", "show", pid),
        ("review", "show", pid, "--json"),
        ("opinions", "--history"),
        ("opinions", "--json"),
        ("review", "approve", pid),
    ):
        code, out, err = run(*arguments)
        assert code == 0, arguments
        assert not set("\x1b\x07\x9b\u202e\u2066") & set(out + err), arguments


def test_a_reflection_that_is_running_is_told(run: Run, notes: Path) -> None:
    run("reflect")
    lock = FileLock(notes / ".memory/reflection/run.lock")
    with lock:
        code, _, err = run("reflect")
    assert code == 2
    assert (
        err == "daybank: Another reflection is running. Wait until it is done."
        " Nothing was changed.\n"
    )
