"""An approval writes what was shown and nothing else, once, and can be taken back."""

from __future__ import annotations

import codecs
import os
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from core_tools import NOON
from hypothesis import given
from hypothesis import strategies as st
from review_tools import LOG, OPINIONS, Desk, change, open_desk

from daybank.errors import (
    ProposalChanged,
    ProposalConflict,
    ProposalNotFound,
    ProposalNotSaved,
    ProposalRefused,
)
from daybank.review.apply import Reviewer, page_sha256
from daybank.review.hunks import checked_hunks, split_lines
from daybank.review.proposal import Decision, Hunk, State
from daybank.review.store import ProposalStore

PAGE = "# Opinions\n\n" + "".join(f"- opinion {n}\n" for n in range(1, 9))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(
        tmp_path / "notes",
        {OPINIONS: PAGE, "bank/world.md": "# World\n\n- fact\n", LOG: "# 2026-11-26\n\nA walk.\n"},
    )


def two_changes(desk: Desk) -> str:
    return desk.suggest(
        OPINIONS, change(3, "- opinion 1", "- ONE"), change(5, "- opinion 3", "- THREE")
    )


def again(desk: Desk) -> ProposalStore:
    """The store as the next start finds it."""
    return ProposalStore(desk.store.folder)


# -- approving


def test_approving_writes_every_change_and_settles_the_suggestion(desk: Desk) -> None:
    pid = two_changes(desk)
    applied = desk.reviewer.approve(pid)
    after = PAGE.replace("- opinion 1", "- ONE").replace("- opinion 3", "- THREE")
    assert desk.text_of(OPINIONS) == after
    assert not applied.already
    stored = again(desk).get(pid)
    assert stored == applied.proposal
    assert (stored.state, stored.settled) == (State.APPLIED, NOON.now())
    assert stored.applied_sha256 == page_sha256(after.encode())


def test_only_the_chosen_change_is_written_and_the_other_goes_on_waiting(desk: Desk) -> None:
    pid = two_changes(desk)
    old = desk.store.get(pid)
    applied = desk.reviewer.approve(pid, [1])
    text = PAGE.replace("- opinion 3", "- THREE")
    assert desk.text_of(OPINIONS) == text
    assert [h.decision for h in applied.proposal.hunks] == [Decision.ACCEPTED]
    assert [h.new for h in applied.proposal.hunks] == [("- THREE",)]
    rest = applied.rest
    assert rest is not None
    assert again(desk).waiting() == (rest,)
    assert rest == replace(
        old, id=rest.id, hunks=old.hunks[:1], base_text=text,
        base_sha256=page_sha256(text.encode()),
    )  # fmt: skip
    assert not any(again(desk).is_rejected(h.fingerprint(OPINIONS)) for h in old.hunks)
    assert desk.reviewer.approve(rest.id).rest is None
    assert desk.text_of(OPINIONS) == text.replace("- opinion 1", "- ONE")
    desk.reviewer.undo(pid)
    assert desk.text_of(OPINIONS) == PAGE.replace("- opinion 1", "- ONE")


def test_a_choice_leaves_rejected_what_was_rejected(desk: Desk) -> None:
    pid = desk.suggest(
        OPINIONS,
        change(3, "- opinion 1", "- ONE"),
        change(5, "- opinion 3", "- THREE"),
        change(7, "- opinion 5", "- FIVE"),
    )
    desk.reviewer.reject(pid, [0])
    desk.reviewer.decide(pid, 2, Decision.ACCEPTED)
    applied = desk.reviewer.approve(pid, [1])
    answers = [(h.new, h.decision) for h in applied.proposal.hunks]
    assert answers == [(("- ONE",), Decision.REJECTED), (("- THREE",), Decision.ACCEPTED)]
    assert applied.rest is not None
    assert [(h.new, h.decision) for h in applied.rest.hunks] == [(("- FIVE",), Decision.WAITING)]
    assert again(desk).is_rejected(change(3, "- opinion 1", "- ONE").fingerprint(OPINIONS))


def test_choosing_among_the_changes_of_what_is_saved_never_counts_as_saved(desk: Desk) -> None:
    pid = two_changes(desk)
    desk.reviewer.approve(pid, [1])
    for chosen in ([0], [1]):
        with pytest.raises(ProposalRefused, match="saved already"):
            desk.reviewer.approve(pid, chosen)
    assert desk.reviewer.approve(pid).already
    assert desk.text_of(OPINIONS) == PAGE.replace("- opinion 3", "- THREE")


def test_a_choice_of_no_change_answers_nothing(desk: Desk) -> None:
    pid = two_changes(desk)
    before = desk.store.get(pid)
    with pytest.raises(ProposalRefused, match="No change was chosen"):
        desk.reviewer.approve(pid, [])
    assert again(desk).all() == (before,)


def test_a_choice_for_a_page_that_was_edited_keeps_all_changes_in_one_suggestion(
    desk: Desk,
) -> None:
    pid = two_changes(desk)
    desk.write(OPINIONS, "Intro.\n" + PAGE)
    with pytest.raises(ProposalChanged):
        desk.reviewer.approve(pid, [1])
    (waiting,) = again(desk).waiting()
    assert (waiting.id, [h.line for h in waiting.hunks]) == (pid, [4, 6])


def test_answers_given_one_by_one_are_written_when_all_are_given(desk: Desk) -> None:
    pid = two_changes(desk)
    desk.reviewer.decide(pid, 0, Decision.ACCEPTED, ["- One, I would say", "- and\r\n- more"])
    with pytest.raises(ProposalRefused, match="no answer yet"):
        desk.reviewer.apply_decided(pid)
    assert desk.text_of(OPINIONS) == PAGE
    desk.reviewer.decide(pid, 1, Decision.REJECTED)
    desk.reviewer.apply_decided(pid)
    assert desk.text_of(OPINIONS) == PAGE.replace(
        "- opinion 1", "- One, I would say\n- and\n- more"
    )


def test_approving_the_rest_respects_what_was_rejected(desk: Desk) -> None:
    pid = two_changes(desk)
    desk.reviewer.decide(pid, 0, Decision.REJECTED)
    desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == PAGE.replace("- opinion 3", "- THREE")


def test_a_new_page_is_made_with_its_folder(desk: Desk) -> None:
    pid = desk.suggest("bank/entities/Peter.md", change(1, None, "# Peter\n\n- Likes figs."))
    desk.reviewer.approve(pid)
    assert desk.text_of("bank/entities/Peter.md") == "# Peter\n\n- Likes figs.\n"


def test_a_log_is_only_added_to(desk: Desk) -> None:
    section = change(4, None, "\n## Retain\n\n- W @Peter: Lives in Porto.")
    desk.reviewer.approve(desk.reviewer.propose(LOG, [section], "from the walk").id)
    assert desk.text_of(LOG) == (
        "# 2026-11-26\n\nA walk.\n\n## Retain\n\n- W @Peter: Lives in Porto.\n"
    )
    pid = desk.suggest(LOG, change(3, "A walk.", "A run."))
    with pytest.raises(ProposalRefused, match="only be added to"):
        desk.reviewer.approve(pid)
    assert "A walk." in desk.text_of(LOG)
    assert again(desk).get(pid).state is State.WAITING


def test_proposing_refuses_what_the_rules_or_the_page_do_not_allow(desk: Desk) -> None:
    with pytest.raises(ProposalRefused):
        desk.reviewer.propose("SOUL.md", [change(1, None, "x")], "why")
    with pytest.raises(ProposalRefused, match="does not fit"):
        desk.reviewer.propose(OPINIONS, [change(3, "- opinion 2", "x")], "why")
    with pytest.raises(ProposalRefused, match="nothing to suggest"):
        desk.reviewer.propose(OPINIONS, [], "why")
    assert desk.store.all() == ()


@pytest.mark.parametrize("target", ["../outside.md", "/etc/hosts", "bank/../SOUL.md", "SOUL.md"])
def test_a_stored_suggestion_for_another_file_writes_nothing(desk: Desk, target: str) -> None:
    pid = two_changes(desk)
    desk.store.put(replace(desk.store.get(pid), target=target, base_text=None, base_sha256=None))
    with pytest.raises(ProposalRefused):
        desk.reviewer.approve(pid)
    assert not (desk.root.parent / "outside.md").exists()
    assert not (desk.root / "SOUL.md").exists()


@pytest.mark.parametrize(
    "hunks",
    [
        [
            change(3, "- opinion 1", "x"),
            change(4, "- opinion 9", "y"),
            change(5, "- opinion 3", "z"),
        ],
        [change(3, "- opinion 1", "x"), change(40, None, "y")],
        [change(0, None, "x")],
        [change(3, "- opinion 1", "x"), change(3, "- opinion 1\n- opinion 2", "y")],
    ],
    ids=["stale", "no place", "empty without a place", "overlap"],
)
def test_one_change_that_does_not_fit_keeps_all_from_being_written(
    desk: Desk, hunks: list[Hunk]
) -> None:
    pid = desk.suggest(OPINIONS, *hunks)
    with pytest.raises(ProposalRefused):
        desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == PAGE
    assert again(desk).get(pid) == desk.store.get(pid)
    assert again(desk).get(pid).state is State.WAITING


def test_losing_much_of_a_page_needs_an_explicit_yes(desk: Desk) -> None:
    gone = "\n".join(f"- opinion {n}" for n in range(1, 6))
    pid = desk.suggest(OPINIONS, change(3, gone, None))
    with pytest.raises(ProposalRefused) as caught:
        desk.reviewer.approve(pid)
    assert caught.value.would_shrink
    assert desk.text_of(OPINIONS) == PAGE
    desk.reviewer.approve(pid, allow_shrink=True)
    assert "- opinion 5" not in desk.text_of(OPINIONS)


@pytest.mark.parametrize("index", [2, -1])
def test_a_change_that_is_not_there_is_told_of(desk: Desk, index: int) -> None:
    pid = two_changes(desk)
    for ask in (
        lambda: desk.reviewer.approve(pid, [index]),
        lambda: desk.reviewer.reject(pid, [index]),
        lambda: desk.reviewer.decide(pid, index, Decision.ACCEPTED),
    ):
        with pytest.raises(ProposalRefused, match="no change number"):
            ask()
    assert desk.text_of(OPINIONS) == PAGE


def test_nobody_s_suggestion_is_told_of(desk: Desk) -> None:
    for ask in (desk.reviewer.approve, desk.reviewer.reject, desk.reviewer.undo):
        with pytest.raises(ProposalNotFound):
            ask("p-none")


# -- bytes


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8], ids=["", "bom"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("closed", [True, False], ids=["newline", "no newline"])
def test_every_byte_outside_the_change_stays(
    desk: Desk, mark: bytes, end: str, closed: bool
) -> None:
    lines = ["# Opinions", "", "-  two  spaces\t", "- old", "- caf\u00e9 \u2028 x", "- last"]
    before = mark + (end.join(lines) + end * closed).encode()
    desk.write(OPINIONS, before)
    pid = desk.suggest(OPINIONS, change(4, "- old", "- new\n- newer"), change(7, None, "- end"))
    desk.reviewer.approve(pid)
    new = [*lines[:3], "- new", "- newer", *lines[4:], "- end"]
    assert desk.bytes_of(OPINIONS) == mark + (end.join(new) + end * closed).encode()
    desk.reviewer.undo(pid)
    assert desk.bytes_of(OPINIONS) == before


def test_a_page_in_another_encoding_stays_in_it(desk: Desk) -> None:
    before = "# Caf\u00e9\n\n- old opinion\n".encode("cp1252")
    desk.write(OPINIONS, before)
    desk.reviewer.approve(desk.suggest(OPINIONS, change(3, "- old opinion", "- ni\u00f1o opinion")))
    assert desk.bytes_of(OPINIONS) == before.replace(b"- old", b"- ni\xf1o")


def test_letters_that_the_page_cannot_take_are_refused_and_it_waits(desk: Desk) -> None:
    before = "# Caf\u00e9\n\n- old opinion\n".encode("cp1252")
    desk.write(OPINIONS, before)
    pid = desk.suggest(OPINIONS, change(3, "- old opinion", "- Лена opinion"))
    with pytest.raises(ProposalRefused, match="UTF-8"):
        desk.reviewer.approve(pid)
    assert desk.bytes_of(OPINIONS) == before
    assert again(desk).get(pid).state is State.WAITING


def test_mode_links_and_second_names_are_kept(desk: Desk) -> None:
    page = desk.root / OPINIONS
    page.chmod(0o640)
    desk.reviewer.approve(two_changes(desk))
    assert stat.S_IMODE(page.stat().st_mode) == 0o640
    real = desk.root / "notes/opinions.md"
    real.parent.mkdir()
    page.rename(real)
    page.symlink_to(real)
    os.link(real, desk.root / "notes/second.md")
    desk.reviewer.approve(desk.suggest(OPINIONS, change(4, "- opinion 2", "- TWO")))
    assert page.is_symlink()
    assert "- TWO" in (desk.root / "notes/second.md").read_text()
    assert real.samefile(desk.root / "notes/second.md")


@pytest.mark.parametrize("protected", [OPINIONS, "bank"])
def test_a_read_only_page_is_refused_with_the_reason_and_the_suggestion_waits(
    desk: Desk, protected: str
) -> None:
    pid = two_changes(desk)
    before = desk.store.get(pid)
    place = desk.root / protected
    usual = stat.S_IMODE(place.stat().st_mode)
    place.chmod(usual & 0o555)
    try:
        with pytest.raises(ProposalNotSaved) as caught:
            desk.reviewer.approve(pid)
        assert "You may not read or write there." in caught.value.message
        assert "still waiting" in caught.value.message
        assert stat.S_IMODE(place.stat().st_mode) == usual & 0o555
    finally:
        place.chmod(usual)
    assert desk.text_of(OPINIONS) == PAGE
    assert again(desk).get(pid) == before
    desk.reviewer.approve(pid)


def test_of_many_the_refused_one_keeps_no_other_from_being_saved(desk: Desk) -> None:
    first = two_changes(desk)
    second = desk.suggest("bank/world.md", change(3, "- fact", "- FACT"))
    third = desk.suggest(LOG, change(4, None, "A talk."))
    (desk.root / "bank/world.md").chmod(0o444)
    done = desk.reviewer.approve_many([first, second, third, "p-none"])
    assert [item.id for item in done] == [first, second, third, "p-none"]
    assert [item.applied is not None for item in done] == [True, False, True, False]
    assert isinstance(done[1].error, ProposalNotSaved)
    assert isinstance(done[3].error, ProposalNotFound)
    assert "- ONE" in desk.text_of(OPINIONS)
    assert desk.text_of("bank/world.md") == "# World\n\n- fact\n"
    assert desk.text_of(LOG).endswith("A talk.\n")
    assert [p.id for p in again(desk).waiting()] == [second]


# -- once


def test_approving_in_two_windows_writes_once(desk: Desk) -> None:
    pid = desk.suggest(OPINIONS, change(11, None, "- opinion 9"))
    other = Reviewer(desk.folder, again(desk), NOON)
    first, second = desk.reviewer.approve(pid), other.approve(pid)
    assert (first.already, second.already) == (False, True)
    assert second.proposal == first.proposal
    assert desk.text_of(OPINIONS) == PAGE + "- opinion 9\n"


def test_approving_at_the_same_moment_writes_once(desk: Desk) -> None:
    for _ in range(5):
        pid = desk.suggest(OPINIONS, change(3, None, "- once more"))
        before = desk.text_of(OPINIONS)
        start = threading.Barrier(4)
        results: list[bool] = []

        def ask(pid: str, start: threading.Barrier, results: list[bool]) -> None:
            start.wait()
            reviewer = Reviewer(desk.folder, again(desk), NOON)
            results.append(reviewer.approve(pid).already)

        workers = [threading.Thread(target=ask, args=(pid, start, results)) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
        assert sorted(results) == [False, True, True, True]
        assert desk.text_of(OPINIONS).count("once more") == before.count("once more") + 1


def test_two_programs_that_approve_the_same_write_once(desk: Desk) -> None:
    pid = desk.suggest(OPINIONS, change(3, None, "- once"))
    code = (
        "import sys\n"
        "from datetime import UTC, datetime\n"
        "from daybank.clock import FixedClock\n"
        "from daybank.review.apply import Reviewer\n"
        "from daybank.review.store import ProposalStore\n"
        "from daybank.workspace import WorkspaceFolder\n"
        "folder = WorkspaceFolder.open_folder(sys.argv[1])\n"
        "clock = FixedClock(datetime(2026, 11, 26, tzinfo=UTC))\n"
        "reviewer = Reviewer(folder, ProposalStore(folder.proposals_dir()), clock)\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(reviewer.approve(sys.argv[2]).already)\n"
    )
    core = str(Path(__file__).parents[3] / "core")
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(desk.root), pid],
            env={**os.environ, "PYTHONPATH": core},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    said = []
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        said.append(program.communicate(timeout=60)[0].strip())
    assert sorted(said) == ["False", "True"]
    assert desk.text_of(OPINIONS).count("- once") == 1


def test_a_rejected_or_withdrawn_suggestion_cannot_be_approved(desk: Desk) -> None:
    rejected, withdrawn = two_changes(desk), two_changes(desk)
    desk.reviewer.reject(rejected)
    desk.store.withdraw(withdrawn, NOON.now())
    for pid, why in ((rejected, "was rejected"), (withdrawn, "newer suggestion")):
        with pytest.raises(ProposalRefused, match=why):
            desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == PAGE


# -- a page that was edited since


def test_an_edit_elsewhere_asks_for_a_fresh_yes_and_keeps_both(desk: Desk) -> None:
    pid = two_changes(desk)
    edited = PAGE.replace("- opinion 8", "- opinion 8, by hand").replace("# Op", "# My op")
    edited = "Intro.\n" + edited
    desk.write(OPINIONS, edited)
    with pytest.raises(ProposalChanged) as caught:
        desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == edited
    moved = again(desk).get(pid)
    assert moved == caught.value.proposal
    assert [h.line for h in moved.hunks] == [4, 6]
    assert [h.decision for h in moved.hunks] == [Decision.WAITING, Decision.WAITING]
    assert moved.base_text == edited
    desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == edited.replace("- opinion 1", "- ONE").replace(
        "- opinion 3", "- THREE"
    )


def test_an_edit_of_the_same_line_is_a_conflict_with_both_sides(desk: Desk) -> None:
    pid = two_changes(desk)
    before = desk.store.get(pid)
    edited = PAGE.replace("- opinion 1\n", "- opinion 1, but not always\n")
    desk.write(OPINIONS, edited)
    with pytest.raises(ProposalConflict) as caught:
        desk.reviewer.approve(pid)
    (clash,) = caught.value.clashes
    assert (clash.index, clash.ours) == (0, ("- ONE",))
    assert clash.theirs == ("- opinion 1, but not always",)
    assert desk.text_of(OPINIONS) == edited
    assert again(desk).get(pid) == before


@pytest.mark.parametrize(("mine", "kept"), [((), "- opinion 1, by hand"), ((0,), "- ONE")])
def test_a_conflict_is_settled_by_choosing_a_side_and_a_fresh_yes(
    desk: Desk, mine: tuple[int, ...], kept: str
) -> None:
    pid = two_changes(desk)
    desk.write(OPINIONS, PAGE.replace("- opinion 1\n", "- opinion 1, by hand\n"))
    proposal = desk.reviewer.settle_conflict(pid, mine)
    assert proposal == again(desk).get(pid)
    assert proposal.state is State.WAITING
    desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == PAGE.replace("- opinion 1\n", f"{kept}\n").replace(
        "- opinion 3", "- THREE"
    )


def test_giving_up_every_change_of_a_conflict_rejects_the_suggestion(desk: Desk) -> None:
    pid = desk.suggest(OPINIONS, change(3, "- opinion 1", "- ONE"))
    desk.write(OPINIONS, PAGE.replace("- opinion 1\n", "- opinion 1, by hand\n"))
    assert desk.reviewer.settle_conflict(pid).state is State.REJECTED
    assert again(desk).is_rejected(change(3, "- opinion 1", "- ONE").fingerprint(OPINIONS))


def test_a_change_that_was_not_chosen_and_clashes_lets_the_other_through(desk: Desk) -> None:
    pid = two_changes(desk)
    desk.write(OPINIONS, PAGE.replace("- opinion 1\n", "- opinion 1, by hand\n"))
    with pytest.raises(ProposalChanged, match="What was not chosen waits as p-"):
        desk.reviewer.approve(pid, [1])
    assert [h.new for p in desk.store.waiting() for h in p.hunks if p.id != pid] == [("- ONE",)]
    desk.reviewer.approve(pid)
    assert "- opinion 1, by hand\n- opinion 2\n- THREE\n" in desk.text_of(OPINIONS)


def test_what_the_person_wrote_themselves_is_not_asked_again(desk: Desk) -> None:
    pid = two_changes(desk)
    edited = PAGE.replace("- opinion 1", "- ONE").replace("- opinion 3", "- THREE")
    desk.write(OPINIONS, "Intro.\n" + edited)
    applied = desk.reviewer.approve(pid)
    assert applied.already
    assert applied.proposal.state is State.WITHDRAWN
    assert desk.text_of(OPINIONS) == "Intro.\n" + edited


def test_a_page_that_is_gone_or_there_by_now_is_a_conflict(desk: Desk) -> None:
    gone = two_changes(desk)
    (desk.root / OPINIONS).unlink()
    made = desk.suggest("bank/entities/Peter.md", change(1, None, "# Peter"))
    desk.write("bank/entities/Peter.md", "# Pete\n")
    for pid in (gone, made):
        with pytest.raises(ProposalConflict):
            desk.reviewer.approve(pid)
    assert not (desk.root / OPINIONS).exists()
    assert desk.text_of("bank/entities/Peter.md") == "# Pete\n"


def test_other_line_ends_ask_for_a_fresh_yes_and_are_kept(desk: Desk) -> None:
    pid = two_changes(desk)
    desk.write(OPINIONS, PAGE.replace("\n", "\r\n"))
    with pytest.raises(ProposalChanged):
        desk.reviewer.approve(pid)
    desk.reviewer.approve(pid)
    after = PAGE.replace("- opinion 1", "- ONE").replace("- opinion 3", "- THREE")
    assert desk.bytes_of(OPINIONS) == after.replace("\n", "\r\n").encode()


def test_an_edit_while_the_page_is_replaced_is_not_overwritten(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from daybank import workspace as workspace_module

    pid = two_changes(desk)
    real, done = workspace_module._flush, []

    def in_between(file: object, length: int) -> None:
        real(file, length)  # type: ignore[arg-type]
        if not done:
            done.append(1)
            with open(desk.root / OPINIONS, "a") as page:
                page.write("- from the editor\n")

    monkeypatch.setattr(workspace_module, "_flush", in_between)
    with pytest.raises(ProposalChanged):
        desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == PAGE + "- from the editor\n"
    desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS).endswith("- from the editor\n")


def test_answers_outlive_an_edit_while_the_page_is_replaced(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from daybank import workspace as workspace_module

    pid = two_changes(desk)
    desk.reviewer.decide(pid, 0, Decision.ACCEPTED)
    desk.reviewer.decide(pid, 1, Decision.REJECTED)
    real, done = workspace_module._flush, []

    def in_between(file: object, length: int) -> None:
        real(file, length)  # type: ignore[arg-type]
        if not done:
            done.append(1)
            desk.write(OPINIONS, PAGE + "- from the editor\n")

    monkeypatch.setattr(workspace_module, "_flush", in_between)
    with pytest.raises(ProposalChanged) as caught:
        desk.reviewer.apply_decided(pid)
    answers = [hunk.decision for hunk in caught.value.proposal.hunks]
    assert answers == [Decision.WAITING, Decision.REJECTED]


# -- saying no


def test_rejecting_settles_writes_nothing_and_is_remembered(desk: Desk) -> None:
    pid = two_changes(desk)
    rejected = desk.reviewer.reject(pid)
    assert rejected.state is State.REJECTED
    assert desk.text_of(OPINIONS) == PAGE
    store = again(desk)
    assert store.settled() == (rejected,)
    assert store.is_rejected(rejected.fingerprint)
    assert all(store.is_rejected(hunk.fingerprint(OPINIONS)) for hunk in rejected.hunks)


def test_rejecting_one_change_leaves_the_other_waiting(desk: Desk) -> None:
    pid = two_changes(desk)
    left = desk.reviewer.reject(pid, [0])
    assert left.state is State.WAITING
    assert [h.decision for h in left.hunks] == [Decision.REJECTED, Decision.WAITING]
    assert desk.reviewer.reject(pid, [1]).state is State.REJECTED


def test_changing_one_s_mind_forgets_the_rejection(desk: Desk) -> None:
    pid = two_changes(desk)
    fingerprint = desk.store.get(pid).hunks[0].fingerprint(OPINIONS)
    desk.reviewer.decide(pid, 0, Decision.REJECTED)
    assert again(desk).is_rejected(fingerprint)
    desk.reviewer.decide(pid, 0, Decision.WAITING)
    assert not again(desk).is_rejected(fingerprint)


def test_never_again_remembers_the_topic(desk: Desk) -> None:
    pid = desk.suggest(
        OPINIONS,
        change(3, "- opinion 1", "x", topic="opinion:peter"),
        change(4, "- opinion 2", "y", topic="opinion:mara"),
    )
    desk.reviewer.never(pid, [0])
    assert again(desk).nevers() == ("opinion:peter",)
    assert again(desk).get(pid).state is State.WAITING


# -- taking back


def test_undo_gives_the_bytes_back_and_is_remembered(desk: Desk) -> None:
    pid = two_changes(desk)
    applied = desk.reviewer.approve(pid)
    undone = desk.reviewer.undo(pid).proposal
    assert desk.text_of(OPINIONS) == PAGE
    assert undone.state is State.UNDONE
    store = again(desk)
    assert store.get(pid) == undone
    assert all(store.is_rejected(h.fingerprint(OPINIONS)) for h in applied.proposal.hunks)
    assert desk.reviewer.undo(pid).proposal == undone


def test_undo_after_further_edits_takes_back_only_what_was_approved(desk: Desk) -> None:
    pid = desk.suggest(
        OPINIONS,
        change(3, "- opinion 1", "- ONE\n- and more"),
        change(5, "- opinion 3", None),
        change(11, None, "- opinion 9"),
    )
    desk.reviewer.approve(pid)
    now = desk.text_of(OPINIONS).replace("- opinion 2", "- opinion 2, by hand")
    desk.write(OPINIONS, "Intro.\n" + now + "- mine\n")
    desk.reviewer.undo(pid)
    assert desk.text_of(OPINIONS) == (
        "Intro.\n" + PAGE.replace("- opinion 2", "- opinion 2, by hand") + "- mine\n"
    )


def test_undo_of_lines_that_were_edited_since_is_refused(desk: Desk) -> None:
    pid = two_changes(desk)
    desk.reviewer.approve(pid)
    now = desk.text_of(OPINIONS).replace("- ONE", "- ONE, by hand")
    desk.write(OPINIONS, now)
    with pytest.raises(ProposalRefused, match="edited in the same lines"):
        desk.reviewer.undo(pid)
    assert desk.text_of(OPINIONS) == now
    assert again(desk).get(pid).state is State.APPLIED


def test_undo_of_added_lines_that_were_edited_since_is_refused(desk: Desk) -> None:
    pid = desk.suggest(OPINIONS, change(11, None, "- opinion 9"))
    desk.reviewer.approve(pid)
    desk.write(OPINIONS, PAGE + "- opinion 9, by hand\n")
    with pytest.raises(ProposalRefused):
        desk.reviewer.undo(pid)
    assert desk.text_of(OPINIONS) == PAGE + "- opinion 9, by hand\n"


def test_undo_of_lines_that_are_gone_already_keeps_the_rest(desk: Desk) -> None:
    pid = desk.suggest(OPINIONS, change(11, None, "- opinion 9"))
    desk.reviewer.approve(pid)
    desk.write(OPINIONS, "Intro.\n" + PAGE)
    assert desk.reviewer.undo(pid).proposal.state is State.UNDONE
    assert desk.text_of(OPINIONS) == "Intro.\n" + PAGE


def test_undo_of_a_page_that_was_made_takes_it_away_unless_it_grew(desk: Desk) -> None:
    for name in ("Peter", "Mara"):
        target = f"bank/entities/{name}.md"
        pid = desk.suggest(target, change(1, None, f"# {name}\n\n- Likes figs."), pid=name)
        desk.reviewer.approve(pid)
    desk.write("bank/entities/Mara.md", "# Mara\n\n- Likes figs.\n\nMy own words.\n")
    for name in ("Peter", "Mara"):
        desk.reviewer.undo(name)
    assert not (desk.root / "bank/entities/Peter.md").exists()
    assert "My own words.\n" in desk.text_of("bank/entities/Mara.md")
    assert "figs" not in desk.text_of("bank/entities/Mara.md")


def test_undo_on_a_read_only_page_is_refused_and_can_be_tried_again(desk: Desk) -> None:
    pid = two_changes(desk)
    desk.reviewer.approve(pid)
    (desk.root / OPINIONS).chmod(0o444)
    with pytest.raises(ProposalNotSaved):
        desk.reviewer.undo(pid)
    assert again(desk).get(pid).state is State.APPLIED
    (desk.root / OPINIONS).chmod(0o644)
    desk.reviewer.undo(pid)
    assert desk.text_of(OPINIONS) == PAGE


def test_what_was_not_approved_or_is_too_old_cannot_be_taken_back(desk: Desk) -> None:
    pid = two_changes(desk)
    with pytest.raises(ProposalRefused, match="not approved yet"):
        desk.reviewer.undo(pid)
    desk.reviewer.approve(pid)
    (desk.store.folder / "undo" / f"{pid}.after").unlink()
    with pytest.raises(ProposalRefused, match="too long ago"):
        desk.reviewer.undo(pid)
    assert "- ONE" in desk.text_of(OPINIONS)


def test_taking_back_one_of_two_approvals_keeps_the_other(desk: Desk) -> None:
    first = desk.suggest(OPINIONS, change(3, "- opinion 1", "- ONE"))
    desk.reviewer.approve(first)
    second = desk.suggest(OPINIONS, change(5, "- opinion 3", "- THREE"))
    desk.reviewer.approve(second)
    desk.reviewer.undo(first)
    assert desk.text_of(OPINIONS) == PAGE.replace("- opinion 3", "- THREE")


LINES = st.text(
    st.characters(exclude_characters="\n\r\0\ufeff", exclude_categories=["Cs"]), max_size=5
)


@given(
    st.lists(LINES, min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.data(),
)
def test_undo_gives_back_the_bytes_of_any_page(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    end: str,
    closed: bool,
    data: st.DataObject,
) -> None:
    desk = open_desk(tmp_path_factory.mktemp("notes"), {})
    before = (end.join(lines) + end * closed).encode()
    desk.write(OPINIONS, before)
    last = len(lines) - (not lines[-1] and not closed)
    start = data.draw(st.integers(0, last))
    stop = data.draw(st.integers(start, last))
    new = tuple(data.draw(st.lists(LINES, max_size=3)))
    pid = desk.suggest(OPINIONS, Hunk(start + 1, tuple(lines[start:stop]), new, ""))
    desk.reviewer.approve(pid, allow_shrink=True)
    desk.reviewer.undo(pid)
    assert desk.bytes_of(OPINIONS) == before


@given(st.lists(LINES, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.data())
def test_the_chosen_changes_and_then_the_rest_make_the_page_of_all_at_once(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    end: str,
    closed: bool,
    data: st.DataObject,
) -> None:
    page = (end.join(lines) + end * closed).encode()
    desk = open_desk(tmp_path_factory.mktemp("notes"), {OPINIONS: page, "bank/world.md": page})
    stands = split_lines(page.decode())
    hunks: list[Hunk] = []
    at = 0
    for number in range(data.draw(st.integers(2, 4))):
        start = data.draw(st.integers(at, len(stands)))
        at = data.draw(st.integers(start, len(stands)))
        new = tuple(f"{number} {line}" for line in data.draw(st.lists(LINES, max_size=2)))
        hunks.append(Hunk(start + 1, stands[start:at], new, ""))
    fitting = checked_hunks(page.decode(), hunks)
    chosen = data.draw(st.sets(st.integers(0, len(hunks) - 1), min_size=1))
    desk.reviewer.approve(desk.suggest("bank/world.md", *fitting), allow_shrink=True)
    pid = desk.suggest(OPINIONS, *fitting)
    rest = desk.reviewer.approve(pid, chosen, allow_shrink=True).rest
    assert (rest is None) == (len(chosen) == len(hunks))
    if rest is not None:
        assert len(rest.hunks) == len(hunks) - len(chosen)
        desk.reviewer.approve(rest.id, allow_shrink=True)
    assert split_lines(desk.text_of(OPINIONS)) == split_lines(desk.text_of("bank/world.md"))


def test_behind_a_blank_line_that_only_ends_the_page_the_rest_still_fits(desk: Desk) -> None:
    desk.write(OPINIONS, "- one")
    pid = desk.suggest(OPINIONS, change(2, None, ""), change(2, None, "- two"))
    rest = desk.reviewer.approve(pid, [0]).rest
    assert desk.text_of(OPINIONS) == "- one\n"
    assert rest is not None
    assert rest.base_text == "- one\n"
    desk.reviewer.approve(rest.id)
    assert desk.text_of(OPINIONS) == "- one\n- two\n"


# -- opening again


def test_what_was_rejected_waits_again_and_its_topics_may_come(desk: Desk) -> None:
    pid = desk.suggest(OPINIONS, change(3, "- opinion 1", "- ONE", topic="opinion:1"))
    rejected = desk.reviewer.never(pid)
    desk.write(OPINIONS, "Intro.\n" + PAGE)
    reopened = desk.reviewer.reopen(pid)
    assert again(desk).waiting() == (reopened,)
    assert (reopened.settled, reopened.hunks[0].decision) == (None, Decision.WAITING)
    assert not again(desk).is_rejected(rejected.fingerprint)
    assert not again(desk).is_rejected(rejected.hunks[0].fingerprint(OPINIONS))
    assert again(desk).nevers() == ()
    desk.reviewer.approve(pid)
    assert desk.text_of(OPINIONS) == "Intro.\n" + PAGE.replace("- opinion 1", "- ONE")


@pytest.mark.parametrize("target", [OPINIONS, "bank/entities/Peter.md"])
def test_what_was_taken_back_waits_again_and_can_be_saved_and_taken_back(
    desk: Desk, target: str
) -> None:
    is_there = target == OPINIONS
    pid = desk.suggest(target, change(1, "# Opinions" if is_there else None, "# Anew"))
    desk.reviewer.approve(pid)
    desk.reviewer.undo(pid)
    desk.reviewer.reopen(pid)
    desk.reviewer.approve(pid)
    assert desk.text_of(target).startswith("# Anew")
    desk.reviewer.undo(pid)
    assert desk.text_of(OPINIONS) == PAGE
    assert (desk.root / target).exists() == is_there


def test_of_one_that_waits_the_rejected_changes_wait_again(desk: Desk) -> None:
    pid = two_changes(desk)
    before = desk.store.get(pid)
    desk.reviewer.reject(pid, [0])
    assert desk.reviewer.reopen(pid) == before
    with pytest.raises(ProposalRefused, match="waiting already"):
        desk.reviewer.reopen(pid)


def test_what_is_saved_overtaken_or_does_not_fit_any_more_is_not_opened_again(desk: Desk) -> None:
    def reject(*hunks: Hunk) -> str:
        pid = desk.suggest(OPINIONS, *hunks)
        desk.reviewer.reject(pid)
        return pid

    one, two = change(3, "- opinion 1", "- ONE"), change(4, "- opinion 2", "- TWO")
    saved = desk.suggest("bank/world.md", change(3, "- fact", "- a fact"))
    desk.reviewer.approve(saved)
    overtaken = desk.suggest("bank/world.md", change(3, "- a fact", "- no fact"))
    desk.store.withdraw(overtaken, NOON.now())
    clashing, there, twice = reject(one), reject(two), reject(change(5, "- opinion 3", "- THREE"))
    desk.write(OPINIONS, PAGE.replace("opinion 1", "by hand").replace("opinion 2", "TWO"))
    other = desk.suggest(OPINIONS, change(5, "- opinion 3", "- THREE"))
    before = again(desk).all()
    for pid, why in {
        saved: "Take it back first",
        overtaken: "newer suggestion",
        clashing: "edited in the same lines",
        there: "says all of it already",
        twice: f"waiting already, as {other}",
    }.items():
        with pytest.raises(ProposalRefused, match=why):
            desk.reviewer.reopen(pid)
    (desk.root / OPINIONS).unlink()
    with pytest.raises(ProposalRefused, match="not there any more"):
        desk.reviewer.reopen(twice)
    assert again(desk).all() == before
    assert again(desk).is_rejected(one.fingerprint(OPINIONS))
