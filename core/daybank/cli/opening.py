"""Opening the memory folder that a command works on."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from daybank.cli.output import say
from daybank.embedding.vectors import Chosen, Embedder, Space
from daybank.errors import DaybankError, IndexBusy, IndexUnwritable, LanguageModelError
from daybank.library import Workspace, keep_index_outside, open_workspace
from daybank.settings import Settings, load_settings
from daybank.workspace import find_workspace

if TYPE_CHECKING:
    from daybank.reflect.wording import LanguageModel


WAIT_SECONDS = 5.0


def open_chosen(arguments: argparse.Namespace) -> Workspace:
    """The folder asked for or chosen, with the model chosen. Raises WorkspaceError."""
    settings = load_settings()
    path = find_workspace(arguments.workspace, configured=settings.workspace)
    outside = None
    if settings.index_outside:
        outside = keep_index_outside(path)
    return open_workspace(
        path,
        index_dir=arguments.index_dir or outside,
        choose_embedder=lambda: _chosen(settings),
        earlier_embedder=lambda space: _earlier(settings, space),
        language_model=lambda: _language_model(settings),
        commit=settings.commit,
    )


def _chosen(settings: Settings) -> Chosen:
    from daybank.embedding.embedder import embedder_from_settings

    return embedder_from_settings(settings)


def _earlier(settings: Settings, space: Space) -> Embedder | None:
    from daybank.embedding.embedder import earlier_embedder

    return earlier_embedder(settings, space)


def _language_model(settings: Settings) -> LanguageModel | None:
    from daybank.reflect.wording import chosen_model

    try:
        return chosen_model(settings)
    except LanguageModelError as error:
        say(f"The language model is not used: {error}")
        return None


def sync_if_possible(workspace: Workspace, within: str = "") -> DaybankError | None:
    """Read what changed; where the index cannot be written now, the reason why what it holds must
    do. Another Daybank that is at it, say for the first time, is not waited for long."""
    try:
        workspace.sync(within=within, wait=WAIT_SECONDS)
    except (IndexBusy, IndexUnwritable) as error:
        return error
    return None
