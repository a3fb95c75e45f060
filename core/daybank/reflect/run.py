"""One reflection: from what is new in the files to suggestions that wait for a person.

It writes nothing but ``.memory/``. The suggestions of a run take the place of those still waiting
for the same page, so a page has one suggestion however often it runs, and what was rejected does
not come back. A run that is stopped or killed changes nothing that the next does not make good.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from filelock import FileLock, Timeout

from daybank.clock import Clock
from daybank.errors import (
    Cancelled,
    DaybankError,
    PathRefused,
    ProposalError,
    ProposalNotSaved,
    ReflectionBusy,
)
from daybank.index.store import IndexStore, StoredPassage
from daybank.markdown.document import decode
from daybank.markdown.model import Role
from daybank.markdown.opinions import OPINIONS
from daybank.progress import CancelToken, OnProgress, Progress, check_cancel
from daybank.recall.names import KnownNames
from daybank.reflect.core_memory import suggest_core
from daybank.reflect.dialogue import suggest_episodes
from daybank.reflect.entities import suggest_entities
from daybank.reflect.gathering import (
    as_skipped,
    is_fresh,
    reason_for,
    with_answers,
    without_overlap,
)
from daybank.reflect.knowledge import suggest_knowledge_index
from daybank.reflect.lists import suggest_lists
from daybank.reflect.material import Material, PhaseResult, Skipped
from daybank.reflect.opinions import suggest_opinions
from daybank.reflect.record import (
    PhaseTime,
    Proposed,
    ReflectionReport,
    Remembered,
    RunRecord,
)
from daybank.reflect.refusals import refused_pairs
from daybank.reflect.repair import suggest_repairs
from daybank.reflect.retain import suggest_notes
from daybank.reflect.stance import StanceJudge
from daybank.reflect.wording import ConfirmedJudge, LanguageModel, Rationed, Wording
from daybank.review.apply import Reviewer, page_sha256
from daybank.review.hunks import checked_hunks
from daybank.review.proposal import Draft, Hunk, Phase, Proposal, State
from daybank.review.rules import check_change, check_target
from daybank.secrets import find_secrets
from daybank.workspace import WorkspaceFolder, make_below

log = logging.getLogger(__name__)

FIRST_LOGS = timedelta(days=30)
"""How far back the first run looks for logs without notes; older ones want ``since``."""

_LATER = "Another suggestion changes the same lines; this one comes later."
RULES = 1
"""Counts up when a run would suggest something else of the same notes than before."""

_OF_THE_FACTS = (
    Phase.RETAIN,
    Phase.ENTITIES,
    Phase.OPINIONS,
    Phase.WORLD,
    Phase.CORE,
    Phase.DIALOGUE,
    Phase.KNOWLEDGE,
    Phase.REPAIR,
)
PHASES = tuple(phase for phase in Phase if phase is not Phase.HAND)
"""What a run may be limited to."""
_TOGETHER = {Phase.EXPERIENCE: Phase.WORLD}
"""Phases that one function does."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run is asked for: facts and logs from ``since`` on, looked at before or not (None:
    whatever no run has seen), only some ``phases`` (empty: all), and whether to keep anything.
    ``model`` is the language model on this computer that may help, if the person wants one."""

    since: date | None = None
    dry_run: bool = False
    phases: tuple[Phase, ...] = ()
    model: LanguageModel | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report, and the drafts behind it for showing what a dry run would suggest."""

    report: ReflectionReport
    drafts: tuple[Draft, ...]


class Reflector:
    """Runs reflections on one workspace whose index is up to date.

    ``complete`` tells whether the whole folder could be read: if not, what is missing does not
    count as gone.
    """

    def __init__(
        self,
        folder: WorkspaceFolder,
        store: IndexStore,
        reviewer: Reviewer,
        record: RunRecord,
        clock: Clock,
    ) -> None:
        self._folder = folder
        self._store = store
        self._reviewer = reviewer
        self._record = record
        self._clock = clock

    def run(
        self,
        wanted: Wanted,
        names: KnownNames,
        *,
        complete: bool = True,
        progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
    ) -> Outcome:
        """Look at what is new and suggest. Raises ReflectionBusy while another run is at it, and
        Cancelled; a run that fails is recorded with its error and raises it."""
        started = self._clock.now()
        if wanted.dry_run:
            return self._run(wanted, names, started, complete, progress, cancel)
        with self._alone():
            self._record.clear_leftovers()
            self._reviewer.recover()
            try:
                return self._run(wanted, names, started, complete, progress, cancel)
            except Cancelled:
                raise
            except OSError as error:
                unsaved = _not_saved(error)
                self._keep_failure(started, wanted, unsaved)
                raise unsaved from error
            except Exception as error:
                self._keep_failure(started, wanted, error)
                raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        try:
            make_below(self._record.folder.parent, self._record.folder, 0o700)
            lock = FileLock(self._record.folder / "run.lock")
            lock.acquire(timeout=0)
        except Timeout as error:
            raise ReflectionBusy(
                "Another reflection is running.", "Wait until it is done. Nothing was changed."
            ) from error
        except OSError as error:
            raise _not_saved(error) from error
        try:
            yield
        finally:
            lock.release()

    def _keep_failure(self, started: datetime, wanted: Wanted, error: Exception) -> None:
        finished = self._clock.now()
        fault = f"It stopped because of a fault in Daybank ({type(error).__name__})."
        report = ReflectionReport(
            self._record.new_id(started),
            started,
            finished,
            wanted.since,
            error=str(error) if isinstance(error, DaybankError) else fault,
        )
        try:
            self._record.keep(report)
        except OSError:
            log.warning("the report of a failed reflection could not be kept", exc_info=True)

    # -- the run

    def _run(
        self,
        wanted: Wanted,
        names: KnownNames,
        started: datetime,
        complete: bool,
        progress: OnProgress | None,
        cancel: CancelToken | None,
    ) -> Outcome:
        before = self._record.remembered()
        waiting = [p for p in self._reviewer.store.waiting() if p.phase is not Phase.HAND]
        now_ids = self._store.evidence_ids()
        new_ids = now_ids - before.seen
        if wanted == Wanted() and complete and not new_ids:
            digest = self._digest(started, wanted)
            if before.digest == digest:
                return self._as_before(before, waiting, started, len(now_ids))
        facts = self._facts(wanted, waiting, now_ids, new_ids)
        vanished = before.seen - now_ids if complete else frozenset()
        gone = (before.gone | vanished) - now_ids
        material = Material(
            self._folder,
            self._store,
            names,
            started,
            tuple(facts),
            gone,
            wanted.since,
            cancel=cancel,
        )
        if wanted.model is not None:
            model = Rationed(wanted.model)
            material.wording = Wording(model)
            material.judge = ConfirmedJudge(StanceJudge(), model, cancel)
        logs, passed = self._logs(wanted, before, waiting, started)
        drafts, skipped, times = self._phases(material, wanted, logs, progress)
        drafts, more = self._allowed(drafts, waiting)
        skipped += more
        made, more, retry = self._proposals(material, drafts, waiting, wanted, started)
        skipped += more
        report = ReflectionReport(
            id=self._record.new_id(started),
            started=started,
            finished=started,
            since=wanted.since,
            dry_run=wanted.dry_run,
            facts=len(now_ids),
            new=len(new_ids) if wanted.since is None else len(facts),
            gone=len(vanished),
            logs=sum(before.logs.get(path) != digest for path, digest in logs.items()),
            skipped=tuple(skipped),
            skipped_in_all=len(skipped),
            phases=tuple(times),
        )
        check_cancel(cancel)
        if wanted.dry_run:
            proposed = [
                Proposed(p.target, p.phase, h.reason, "", is_fresh(p, h, waiting), h.certainty)
                for p in made
                for h in p.hunks
            ]
            report = replace(report, proposed=tuple(proposed), finished=self._clock.now())
            return Outcome(report, tuple(drafts))
        proposed, withdrawn, missed = self._store_them(made, waiting, wanted, started)
        if not wanted.phases:
            looked_at = {fact.uid for fact in facts} - retry - missed
            self._record.remember(
                Remembered(
                    (before.seen | looked_at) - gone,
                    gone,
                    {**before.logs, **passed, **logs},
                    started,
                    "" if wanted.since or missed or not complete else self._digest(started, wanted),
                )
            )
        report = replace(
            report,
            proposed=tuple(proposed),
            withdrawn=withdrawn,
            finished=self._clock.now(),
        )
        self._record.keep(report)
        return Outcome(report, tuple(drafts))

    def _digest(self, started: datetime, wanted: Wanted) -> str:
        """The same as long as a run would find the same: the day, every file, every suggestion with
        its answers, and the rules by which facts are weighed."""
        store = self._reviewer.store
        digest = hashlib.sha256(f"{RULES} {started.date()} {wanted.model is not None}\n".encode())
        for path, (content, _) in sorted(self._store.hashes().items()):
            digest.update(path.encode("utf-8", "surrogatepass") + b"\0" + content)
        said = [
            repr(
                (
                    p.target,
                    p.state,
                    [(h.fingerprint(p.target), h.decision, h.edited) for h in p.hunks],
                )
            )
            for p in store.all()
        ]
        said += [repr((item.name, item.message)) for item in store.unreadable()]
        said += [repr(topic) for topic in store.nevers()]
        digest.update("\n".join(sorted(said)).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    def _as_before(
        self, before: Remembered, waiting: Sequence[Proposal], started: datetime, facts: int
    ) -> Outcome:
        """The report of a run that need not look: everything is as the last one has left it."""
        report = ReflectionReport(
            id=self._record.new_id(started),
            started=started,
            finished=self._clock.now(),
            facts=facts,
            proposed=tuple(
                Proposed(p.target, p.phase, h.reason, p.id, False, h.certainty)
                for p in waiting
                for h in p.hunks
            ),
        )
        self._record.remember(replace(before, last_success=started))
        self._record.keep(report)
        return Outcome(report, ())

    def _facts(
        self,
        wanted: Wanted,
        waiting: Sequence[Proposal],
        now_ids: frozenset[str],
        new_ids: frozenset[str],
    ) -> list[StoredPassage]:
        """What to look at: the facts that no run has seen, or those from a day on; and those behind
        a suggestion that still waits, so that it is made anew for the pages as they are now."""
        again = {item.id for p in waiting for item in p.evidence if item.id in now_ids}
        if wanted.since is None:
            return self._store.evidence(new_ids | again)
        first = wanted.since
        every = self._store.evidence(now_ids)
        return [f for f in every if f.uid in again or (f.day is not None and f.day >= first)]

    def _logs(
        self,
        wanted: Wanted,
        before: Remembered,
        waiting: Sequence[Proposal],
        started: datetime,
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The logs to look through for notes, with the hash of each: those that are over, have no
        notes of their own, and are new or were changed. And those passed over as too old, which
        only a run with ``since`` looks through."""
        days = {path: day for day, path, _ in self._store.log_days()}
        hashes = self._store.hashes()
        with_facts = self._store.paths_with_facts()
        asked_again = {p.target for p in waiting if p.phase is Phase.RETAIN}
        old = started.date() - FIRST_LOGS
        oldest = wanted.since
        if oldest is None and before.last_success is None:
            oldest = old
        out: dict[str, str] = {}
        passed: dict[str, str] = {}
        for path, role in self._store.files():
            day = days.get(path)
            if role is not Role.LOG or day is None or day >= started.date():
                continue
            digest = hashes[path][0].hex() if path in hashes else ""
            known = before.logs.get(path) == digest and wanted.since is None
            if path in with_facts or (known and path not in asked_again):
                continue
            if oldest is None or day >= oldest or path in asked_again:
                out[path] = digest
            elif before.last_success is None and day < old:
                passed[path] = digest
        return out, passed

    def _phases(
        self,
        material: Material,
        wanted: Wanted,
        logs: Mapping[str, str],
        progress: OnProgress | None,
    ) -> tuple[list[Draft], list[Skipped], list[PhaseTime]]:
        proposals = self._reviewer.store.all()
        refused = refused_pairs(proposals)
        asked = [
            hunk
            for proposal in proposals
            if proposal.target == OPINIONS and proposal.state is State.WAITING
            for hunk in proposal.hunks
        ]
        work: dict[Phase, Callable[[], PhaseResult]] = {
            Phase.RETAIN: lambda: suggest_notes(material, logs, refused),
            Phase.ENTITIES: lambda: suggest_entities(material),
            Phase.WORLD: lambda: suggest_lists(material),
            Phase.CORE: lambda: suggest_core(material),
            Phase.DIALOGUE: lambda: suggest_episodes(material),
            Phase.KNOWLEDGE: lambda: suggest_knowledge_index(material),
            Phase.OPINIONS: lambda: suggest_opinions(material, refused, asked),
            Phase.REPAIR: lambda: suggest_repairs(material),
        }
        chosen = {_TOGETHER.get(phase, phase) for phase in wanted.phases}
        order = [p for p in _OF_THE_FACTS if p in work and (not chosen or p in chosen)]
        drafts: list[Draft] = []
        skipped: list[Skipped] = []
        times: list[PhaseTime] = []
        for number, phase in enumerate(order):
            if progress is not None:
                progress(Progress("reflect", number, len(order), phase.value))
            check_cancel(material.cancel)
            begun = time.perf_counter()
            result = work[phase]()
            seconds = time.perf_counter() - begun
            times.append(PhaseTime(phase, seconds, len(result.drafts), len(result.skipped)))
            drafts += result.drafts
            skipped += result.skipped
        if progress is not None:
            progress(Progress("reflect", len(order), len(order)))
        return drafts, skipped, times

    def _allowed(
        self, drafts: Sequence[Draft], waiting: Sequence[Proposal]
    ) -> tuple[list[Draft], list[Skipped]]:
        """Without what a person has said no to."""
        store = self._reviewer.store
        shown = {h.fingerprint(p.target) for p in waiting for h in p.hunks}
        out: list[Draft] = []
        skipped: list[Skipped] = []
        for draft in drafts:
            fingerprint = draft.hunk.fingerprint(draft.target)
            if any(find_secrets(line) for line in draft.hunk.new):
                reason = "It holds what looks like a password or a key."
            elif store.is_never(draft.hunk.topic):
                reason = "You asked never to be shown this again."
            elif fingerprint not in shown and store.is_rejected(fingerprint):
                reason = "This was suggested before and rejected."
            else:
                out.append(draft)
                continue
            skipped.append(as_skipped(draft, reason))
        return out, skipped

    def _proposals(
        self,
        material: Material,
        drafts: Sequence[Draft],
        waiting: Sequence[Proposal],
        wanted: Wanted,
        now: datetime,
    ) -> tuple[list[Proposal], list[Skipped], set[str]]:
        """One suggestion a page. What cannot be suggested now is skipped; the facts behind it come
        again next time (the third value)."""
        by_target: dict[str, list[Draft]] = {}
        for draft in drafts:
            by_target.setdefault(draft.target, []).append(draft)
        made: list[Proposal] = []
        skipped: list[Skipped] = []
        retry: set[str] = set()
        for target, some in by_target.items():
            try:
                check_target(self._folder, target)
            except (ProposalError, PathRefused) as error:
                skipped += [as_skipped(draft, str(error)) for draft in some]
                continue
            data = material.read(target)
            text = decode(data or b"").text
            fitting, clashing = without_overlap(some)
            skipped += [
                as_skipped(
                    draft, "Another suggestion changes the same lines; this one comes later."
                )
                for draft in clashing
            ]
            retry |= {item.id for draft in clashing for item in draft.hunk.evidence}
            older = [p for p in waiting if p.target == target]
            hunks, displaced = with_answers(
                [draft.hunk for draft in fitting],
                older,
                target,
                is_same_page=any(p.base_sha256 == page_sha256(data) for p in older),
                partly=bool(wanted.phases),
            )
            retry |= displaced
            ordered, refusals = self._fitting(target, text, hunks)
            skipped += [as_skipped(Draft(target, some[0].phase, h), why) for h, why in refusals]
            if not ordered:
                continue
            made.append(
                Proposal(
                    id="",
                    created=now,
                    target=target,
                    base_sha256=page_sha256(data),
                    base_text=None if data is None else text,
                    hunks=ordered,
                    reason=reason_for(ordered),
                    phase=fitting[0].phase,
                )
            )
        return made, skipped, retry

    def _fitting(
        self, target: str, text: str, hunks: Sequence[Hunk]
    ) -> tuple[tuple[Hunk, ...], list[tuple[Hunk, str]]]:
        """The changes that the page can take, in its order, and why not the others."""

        def checked(some: Sequence[Hunk]) -> tuple[Hunk, ...]:
            ordered = checked_hunks(text, some)
            check_change(self._folder, target, text, ordered, allow_shrink=True)
            return ordered

        try:
            return checked(hunks), []
        except ProposalError:
            good: list[Hunk] = []
            refusals: list[tuple[Hunk, str]] = []
            for hunk in hunks:
                try:
                    checked([*good, hunk])
                except ProposalError as error:
                    refusals.append((hunk, str(error)))
                else:
                    good.append(hunk)
            return checked(good), refusals

    def _store_them(
        self,
        made: Sequence[Proposal],
        waiting: Sequence[Proposal],
        wanted: Wanted,
        now: datetime,
    ) -> tuple[list[Proposed], int, set[str]]:
        """Put the suggestions where they wait, in the place of older ones for the same page, and
        withdraw those that nothing speaks for any more. The third value are the facts behind what
        could not be put there, since somebody was answering the older one meanwhile."""
        store = self._reviewer.store
        proposed: list[Proposed] = []
        missed: set[str] = set()
        withdrawn = 0
        for proposal in made:
            older = [p for p in waiting if p.target == proposal.target]
            kept = self._in_place(proposal, older)
            if kept is None:
                missed |= {item.id for item in proposal.evidence}
                continue
            for extra in older[1:]:
                store.withdraw(extra.id, now)
                withdrawn += 1
            proposed += [
                Proposed(
                    kept.target,
                    kept.phase,
                    hunk.reason,
                    kept.id,
                    is_fresh(kept, hunk, waiting),
                    hunk.certainty,
                )
                for hunk in kept.hunks
            ]
        targets = {proposal.target for proposal in made}
        ran = {_TOGETHER.get(phase, phase) for phase in wanted.phases}
        for old in waiting:
            did_run = not ran or _TOGETHER.get(old.phase, old.phase) in ran
            if old.target not in targets and did_run and wanted.since is None:
                store.withdraw(old.id, now)
                withdrawn += 1
        return proposed, withdrawn, missed

    def _in_place(self, proposal: Proposal, older: Sequence[Proposal]) -> Proposal | None:
        """The suggestion as it waits now; None where the older one is just being answered."""
        store = self._reviewer.store
        if not older:
            new = replace(proposal, id=store.new_id())
            store.put(new)
            return new
        first = older[0]

        def renewed(now: Proposal) -> Proposal:
            if now != first or now.applied_sha256 is not None:
                return now
            if (now.fingerprint, now.base_sha256) == (proposal.fingerprint, proposal.base_sha256):
                return now
            return replace(
                now,
                base_sha256=proposal.base_sha256,
                base_text=proposal.base_text,
                hunks=proposal.hunks,
                reason=proposal.reason,
                phase=proposal.phase,
            )

        stored = store.update(first.id, renewed)
        same = (stored.fingerprint, stored.base_sha256) == (
            proposal.fingerprint,
            proposal.base_sha256,
        )
        return stored if same and stored.state is State.WAITING else None


def _not_saved(error: OSError) -> ProposalNotSaved:
    return ProposalNotSaved(
        "What this reflection found could not be saved.",
        f"{error.strerror or error}. No page was changed; the next reflection finds it again.",
    )
