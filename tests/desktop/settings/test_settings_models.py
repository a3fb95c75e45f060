"""Models for search by meaning: fetched over a real connection, used, removed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from settings_tools import BIG, SMALL, TWO_MODELS, Desk, Hub, Names, Notes

from daybank.embedding import catalogue
from daybank_desktop.services import models as services
from daybank_desktop.services.models import Download, DownloadPhase

MakeDesk = Callable[..., Desk]


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", TWO_MODELS)


def phase(desk: Desk) -> DownloadPhase | None:
    download = desk.services.models.download
    return download.phase if download is not None else None


def state(desk: Desk) -> str:
    row = desk.services.models.row("small")
    assert row is not None
    return row.state


def looked_at(desk: Desk) -> Desk:
    desk.services.models.refresh()
    desk.settle()
    return desk


def test_a_model_is_fetched_with_its_progress(make_desk: MakeDesk, hub: Hub) -> None:
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    told: list[Download | None] = []
    models.download_changed.connect(told.append)
    hub.gate.clear()

    models.start_download("small")
    desk.until(lambda: models.download is not None and models.download.percent > 10)
    hub.gate.set()
    desk.until(lambda: models.download is None)

    shares = [download.percent for download in told if download is not None]
    assert shares == sorted(shares)
    assert told[-1] is None
    assert state(desk) == "installed"
    assert (desk.root / "models" / "small" / "onnx" / "model.onnx").read_bytes() == BIG


def test_a_pause_keeps_what_has_arrived_and_going_on_asks_for_the_rest(
    make_desk: MakeDesk, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SILENT_SECONDS", 0.2)
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    hub.gate.clear()
    models.start_download("small")
    desk.until(lambda: models.download is not None and models.download.percent > 10)

    models.pause()
    desk.settle()
    assert phase(desk) is DownloadPhase.PAUSED
    kept = models.download
    assert kept is not None
    assert kept.done > 0
    hub.gate.set()
    models.resume()
    desk.until(lambda: models.download is None)

    assert state(desk) == "installed"
    assert hub.weights_asked[0] is None
    assert hub.weights_asked[-1] is not None
    assert hub.weights_asked[-1].startswith("bytes=")


def test_going_on_at_once_after_a_pause_does_not_fetch_twice(
    make_desk: MakeDesk, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SILENT_SECONDS", 0.2)
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    hub.gate.clear()
    models.start_download("small")
    desk.until(lambda: models.download is not None and models.download.percent > 10)

    models.pause()
    models.resume()
    hub.gate.set()
    desk.until(lambda: models.download is None)
    desk.settle()

    assert state(desk) == "installed"
    assert (desk.root / "models" / "small" / "onnx" / "model.onnx").read_bytes() == BIG


def test_stop_removes_what_has_arrived(
    make_desk: MakeDesk, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SILENT_SECONDS", 0.2)
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    hub.gate.clear()
    models.start_download("small")
    desk.until(lambda: models.download is not None and models.download.percent > 10)

    models.stop()
    assert models.download is None
    desk.settle()

    assert state(desk) == "absent"
    assert not any((desk.root / "models").iterdir())


def test_half_a_model_of_an_earlier_start_is_fetched_to_its_end(
    make_desk: MakeDesk, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "SILENT_SECONDS", 0.2)
    desk = looked_at(make_desk(base_url=hub.url))
    hub.gate.clear()
    desk.services.models.start_download("small")
    desk.until(lambda: (desk.services.models.download or Download("", "")).percent > 10)
    desk.services.models.pause()
    desk.settle()
    hub.gate.set()

    later = looked_at(make_desk(base_url=hub.url))
    assert state(later) == "partial"
    later.services.models.start_download("small")
    later.until(lambda: later.services.models.download is None)

    assert state(later) == "installed"
    assert str(hub.weights_asked[-1]).startswith("bytes=")


def test_without_internet_the_download_waits_and_goes_on_by_itself(
    make_desk: MakeDesk, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    models._again.setInterval(20)
    hub.away = True

    models.start_download("small")
    desk.until(lambda: phase(desk) is DownloadPhase.WAITING)
    assert models.download is not None
    assert models.download.reason == "No internet: the download waits."
    hub.away = False
    desk.until(lambda: models.download is None)

    assert state(desk) == "installed"


def test_a_download_that_is_refused_says_so_and_is_not_tried_again(
    make_desk: MakeDesk, hub: Hub
) -> None:
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    hub.refuses = True

    models.start_download("small")
    desk.until(lambda: phase(desk) is DownloadPhase.FAILED)

    assert models.download is not None
    assert models.download.reason.startswith("The download was refused. The server answered 403.")
    assert not models._again.isActive()
    hub.refuses = False
    models.resume()
    desk.until(lambda: models.download is None)
    assert state(desk) == "installed"


def test_a_model_is_used_from_then_on(make_desk: MakeDesk, hub: Hub, notes: Notes) -> None:
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    desk.open()
    models.start_download("small")
    desk.until(lambda: models.download is None)
    told: list[str] = []
    models.model_changed.connect(told.append)

    models.use("small")
    assert models.choosing == "small"
    desk.settle()

    assert (models.in_use, told, notes.model_changes) == ("small", ["small"], 1)
    assert desk.saved_shared()["model"] == "small"
    assert "MainThread" not in notes.threads


def test_a_model_that_cannot_be_used_is_not_chosen(make_desk: MakeDesk, notes: Notes) -> None:
    desk = looked_at(make_desk())
    models = desk.services.models
    failures: list[str] = []
    models.failed.connect(lambda error: failures.append(error.title))

    models.use("small")
    desk.settle()

    assert failures == ["The model “small” is not on this computer."]
    assert (models.in_use, models.choosing, notes.model_changes) == ("built-in", "", 0)


def test_removing_the_model_in_use_brings_the_built_in_one_back(
    make_desk: MakeDesk, hub: Hub, notes: Notes
) -> None:
    desk = looked_at(make_desk(base_url=hub.url))
    models = desk.services.models
    desk.open()
    models.start_download("small")
    desk.until(lambda: models.download is None)
    models.use("small")
    desk.settle()

    models.remove("small")
    desk.settle()

    assert (models.in_use, state(desk), notes.model_changes) == ("built-in", "absent", 2)
    assert desk.saved_shared()["model"] is None


def test_ollama_is_looked_for_and_used(make_desk: MakeDesk, ollama: Names) -> None:
    desk = looked_at(make_desk(ollama_url=ollama.url))
    models = desk.services.models
    desk.open()

    models.look_for_ollama()
    desk.settle()
    assert models.ollama.names == ("nomic:latest", "minilm:latest")
    models.use("ollama:nomic:latest")
    desk.settle()

    assert models.in_use == "ollama:nomic:latest"
    assert ollama.asked[-1] == "/api/embed"


def test_where_ollama_does_not_run_that_is_said(make_desk: MakeDesk) -> None:
    desk = looked_at(make_desk())

    desk.services.models.look_for_ollama()
    desk.settle()

    assert desk.services.models.ollama.problem == "Ollama is not running."


def test_nothing_is_asked_of_anybody_before_the_person_asks(
    make_desk: MakeDesk, hub: Hub, ollama: Names
) -> None:
    desk = make_desk(base_url=hub.url, ollama_url=ollama.url)
    desk.open("look")

    assert (hub.asked, ollama.asked) == ([], [])


def test_a_download_under_way_does_not_hold_up_the_end(
    make_desk: MakeDesk, hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(services, "SILENT_SECONDS", 0.2)
    desk = looked_at(make_desk(base_url=hub.url))
    hub.gate.clear()
    desk.services.models.start_download("small")
    desk.until(lambda: (desk.services.models.download or Download("", "")).percent > 10)

    assert desk.tasks.shutdown(2.0)
    assert (tmp_path / "models" / f".{SMALL.id}.part").is_dir()
