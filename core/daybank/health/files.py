"""What of the folder could not be read or understood, one check a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daybank.health.report import HealthCheck, Level
from daybank.index.store import IndexStore
from daybank.markdown.model import Lint


@dataclass(frozen=True, slots=True)
class _Reason:
    """A kind of trouble with files: the lint code and the id of its check, how bad it is, what is
    said where there is none, and what is said of ``{n}`` of them (``one`` or ``many``)."""

    code: str
    id: str
    level: Level
    fine: str
    found: str
    one: str
    many: str


_REASONS = (
    _Reason(
        "conflict-copy",
        "conflict-copies",
        "warning",
        "No sync conflict copies.",
        "{n} made by a sync program; only the first version is searched.",
        "copy",
        "copies",
    ),
    _Reason(
        "unclosed-code",
        "unclosed-code",
        "warning",
        "Every code block is closed.",
        "{n} never closes; what stands in it is read as code, not as notes.",
        "code block",
        "code blocks",
    ),
    _Reason(
        "merge-conflict",
        "merge-conflicts",
        "warning",
        "No unmerged versions.",
        "{n} with two versions of a text left unmerged.",
        "file",
        "files",
    ),
    _Reason(
        "bad-name",
        "file-names",
        "warning",
        "Every file has a name that can be read.",
        "{n} a name that is not valid text; rename it to have it searched.",
        "file has",
        "files have",
    ),
    _Reason(
        "broken-link",
        "broken-links",
        "warning",
        "Every link in the folder leads somewhere.",
        "{n} nowhere; what it stood for is not searched.",
        "link leads",
        "links lead",
    ),
    _Reason(
        "too-large",
        "large-files",
        "warning",
        "No file is too large.",
        "{n} too large to be notes; not searched.",
        "file is",
        "files are",
    ),
    _Reason(
        "encoding",
        "encoding",
        "warning",
        "Every file is in UTF-8.",
        "{n} not valid UTF-8 and read as Windows-1252; some letters may be wrong.",
        "file is",
        "files are",
    ),
    _Reason(
        "torn-line",
        "torn-lines",
        "warning",
        "Every line of the conversation logs can be read.",
        "{n} lines that are torn or foreign; they are left out, the rest is read.",
        "conversation log has",
        "conversation logs have",
    ),
    _Reason(
        "not-downloaded",
        "not-downloaded",
        "note",
        "Every file is on this computer.",
        "{n} not downloaded yet; the last version read is still found.",
        "file",
        "files",
    ),
    _Reason(
        "link-outside",
        "links-outside",
        "note",
        "No links lead out of the folder.",
        "{n} out of the folder; not followed.",
        "link leads",
        "links lead",
    ),
    _Reason(
        "same-file",
        "same-file",
        "note",
        "No file stands there twice.",
        "{n} of a file that is searched already; read once.",
        "second name",
        "second names",
    ),
)


def index_state(store: IndexStore, pending: int) -> HealthCheck:
    if pending:
        word = "file is" if pending == 1 else "files are"
        return HealthCheck("index", "note", f"{pending} changed {word} not read yet.")
    if not store.has_full_text:
        return HealthCheck(
            "index", "warning", "Search works, but slowly: this computer's SQLite has no FTS5."
        )
    return HealthCheck("index", "ok", "Search is up to date.")


def not_understood(lints: Sequence[Lint]) -> HealthCheck:
    found = [
        lint for lint in lints if lint.code in ("not-understood", "confidence", "front-matter")
    ]
    if not found:
        return HealthCheck("lines", "ok", "Every kept note is understood.")
    word = "line was" if len(found) == 1 else "lines were"
    return HealthCheck(
        "lines",
        "note",
        f"{len(found)} {word} not wholly understood. What was not, such as a number that is none,"
        " does not count; all of it is found in search.",
        tuple(f"{lint.path}#L{lint.line}" for lint in found),
    )


def file_checks(lints: Sequence[Lint]) -> Iterator[HealthCheck]:
    """The checks of what was found in files, one a reason."""
    yield _unreadable(lints)
    for reason in _REASONS:
        found = [lint for lint in lints if lint.code == reason.code]
        if not found:
            yield HealthCheck(reason.id, "ok", reason.fine)
            continue
        count = f"{len(found)} {reason.one if len(found) == 1 else reason.many}"
        yield HealthCheck(
            reason.id, reason.level, reason.found.format(n=count), tuple(map(_place, found))
        )


def _unreadable(lints: Sequence[Lint]) -> HealthCheck:
    found = [lint for lint in lints if lint.code == "unreadable"]
    if not found:
        return HealthCheck("files", "ok", "Every file can be read.")
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    message = f"{found[0].path}: {found[0].message}{more}"
    return HealthCheck("files", "error", message, tuple(map(_place, found)))


def _place(lint: Lint) -> str:
    return f"{lint.path}#L{lint.line}" if lint.line else lint.path
