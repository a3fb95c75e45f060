"""Daybank's library: search and look after a folder of Markdown, with the files as the truth.

from daybank import open_workspace

with open_workspace("~/notes") as ws:
    ws.sync()
    for result in ws.recall("what does Peter prefer?").results:
        print(result.content, result.source)
"""

from daybank.capture import Added
from daybank.clock import Clock, FixedClock, SystemClock
from daybank.dates import Interval
from daybank.errors import (
    Cancelled,
    DaybankError,
    IndexBusy,
    IndexUnwritable,
    ModelError,
    NoteError,
    NoteNotSaved,
    NoteNotUnderstood,
    PathRefused,
    ProposalChanged,
    ProposalConflict,
    ProposalError,
    ProposalNotFound,
    ProposalNotSaved,
    ProposalRefused,
    ReflectionBusy,
    SourceGone,
    WorkspaceError,
    WorkspaceNotFound,
    WorkspaceUnreadable,
)
from daybank.health import HealthCheck, HealthReport
from daybank.index.meaning import EmbedReport
from daybank.index.sync import SyncReport
from daybank.library import (
    DayEntry,
    Entity,
    EntitySummary,
    MeaningState,
    Overview,
    Workspace,
    open_workspace,
)
from daybank.markdown.model import Block, BlockKind, Kind, Lint, Page, Passage, Role, Source, Span
from daybank.progress import CancelToken, OnProgress, Progress
from daybank.recall.chat import ChatPage, FoundMessage
from daybank.recall.packet import Packet, as_markdown, as_text, pack
from daybank.recall.results import Notice, RecallAnswer, RecallQuery, RecallResult, Side, Why
from daybank.reflect.material import Skipped
from daybank.reflect.opinion_list import Opinion, OpinionStep
from daybank.reflect.record import Proposed, ReflectionReport
from daybank.review.apply import Applied, Approval, Undone
from daybank.review.proposal import Decision, Evidence, Hunk, Phase, Proposal, State
from daybank.workspace import FolderSummary, create_workspace, find_workspace, inspect_folder

__version__ = "0.1.0"

__all__ = [
    "Added",
    "Applied",
    "Approval",
    "Block",
    "BlockKind",
    "CancelToken",
    "Cancelled",
    "ChatPage",
    "Clock",
    "DayEntry",
    "DaybankError",
    "Decision",
    "EmbedReport",
    "Entity",
    "EntitySummary",
    "Evidence",
    "FixedClock",
    "FolderSummary",
    "FoundMessage",
    "HealthCheck",
    "HealthReport",
    "Hunk",
    "IndexBusy",
    "IndexUnwritable",
    "Interval",
    "Kind",
    "Lint",
    "MeaningState",
    "ModelError",
    "NoteError",
    "NoteNotSaved",
    "NoteNotUnderstood",
    "Notice",
    "OnProgress",
    "Opinion",
    "OpinionStep",
    "Overview",
    "Packet",
    "Page",
    "Passage",
    "PathRefused",
    "Phase",
    "Progress",
    "Proposal",
    "ProposalChanged",
    "ProposalConflict",
    "ProposalError",
    "ProposalNotFound",
    "ProposalNotSaved",
    "ProposalRefused",
    "Proposed",
    "RecallAnswer",
    "RecallQuery",
    "RecallResult",
    "ReflectionBusy",
    "ReflectionReport",
    "Role",
    "Side",
    "Skipped",
    "Source",
    "SourceGone",
    "Span",
    "State",
    "SyncReport",
    "SystemClock",
    "Undone",
    "Why",
    "Workspace",
    "WorkspaceError",
    "WorkspaceNotFound",
    "WorkspaceUnreadable",
    "__version__",
    "as_markdown",
    "as_text",
    "create_workspace",
    "find_workspace",
    "inspect_folder",
    "open_workspace",
    "pack",
]
