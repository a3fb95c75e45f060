"""What can go wrong that a person can meet, and how to say it.

A bug is an ordinary Python exception and is never caught as one of these. Each error here carries
a ``title`` (what happened) and a ``message`` (what is safe and what to do), both ready to show.

    DaybankError
    ├── WorkspaceError
    │   ├── WorkspaceNotFound      no folder there, or none configured
    │   ├── WorkspaceUnreadable    the folder is there and cannot be read
    │   └── PathRefused            a path that leaves the workspace, or may not be written
    ├── NoteError
    │   ├── NoteNotUnderstood      text for ``add`` that is no note
    │   └── NoteNotSaved           the disk said no; ``text`` still holds what was typed
    ├── SourceGone                 a citation whose text is not in the files any more
    ├── ProposalError              a suggestion; the page it is for is as it was
    │   ├── ProposalNotFound       no suggestion of that name, or its file cannot be read
    │   ├── ProposalRefused        it may not be made, approved or taken back; the title says why
    │   ├── ProposalChanged        the page changed; ``proposal`` fits it now and needs a fresh yes
    │   ├── ProposalConflict       the page changed in the same lines; ``clashes`` has both sides
    │   └── ProposalNotSaved       the disk said no; the suggestion still waits
    ├── ReflectionBusy             another reflection of this workspace is running
    ├── IndexBusy                  another Daybank is writing the index; try again shortly
    ├── IndexUnwritable            the index has no place to live (full disk, no permission)
    ├── ModelError                 search by meaning; search by words goes on without it
    │   ├── ModelMissing           the model's files are not on this computer
    │   ├── ModelDamaged           they are, and they are not what they should be
    │   ├── ModelUnavailable       the model server on this computer does not answer sensibly
    │   ├── DownloadWaits          no connection; what has arrived is kept
    │   └── DownloadFailed         the server has not got it, sent something else, or no room
    ├── SettingsNewer              the settings are of a newer Daybank; they were not written
    ├── LanguageModelError         the model that may word suggestions; they do without it
    └── Cancelled                  the caller's cancel event was set
"""

from __future__ import annotations

from typing import Any


class DaybankError(Exception):
    """Base of every error a person can meet. Both texts are plain, never markup."""

    def __init__(self, title: str, message: str = "") -> None:
        super().__init__(f"{title} {message}".strip())
        self.title = title
        self.message = message


class WorkspaceError(DaybankError):
    """The memory folder as a whole."""


class WorkspaceNotFound(WorkspaceError):
    """No memory folder at that place, or none chosen yet."""


class WorkspaceUnreadable(WorkspaceError):
    """The memory folder exists, and this user or machine cannot read it now."""


class PathRefused(WorkspaceError):
    """A path outside the workspace, or one that Daybank may not write."""


class NoteError(DaybankError):
    """Writing something down."""


class NoteNotUnderstood(NoteError):
    """The text to add is empty or its marker is malformed."""


class NoteNotSaved(NoteError):
    """The file could not be written. Nothing on disk changed; ``text`` is what was to be added."""

    def __init__(self, title: str, message: str, text: str) -> None:
        super().__init__(title, message)
        self.text = text


class SourceGone(DaybankError):
    """The cited text is not in its file any more."""


class ProposalError(DaybankError):
    """A suggestion. Whatever was asked of it, the page it is for is as it was."""


class ProposalNotFound(ProposalError):
    """No suggestion of that name is stored, or its file cannot be read."""


class ProposalRefused(ProposalError):
    """A suggestion that may not be made, approved or taken back.

    ``would_shrink`` is True where only an explicit yes is missing, because much of the page would
    go.
    """

    def __init__(self, title: str, message: str = "", *, would_shrink: bool = False) -> None:
        super().__init__(title, message)
        self.would_shrink = would_shrink


class ProposalChanged(ProposalError):
    """The page was edited since. ``proposal`` (a review.proposal.Proposal) is the suggestion as it
    fits the page now; it is stored and waits for a fresh yes."""

    def __init__(self, title: str, message: str, proposal: Any) -> None:
        super().__init__(title, message)
        self.proposal = proposal


class ProposalConflict(ProposalError):
    """The page was edited since, in the same lines. ``proposal`` is the suggestion as it is
    stored; ``clashes`` (of review.merge.Clash) are its changes that do not fit any more, with both
    sides."""

    def __init__(self, title: str, message: str, proposal: Any, clashes: tuple[Any, ...]) -> None:
        super().__init__(title, message)
        self.proposal = proposal
        self.clashes = clashes


class ProposalNotSaved(ProposalError):
    """The disk or another program said no. The page is as it was and the suggestion waits."""


class SettingsNewer(DaybankError):
    """The settings file was written by a newer Daybank. It is as it was."""


class ReflectionBusy(DaybankError):
    """Another process or thread reflects on this workspace."""


class IndexBusy(DaybankError):
    """Another process holds the writer lease and did not give it up in time."""


class IndexUnwritable(DaybankError):
    """The search index cannot be written where it belongs."""


class ModelError(DaybankError):
    """Search by meaning. Search by words goes on without it."""


class ModelMissing(ModelError):
    """The files of a model, or the program part that runs it, are not on this computer."""


class ModelDamaged(ModelError):
    """The files of a model are not what they should be, and are not used."""


class ModelUnavailable(ModelError):
    """A model server does not answer, answers nonsense, or may not be asked."""


class DownloadWaits(ModelError):
    """There is no connection. What has arrived is kept and the download can go on later."""


class DownloadFailed(ModelError):
    """Trying again at once would not help: not found, wrong content, or no room on the disk."""


class LanguageModelError(DaybankError):
    """The language model that the person chose gives no answer that can be used, or may not be
    asked. Suggestions are made without it."""


class Cancelled(DaybankError):
    """The person stopped it. What was finished before stays finished."""

    def __init__(self) -> None:
        super().__init__("Stopped.", "What was finished before is kept.")
