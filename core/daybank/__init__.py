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
from daybank.recall.results import Notice, RecallAnswer, RecallQuery, RecallResult, Why
from daybank.workspace import FolderSummary, create_workspace, find_workspace, inspect_folder

__version__ = "0.1.0"

__all__ = [
    "Added",
    "Block",
    "BlockKind",
    "CancelToken",
    "Cancelled",
    "Clock",
    "DayEntry",
    "DaybankError",
    "EmbedReport",
    "Entity",
    "EntitySummary",
    "FixedClock",
    "FolderSummary",
    "HealthCheck",
    "HealthReport",
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
    "Overview",
    "Page",
    "Passage",
    "PathRefused",
    "Progress",
    "RecallAnswer",
    "RecallQuery",
    "RecallResult",
    "Role",
    "Source",
    "SourceGone",
    "Span",
    "SyncReport",
    "SystemClock",
    "Why",
    "Workspace",
    "WorkspaceError",
    "WorkspaceNotFound",
    "WorkspaceUnreadable",
    "__version__",
    "create_workspace",
    "find_workspace",
    "inspect_folder",
    "open_workspace",
]
