"""The commands about the model for search by meaning: models list, get, use, remove."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from daybank.cli.arguments import Commands, Parser, text
from daybank.cli.output import FOUND, Output, clear_line, say
from daybank.embedding.catalogue import BUILT_IN, CATALOGUE, CatalogueModel, find_model
from daybank.errors import DaybankError, ModelError, ModelMissing
from daybank.settings import load_settings, save_settings, settings_path

if TYPE_CHECKING:
    from daybank.embedding.download import DownloadProgress

_STATES = {
    "absent": "not here",
    "partial": "half downloaded",
    "damaged": "damaged, get it again",
    "installed": "here",
}


def register(commands: Commands, common: Parser) -> None:
    """Add the commands."""
    models = commands.add_parser(
        "models",
        help="choose the model for search by meaning",
        description="Choose the model for search by meaning. All of them run on this computer.",
    )
    models.set_defaults(run=_list, json=False)
    actions: Commands = models.add_subparsers(title="what to do", metavar="ACTION")

    listed = actions.add_parser("list", help="which there are, and which is in use")
    listed.add_argument("--json", action="store_true", help="print JSON")
    listed.set_defaults(run=_list)

    get = actions.add_parser(
        "get",
        help="download a model",
        description="Download a model. It can be stopped with Ctrl+C and goes on where it was.",
    )
    get.add_argument("model", type=text, metavar="ID", help="see daybank models list")
    get.set_defaults(run=_get)

    use = actions.add_parser("use", help="search with this model from now on")
    use.add_argument("model", type=text, metavar="ID", help=f"an id, {BUILT_IN} or ollama:NAME")
    use.set_defaults(run=_use)

    remove = actions.add_parser("remove", help="delete a downloaded model")
    remove.add_argument("model", type=text, metavar="ID", help="see daybank models list")
    remove.set_defaults(run=_remove)


@dataclass(frozen=True, slots=True)
class _Row:
    """A model as the list shows it. ``state`` is ``absent``, ``partial``, ``damaged`` or
    ``installed``."""

    model: CatalogueModel
    state: str
    in_use: bool


def _list(arguments: argparse.Namespace, output: Output) -> int:
    choice = load_settings().model or BUILT_IN
    rows = [_Row(model, _state(model), model.id == choice) for model in CATALOGUE]
    if arguments.json:
        output.json({"in_use": choice, "models": [_row_json(row) for row in rows]})
        return FOUND
    width = max(len(row.model.id) for row in rows)
    for row in rows:
        mark = "*" if row.in_use else " "
        here = f"{_STATES[row.state]}{', in use' if row.in_use else ''}"
        output.line((f"{mark} {row.model.id:{width}}", "bold"), f"  {here}")
        output.line(f"    {row.model.description}")
        output.line((f"    {_details(row.model)}", "dim"))
    if not any(row.in_use for row in rows):
        output.line((f"* {choice}", "bold"), "  in use")
    return FOUND


def _row_json(row: _Row) -> dict[str, object]:
    return {
        "id": row.model.id,
        "size_bytes": row.model.size_bytes,
        "languages": row.model.languages,
        "licence": row.model.licence,
        "dimension": row.model.dimension,
        "state": row.state,
        "in_use": row.in_use,
    }


def _details(model: CatalogueModel) -> str:
    return (
        f"{model.languages}; {_megabytes(model.size_bytes)}; {model.licence};"
        f" {model.dimension} numbers a text"
    )


def _get(arguments: argparse.Namespace, output: Output) -> int:
    from daybank.embedding import download

    model = _known(arguments.model)
    if not model.repository:
        output.line(f"“{model.id}” comes with Daybank; there is nothing to download.")
        return FOUND
    was_here = download.state(model, _models_dir()) == "installed"
    download.download(
        model, _models_dir(), on_progress=_download_line(), base_url=download.DEFAULT_BASE_URL
    )
    came = "is here already" if was_here else "has arrived"
    output.line(f"“{model.id}” {came}. “daybank models use {model.id}” searches with it.")
    return FOUND


def _use(arguments: argparse.Namespace, output: Output) -> int:
    from daybank.embedding.embedder import chosen_model

    choice: str = arguments.model
    known = find_model(choice)
    if known is not None:
        choice = known.id
    if choice != BUILT_IN:
        # Only a model that works is chosen: an error says what is missing, and nothing changes.
        chosen_model(choice, _models_dir()).close()
    before = load_settings().model or BUILT_IN
    _save_choice(choice)
    output.line(f"Search by meaning uses “{choice}”.")
    if choice != before:
        output.line(
            "“daybank embed” prepares the notes for it; until then what was prepared before"
            " answers where it can, and words are always found."
        )
    return FOUND


def _remove(arguments: argparse.Namespace, output: Output) -> int:
    from daybank.embedding import download

    model = _known(arguments.model)
    if not model.repository:
        raise ModelError(f"“{model.id}” comes with Daybank.", "It cannot be removed alone.")
    was_here = _state(model) != "absent"
    try:
        download.discard(model, _models_dir())
    except OSError as error:
        raise ModelError(
            f"“{model.id}” could not be removed.", f"{error.strerror or error}."
        ) from error
    output.line(f"“{model.id}” was removed." if was_here else f"“{model.id}” was not here.")
    if load_settings().model == model.id:
        _save_choice(BUILT_IN)
        say("The built-in model is used again. “daybank embed” prepares the notes for it.")
    return FOUND


def _known(typed: str) -> CatalogueModel:
    model = find_model(typed)
    if model is None:
        raise ModelMissing(f"Daybank knows no model “{typed}”.", "See daybank models list.")
    return model


def _state(model: CatalogueModel) -> str:
    if model.repository:
        from daybank.embedding import download

        return download.state(model, _models_dir())
    from daybank.embedding.built_in_files import find_weights

    return "installed" if find_weights() is not None else "absent"


def _models_dir() -> Path:
    from daybank.embedding.download import default_models_dir

    return default_models_dir()


def _save_choice(choice: str) -> None:
    try:
        save_settings(replace(load_settings(), model=None if choice == BUILT_IN else choice))
    except OSError as error:
        raise DaybankError(
            "The choice could not be saved.",
            f"{error.strerror or error} (“{settings_path()}”). Nothing was changed.",
        ) from error


def _download_line() -> Callable[[DownloadProgress], None] | None:
    """A progress line on stderr, for a person watching; None in a pipe."""
    if not sys.stderr.isatty():
        return None
    shown = ""

    def show(progress: DownloadProgress) -> None:
        nonlocal shown
        line = f"{_megabytes(progress.done)} of {_megabytes(progress.total)}"
        if progress.done >= progress.total:
            clear_line()
        elif line != shown:
            print(f"\r{line}", end="", file=sys.stderr, flush=True)
            shown = line

    return show


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
