"""Suggestions on the disk: readable, whole, and never lost to a damaged neighbour."""

from __future__ import annotations

import errno
import json
import os
import threading
import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank.errors import ProposalNotFound, ProposalNotSaved
from daybank.review import store as store_module
from daybank.review.json_format import decode_proposal, encode_proposal
from daybank.review.proposal import Decision, Evidence, Hunk, Phase, Proposal, State
from daybank.review.store import ProposalStore, UndoCopy
from daybank.workspace import WorkspaceFolder

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
HUNK = Hunk(
    3,
    ("- O(c=0.80) @Peter: Likes figs",),
    ("- O(c=0.87) @Peter: Likes figs",),
    "He said so again.",
    (
        Evidence(
            "memory/2026-11-26.md#L4", "f-0123456789ab", date(2026, 11, 26), "Figs!", "supports"
        ),
    ),
    topic="opinion:peter",
)


def a_proposal(pid: str = "p-1", **more: object) -> Proposal:
    made = Proposal(
        pid, NOON, "bank/opinions.md", "ab" * 32, "# Opinions\n", (HUNK,), "why", Phase.OPINIONS
    )
    return replace(made, **more)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> ProposalStore:
    (tmp_path / "notes").mkdir()
    return ProposalStore(WorkspaceFolder.open_folder(tmp_path / "notes").proposals_dir())


TEXTS = st.text(max_size=20)
MOMENTS = st.datetimes(timezones=st.just(UTC))
EVIDENCE = st.builds(Evidence, TEXTS, TEXTS, st.none() | st.dates(), TEXTS, TEXTS)
LINES = st.lists(TEXTS, max_size=3).map(tuple)
HUNKS = st.builds(
    Hunk,
    line=st.integers(1, 10**6),
    old=LINES,
    new=LINES,
    reason=TEXTS,
    evidence=st.lists(EVIDENCE, max_size=2).map(tuple),
    topic=TEXTS,
    certainty=st.floats(0, 1),
    decision=st.sampled_from(Decision),
    edited=st.none() | LINES,
)
PROPOSALS = st.builds(
    Proposal,
    id=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True),
    created=MOMENTS,
    target=TEXTS,
    base_sha256=st.none() | TEXTS,
    base_text=st.none() | TEXTS,
    hunks=st.lists(HUNKS, max_size=3).map(tuple),
    reason=TEXTS,
    phase=st.sampled_from(Phase),
    state=st.sampled_from(State),
    settled=st.none() | MOMENTS,
    applied_sha256=st.none() | TEXTS,
)


@given(PROPOSALS)
def test_what_was_written_is_read_back_the_same(proposal: Proposal) -> None:
    assert decode_proposal(encode_proposal(proposal)) == proposal


@given(PROPOSALS, st.data())
def test_a_damaged_text_is_never_taken_for_a_suggestion_of_other_types(
    proposal: Proposal, data: st.DataObject
) -> None:
    fields = json.loads(encode_proposal(proposal).decode("utf-8", "surrogatepass"))
    key = data.draw(st.sampled_from([k for k in fields if k not in ("settled", "base_text")]))
    fields[key] = data.draw(st.sampled_from([[1], {"a": 1}, 1.5, True]))
    if key == "format" and fields[key] in (True, 1):
        return
    with pytest.raises(ValueError, match=r"suggestion|valid|format|iso"):
        decode_proposal(json.dumps(fields).encode())


def test_the_file_can_be_read_by_a_person(store: ProposalStore) -> None:
    store.put(a_proposal(reason="Лена said so"))
    text = (store.folder / "p-1.json").read_text(encoding="utf-8")
    assert text.startswith('{\n "format": 1,\n')
    assert "Лена said so" in text
    assert '"- O(c=0.87) @Peter: Likes figs"' in text


def test_a_stored_suggestion_is_there_for_the_next_start(store: ProposalStore) -> None:
    store.put(a_proposal())
    assert ProposalStore(store.folder).get("p-1") == a_proposal()
    assert ProposalStore(store.folder).waiting() == (a_proposal(),)


def test_the_most_certain_waits_first_and_the_newest_settled_comes_first(
    store: ProposalStore,
) -> None:
    store.put(a_proposal("low", hunks=(replace(HUNK, certainty=0.1),)))
    store.put(a_proposal("high", hunks=(replace(HUNK, certainty=0.9),)))
    for hour in range(3):
        when = NOON + timedelta(hours=hour)
        store.put(a_proposal(f"s{hour}", state=State.APPLIED, settled=when))
    assert [p.id for p in store.waiting()] == ["high", "low"]
    assert [p.id for p in store.settled()] == ["s2", "s1", "s0"]
    assert len(store.all()) == 5


def test_an_empty_or_absent_folder_holds_nothing(store: ProposalStore) -> None:
    assert store.all() == store.waiting() == store.settled() == store.unreadable() == ()
    assert store.nevers() == ()
    assert not store.folder.exists()


@pytest.mark.parametrize("pid", ["nobody", "", "../p-1", "a/b", "p-1.json", ".x", "x" * 300, "a\0"])
def test_a_name_without_a_suggestion_is_told_of(store: ProposalStore, pid: str) -> None:
    store.put(a_proposal())
    with pytest.raises(ProposalNotFound):
        store.get(pid)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        encode_proposal(a_proposal())[:100],
        b"\0" * 400,
        b"[]",
        b'{"a": 1}',
        b"[" * 100_000,
        encode_proposal(a_proposal()).replace(b'"waiting"', b'"someday"'),
        encode_proposal(a_proposal("other")),
    ],
    ids=["empty", "torn", "zeros", "list", "foreign", "deep", "unknown state", "copy"],
)
def test_a_damaged_file_is_listed_left_alone_and_hides_no_other(
    store: ProposalStore, content: bytes
) -> None:
    store.put(a_proposal("good"))
    bad = store.folder / "bad.json"
    bad.write_bytes(content)
    assert [p.id for p in store.all()] == ["good"]
    assert [item.name for item in store.unreadable()] == ["bad.json"]
    with pytest.raises(ProposalNotFound, match="cannot be read"):
        store.get("bad")
    with pytest.raises(ProposalNotSaved):
        store.put(a_proposal("bad"))
    assert bad.read_bytes() == content


def test_a_file_of_a_newer_daybank_is_left_to_it(store: ProposalStore) -> None:
    store.put(a_proposal("good"))
    new = encode_proposal(a_proposal("new")).replace(b'"format": 1', b'"format": 2')
    (store.folder / "new.json").write_bytes(new)
    assert "newer Daybank" in store.unreadable()[0].message
    assert [p.id for p in store.all()] == ["good"]
    with pytest.raises(ProposalNotSaved):
        store.put(a_proposal("new"))
    assert (store.folder / "new.json").read_bytes() == new


@pytest.mark.parametrize("broken", ["replace", "fsync"])
def test_when_the_disk_refuses_the_old_suggestion_is_kept(
    store: ProposalStore, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    store.put(a_proposal())

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, broken, fail)
        with pytest.raises(ProposalNotSaved, match="No space left"):
            store.put(a_proposal(reason="other"))
    assert ProposalStore(store.folder).get("p-1") == a_proposal()
    assert [p.name for p in store.folder.iterdir() if p.name.startswith(".writing")] == []


def test_what_a_writer_that_died_left_is_removed(store: ProposalStore) -> None:
    store.put(a_proposal())
    (store.folder / ".writing-00ff.tmp").write_bytes(b"half")
    assert store.unreadable() == ()
    store.clear_leftovers()
    assert not (store.folder / ".writing-00ff.tmp").exists()
    assert store.get("p-1") == a_proposal()


def test_a_folder_that_is_gone_is_not_made_again(store: ProposalStore, tmp_path: Path) -> None:
    (tmp_path / "notes").rename(tmp_path / "away")
    with pytest.raises(ProposalNotSaved):
        store.put(a_proposal())
    assert not (tmp_path / "notes").exists()


def test_changes_at_the_same_time_do_not_lose_each_other(store: ProposalStore) -> None:
    store.put(a_proposal(reason=""))

    def add(letter: str) -> None:
        other = ProposalStore(store.folder)
        for _ in range(10):
            other.update("p-1", lambda p: replace(p, reason=p.reason + letter))

    workers = [threading.Thread(target=add, args=(letter,)) for letter in "abcd"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert sorted(store.get("p-1").reason) == sorted("abcd" * 10)


def test_a_change_by_another_program_is_seen(store: ProposalStore) -> None:
    store.put(a_proposal())
    assert store.waiting()
    other = ProposalStore(store.folder)
    other.put(a_proposal(state=State.REJECTED, settled=NOON))
    assert store.waiting() == ()
    (store.folder / "p-1.json").unlink()
    assert store.all() == ()


def test_a_change_within_one_tick_of_the_disk_s_clock_is_seen(
    store: ProposalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tick = (100, time.time_ns(), time.time_ns(), 1)
    monkeypatch.setattr(store_module, "_stamp_of", lambda _: tick)
    store.put(a_proposal())
    assert store.waiting()
    ProposalStore(store.folder).put(a_proposal(state=State.REJECTED, settled=NOON))
    assert store.waiting() == ()


def test_a_withdrawn_suggestion_waits_no_more_and_a_settled_one_stays(store: ProposalStore) -> None:
    store.put(a_proposal("w"))
    store.put(a_proposal("r", state=State.REJECTED, settled=NOON))
    store.withdraw("w", NOON)
    store.withdraw("r", NOON + timedelta(days=1))
    assert store.get("w").state is State.WITHDRAWN
    assert store.get("r") == a_proposal("r", state=State.REJECTED, settled=NOON)


def test_what_was_rejected_is_remembered_over_a_restart(store: ProposalStore) -> None:
    store.remember_rejection("aa")
    store.remember_rejection("bb")
    store.forget_rejection("bb")
    store.remember_never("summary:лена")
    store.remember_never("summary:peter")
    store.forget_never("summary:peter")
    store.remember_never("")
    for again in (store, ProposalStore(store.folder)):
        assert again.is_rejected("aa")
        assert not again.is_rejected("bb")
        assert again.is_never("summary:лена")
        assert again.nevers() == ("summary:лена",)


def test_saying_no_twice_writes_it_once(store: ProposalStore) -> None:
    for _ in range(3):
        store.remember_rejection("aa")
    assert (store.folder / "answers.jsonl").read_text().count("aa") == 1


def test_a_torn_line_of_answers_costs_no_other(store: ProposalStore) -> None:
    store.remember_rejection("aa")
    with open(store.folder / "answers.jsonl", "ab") as file:
        file.write(b'\xff[1]\n[]\n{"rejected": 5}\n{"never": "summ')
    store.remember_rejection("bb")
    again = ProposalStore(store.folder)
    assert again.is_rejected("aa")
    assert again.is_rejected("bb")
    assert again.nevers() == ()
    assert b'{"never": "summ\n' in (store.folder / "answers.jsonl").read_bytes()


def test_the_bytes_around_an_approval_are_kept(store: ProposalStore) -> None:
    assert store.undo_copy("p-1") is None
    store.keep_undo("p-1", b"\xef\xbb\xbfa\r\n", b"b")
    store.keep_undo("p-2", None, b"new")
    again = ProposalStore(store.folder)
    assert again.undo_copy("p-1") == UndoCopy(b"\xef\xbb\xbfa\r\n", b"b")
    assert again.undo_copy("p-2") == UndoCopy(None, b"new")
    assert again.undo_copy("../p-1") is None


def test_above_a_generous_count_the_oldest_copies_go_and_the_newest_stay(
    store: ProposalStore,
) -> None:
    few = ProposalStore(store.folder, undo_count=3)
    for n in range(6):
        few.keep_undo(f"p-{n}", b"old", b"new")
        time.sleep(0.01)
    assert [n for n in range(6) if few.undo_copy(f"p-{n}")] == [3, 4, 5]


def test_the_newest_copy_stays_however_large_it_is(store: ProposalStore) -> None:
    small = ProposalStore(store.folder, undo_bytes=10)
    small.keep_undo("p-0", b"x" * 8, b"x" * 8)
    small.keep_undo("p-1", b"x" * 50, b"x" * 50)
    assert small.undo_copy("p-0") is None
    assert small.undo_copy("p-1") is not None


def test_five_hundred_waiting_are_listed_quickly_and_read_once(
    store: ProposalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(a_proposal())
    page = "- a line of a page of ordinary length\n" * 200
    past = time.time() - 60
    for n in range(500):
        place = store.folder / f"q-{n}.json"
        place.write_bytes(encode_proposal(a_proposal(f"q-{n}", base_text=page)))
        os.utime(place, (past, past))
    os.utime(store.folder / "p-1.json", (past, past))
    started = time.perf_counter()
    assert len(store.waiting()) == 501
    first = time.perf_counter() - started
    read: list[Path] = []
    real = store_module._load
    monkeypatch.setattr(store_module, "_load", lambda p: (read.append(p), real(p))[1])
    started = time.perf_counter()
    assert len(store.waiting()) == 501
    again = time.perf_counter() - started
    assert read == []
    assert first < 3
    assert again < 0.5
    store.put(a_proposal("q-7", state=State.REJECTED, settled=NOON))
    assert len(store.waiting()) == 500


def test_in_a_read_only_workspace_suggestions_are_kept_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "notes"
    root.mkdir()
    root.chmod(0o555)
    try:
        store = ProposalStore(WorkspaceFolder.open_folder(root).proposals_dir())
        store.put(a_proposal())
        assert root not in store.folder.parents
        assert store.waiting() == (a_proposal(),)
        assert list(root.iterdir()) == []
    finally:
        root.chmod(0o755)


def test_suggestions_stay_with_the_workspace_when_the_index_does_not(tmp_path: Path) -> None:
    folder = WorkspaceFolder.open_folder(tmp_path, index_dir=tmp_path.parent / "elsewhere")
    assert folder.proposals_dir() == tmp_path / ".memory" / "proposals"
