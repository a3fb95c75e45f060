"""The sample folder, asked as a person would ask it: the right thing comes first."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from daybank import FixedClock, Workspace, open_workspace

SAMPLE = Path(__file__).parents[2] / "resources" / "sample_workspace"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("sample") / "notes"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns(".memory"))
    clock = FixedClock(datetime(2026, 11, 26, 12, tzinfo=UTC))
    with open_workspace(folder, clock=clock) as workspace:
        workspace.sync()
        yield workspace


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what does Mara prefer", "Prefers a short voice message"),
        ("Mara prefers voice mess", "Prefers a short voice message"),
        ("ube", "ube"),
        ("Когда прилетает Лена", "прилетает 12 декабря"),
        ("что любит Лена", "Любит: корку, поезда"),
        ("¿cuándo cierra Tomás en diciembre?", "Cerrado del 24 al 26 de diciembre"),
        ("kailan darating si Tita Rosa", "Darating sa ika-5 ng Disyembre"),
        ("flour delivery last week", "the flour delivery moves to Tuesdays"),
        ("borodinsky recipe", "Borodinsky"),
        ("who granted the sign", "The town hall granted the sign"),
        ("when was Mara in Porto", "Porto"),
        ("tomas raises prices", "will not raise his prices"),
    ],
)
def test_the_right_note_comes_first(sample: Workspace, question: str, first: str) -> None:
    answer = sample.recall(question)
    assert first.casefold() in answer.results[0].content.casefold()


def test_a_half_typed_place_is_found(sample: Workspace) -> None:
    for text in ("market sq", "market squ", "market square"):
        top = sample.recall(text).results[:3]
        assert any("Market Square" in result.entities for result in top), text


def test_a_week_without_words_begins_with_what_happened_in_it(sample: Workspace) -> None:
    answer = sample.recall("last week", k=25)
    assert len({result.day for result in answer.results}) >= 6
    assert all(result.why.in_window for result in answer.results)
    assert answer.results[0].kind.is_fact


def test_typing_a_question_never_fails_and_never_flickers_to_nothing(sample: Workspace) -> None:
    question = "flour delivery tuesdays"
    for length in range(3, len(question) + 1):
        assert sample.recall(question[:length]).results, question[:length]


def test_the_sample_has_nothing_that_is_not_understood(sample: Workspace) -> None:
    for question in ("Mara", "Лена", "Tita Rosa", "oven 2"):
        for result in sample.recall(question, k=100).results:
            assert sample.locate(result.source, result.id) == result.source
