"""No secret, no endless line and no endless file among the logs."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank_desktop.log_filter import LONGEST_LINE, SecretFilter, keep_end

SECRETS = ("hunter2-EXAMPLE", "sk-test-EXAMPLE0000000000000000")


@pytest.fixture
def written() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    handler.addFilter(SecretFilter())
    logger = logging.getLogger("daybank.sample")
    logger.addHandler(handler)
    logger.propagate = False
    yield logger, text
    logger.removeHandler(handler)
    logger.propagate = True


def test_a_secret_among_the_arguments_is_hidden(
    written: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, text = written
    logger.warning("It failed: %s", "the db password is hunter2-EXAMPLE, key " + SECRETS[1])
    assert "[hidden]" in text.getvalue()
    assert not any(secret in text.getvalue() for secret in SECRETS)
    assert text.getvalue().startswith("WARNING daybank.sample It failed: the db password is ")


def test_a_secret_in_a_traceback_is_hidden(
    written: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, text = written
    try:
        raise ValueError("password: hunter2-EXAMPLE")
    except ValueError:
        logger.exception("A bug")
    assert "Traceback" in text.getvalue()
    assert "ValueError: password: [hidden]" in text.getvalue()
    assert "hunter2-EXAMPLE" not in text.getvalue().replace('ValueError("password: hunter2', "")


def test_a_line_without_secrets_stays_as_it_is(
    written: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, text = written
    logger.info("Reflecting by itself: %s of %s", "planned", "2026-11-30T03:00:00")
    logger.warning("Reading %d of %d", 3, 4)
    assert text.getvalue() == "WARNING daybank.sample Reading 3 of 4\n"


def test_arguments_that_do_not_fit_lose_the_line_and_never_the_program(
    written: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, text = written
    logger.warning("%d files", "many")
    assert "could not be made" in text.getvalue()


def test_an_endless_line_is_cut_in_its_middle(
    written: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, text = written
    logger.warning("begin %s end", "word " * 100_000)
    assert len(text.getvalue()) < LONGEST_LINE + 200
    assert text.getvalue().startswith("WARNING daybank.sample begin")
    assert text.getvalue().endswith(" end\n")


@given(words=st.text(max_size=60))
def test_the_filter_lets_every_line_through(words: str) -> None:
    record = logging.LogRecord("daybank", logging.INFO, "x.py", 1, "%s", (words,), None)
    assert SecretFilter().filter(record)
    assert record.args is None
    assert isinstance(record.getMessage(), str)


def test_a_file_that_grew_keeps_its_end_at_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "crash.log"
    log.write_text("".join(f"line {n}\n" for n in range(1000)))
    keep_end(log, most=100)
    kept = log.read_text()
    assert kept.endswith("line 999\n")
    assert len(kept) <= 100
    assert all(line.startswith("line ") for line in kept.splitlines())
    keep_end(log, most=100)
    assert log.read_text() == kept
    assert [p.name for p in tmp_path.iterdir()] == ["crash.log"]


def test_a_file_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    keep_end(tmp_path / "crash.log")
    assert list(tmp_path.iterdir()) == []
