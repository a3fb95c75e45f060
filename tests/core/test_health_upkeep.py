"""Health tells of secrets in the notes, of search by meaning, of reflections and of suggestions
that wait; and of each trouble with files by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from core_tools import MakeWorkspace, write_files

from daybank import FixedClock, HealthCheck, Workspace
from daybank.health import LastReflection, SecretScan, Upkeep, WaitingSuggestion, check_health
from daybank.index.switching import Standing
from daybank.reflect.record import ReflectionReport, Remembered
from daybank.review.proposal import Hunk, Phase, Proposal
from daybank.review.store import ProposalStore

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
SECRET = "staging key is sk-test-EXAMPLE0000000000000000, db password hunter2-EXAMPLE"


def check(ws: Workspace, id_: str, **options: object) -> HealthCheck:
    report = ws.health(**options)  # type: ignore[arg-type]
    (found,) = [check for check in report.checks if check.id == id_]
    return found


def kept_up(ws: Workspace, id_: str, upkeep: Upkeep, now: datetime = NOON) -> HealthCheck:
    report = check_health(ws._folder, ws._store, now, 0, upkeep)
    (found,) = [check for check in report.checks if check.id == id_]
    return found


# -- secrets


def test_secrets_are_told_with_their_places_and_never_shown(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "memory/2026-11-20.md": f"# Friday\n\n- {SECRET}.\n- Tea.\n\n```\nPIN: 4821\n```\n",
            "logs/chat.jsonl": '{"text": "hi"}\n{"text": "password: hunter3-EXAMPLE"}\n',
            "bank/world.md": "- W @Mara: Changed her password on Friday.\n",
        }
    )
    found = check(ws, "secrets")
    assert found.level == "warning"
    assert found.message.startswith(
        "What looks like a code, a key and a password (2 times) stand in the notes in plain text."
    )
    assert found.sources == (
        "logs/chat.jsonl#L2",
        "memory/2026-11-20.md#L3",
        "memory/2026-11-20.md#L7",
    )
    assert "EXAMPLE" not in repr(ws.health())
    assert "4821" not in repr(ws.health())


def test_secrets_that_are_taken_out_are_told_no_more(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2026-11-20.md": f"- {SECRET}\n"})
    assert check(ws, "secrets").level == "warning"
    write_files(ws.path, {"memory/2026-11-20.md": "- The key is in the safe.\n"})
    ws.sync()
    assert check(ws, "secrets").level == "ok"


def test_only_what_changed_is_looked_through_again(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace({"a.md": f"{SECRET}\n", "b.md": "Tea.\n"})
    scan = SecretScan()
    scan.check(ws._folder, ws._store)
    read: list[str] = []
    real = type(ws._folder).read_bytes

    def count(folder: object, path: str) -> bytes:
        read.append(path)
        return real(ws._folder, path)

    monkeypatch.setattr(type(ws._folder), "read_bytes", count)
    assert scan.check(ws._folder, ws._store).sources == ("a.md#L1",)
    assert read == []
    write_files(ws.path, {"b.md": f"Tea.\n{SECRET}\n"})
    ws.sync()
    read.clear()
    assert scan.check(ws._folder, ws._store).sources == ("a.md#L1", "b.md#L2")
    assert read == ["b.md"]


# -- search by meaning


@pytest.mark.parametrize(
    ("upkeep", "level", "words"),
    [
        (Upkeep(), "ok", "Notes are found by their words."),
        (Upkeep(Standing.READY), "ok", "knows every text"),
        (Upkeep(Standing.PARTLY, 1200, 5000), "note", "knows 1,200 of 5,000 texts"),
        (Upkeep(Standing.OFF, reason="Its files are damaged."), "note",
         "Search by meaning is off. Its files are damaged."),
        (Upkeep(Standing.OFF, reason="Search by meaning is off: no model."), "note",
         "Search by meaning is off: no model."),
        (Upkeep(Standing.OFF), "note", "Search by meaning is off."),
        (Upkeep(Standing.OTHER, reason="“x” is gone."), "note", "Another model"),
    ],
)  # fmt: skip
def test_search_by_meaning_is_told_of(
    make_workspace: MakeWorkspace, upkeep: Upkeep, level: str, words: str
) -> None:
    found = kept_up(make_workspace({}), "meaning", upkeep)
    assert found.level == level
    assert words in found.message
    assert found.message.count("Search by meaning is off") <= 1


def test_vectors_that_fall_behind_are_told_of(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"a.md": "- Mara likes rye bread.\n"})
    assert check(ws, "meaning").level == "ok"
    ws.embed()
    assert check(ws, "meaning").message == "Search by meaning knows every text."
    write_files(ws.path, {"b.md": "- Peter likes tea.\n\n- And rain.\n"})
    ws.sync()
    found = check(ws, "meaning")
    assert found.level == "note"
    assert found.message.startswith("Search by meaning knows 1 of ")
    ws.embed()
    assert check(ws, "meaning").level == "ok"


# -- reflection


@pytest.mark.parametrize(
    ("last", "level", "words"),
    [
        (None, "ok", "No reflection has run yet."),
        (LastReflection(), "ok", "No reflection has run yet."),
        (LastReflection(late_after=timedelta(hours=36)), "note", "one is due by schedule"),
        (LastReflection(NOON - timedelta(minutes=5)), "ok", "less than an hour ago"),
        (LastReflection(NOON - timedelta(hours=1)), "ok", "an hour ago"),
        (LastReflection(NOON - timedelta(days=90)), "ok", "90 days ago"),
        (LastReflection(NOON - timedelta(hours=36), None, timedelta(hours=36)), "ok", "36 hours"),
        (LastReflection(NOON - timedelta(hours=37), None, timedelta(hours=36)), "warning", "late"),
        (LastReflection(NOON, "The disk is full."), "warning",
         "The last reflection failed: The disk is full."),
        (LastReflection(None, f"Bad line: {SECRET}"), "warning", "db password [hidden]"),
    ],
)  # fmt: skip
def test_a_reflection_that_failed_or_is_late_is_told_of(
    make_workspace: MakeWorkspace, last: LastReflection | None, level: str, words: str
) -> None:
    found = kept_up(make_workspace({}), "reflection", Upkeep(reflection=last))
    assert found.level == level
    assert words in found.message
    assert "EXAMPLE" not in found.message


def test_the_record_of_runs_is_what_health_looks_at(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({}, clock=FixedClock(NOON))
    record = ws._reflection.record
    record.folder.mkdir(parents=True, exist_ok=True)
    begun = NOON - timedelta(hours=40)
    record.remember(Remembered(last_success=begun))
    record.keep(ReflectionReport("r-1", begun, begun))
    assert check(ws, "reflection").message == "The last reflection ran 40 hours ago."
    daily = timedelta(hours=36)
    assert check(ws, "reflection", reflection_late_after=daily).level == "warning"
    later = NOON - timedelta(hours=2)
    record.keep(ReflectionReport("r-2", later, later, error="The disk is full."))
    assert check(ws, "reflection").message == "The last reflection failed: The disk is full."


# -- suggestions


def test_suggestions_that_wait_for_long_are_told_of(make_workspace: MakeWorkspace) -> None:
    waiting = tuple(
        WaitingSuggestion(f"bank/{days}.md", NOON - timedelta(days=days))
        for days in (3, 14, 15, 40)
    )
    ws = make_workspace({})
    found = kept_up(ws, "suggestions", Upkeep(waiting=waiting))
    assert (found.level, found.sources) == ("note", ("bank/40.md", "bank/15.md"))
    assert found.message == "2 suggestions have waited for an answer for more than 14 days."
    assert kept_up(ws, "suggestions", Upkeep(waiting=waiting[:2])).level == "ok"


def test_the_stored_suggestions_are_what_health_looks_at(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({}, clock=FixedClock(NOON))
    store = ProposalStore(ws._folder.proposals_dir())
    store.put(
        Proposal(
            "p-1",
            NOON - timedelta(days=20),
            "bank/world.md",
            None,
            None,
            (Hunk(1, (), ("- W @Mara: Likes tea.",), "New"),),
            "One new note",
            Phase.WORLD,
        )
    )
    (store.folder / "p-2.json").write_text("{torn")
    assert check(ws, "suggestions").sources == ("bank/world.md",)
    found = check(ws, "suggestion-files")
    assert (found.level, found.sources) == ("warning", (".memory/proposals/p-2.json",))
    assert (store.folder / "p-2.json").read_text() == "{torn"


# -- files


@pytest.mark.parametrize(
    ("files", "id_", "source"),
    [
        ({"logs/chat.jsonl": '{"te\n'}, "torn-lines", "logs/chat.jsonl#L1"),
        ({"a.md": b"caf\xe9\n"}, "encoding", "a.md"),
        ({"a\x01b.md": "x\n"}, "file-names", "a\ufffdb.md"),
    ],
)
def test_each_trouble_with_files_is_a_check_of_its_own(
    make_workspace: MakeWorkspace, files: dict[str, str | bytes], id_: str, source: str
) -> None:
    ws = make_workspace(files)
    found = check(ws, id_)
    assert (found.level, found.sources) == ("warning", (source,))
    others = {"files", "torn-lines", "encoding", "file-names", "broken-links", "large-files"} - {
        id_
    }
    assert {check(ws, other).level for other in others} == {"ok"}


def test_links_that_lead_nowhere_and_files_that_are_too_large(
    make_workspace: MakeWorkspace,
) -> None:
    ws = make_workspace({"a.md": "x\n"}, sync=False)
    (ws.path / "gone.md").symlink_to(ws.path / "nowhere.md")
    with open(ws.path / "big.md", "wb") as file:
        file.truncate(40 * 1024 * 1024)
    ws.sync()
    assert check(ws, "broken-links").sources == ("gone.md",)
    assert check(ws, "broken-links").message.startswith("1 link leads nowhere")
    assert check(ws, "large-files").sources == ("big.md",)
    assert check(ws, "files").level == "ok"


def test_health_tells_of_what_it_can_where_suggestions_have_no_place(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from daybank.errors import IndexUnwritable

    ws = make_workspace({"a.md": f"{SECRET}\n"})

    def nowhere(_: object) -> Path:
        raise IndexUnwritable("The search index has no place to live.")

    monkeypatch.setattr(type(ws._folder), "proposals_dir", nowhere)
    assert check(ws, "secrets").level == "warning"
    assert check(ws, "suggestions").level == "ok"
