"""Secrets in notes are found where they stand, hidden where they are handed on, and ordinary notes
pass untouched."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from core_tools import MakeWorkspace
from hypothesis import given
from hypothesis import strategies as st

from daybank.cli import main
from daybank.recall.packet import as_markdown, as_text, pack
from daybank.secrets import HIDDEN, find_secrets, mask, speaks_of_secret

SAMPLE = Path(__file__).parents[2] / "resources" / "sample_workspace"
DATA = Path(__file__).parents[1] / "data"
CASE = "staging key is sk-test-EXAMPLE0000000000000000, db password hunter2-EXAMPLE"
PRIVATE_KEY = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    + "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n" * 3
    + "-----END OPENSSH PRIVATE KEY-----"
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (CASE, "staging key is [hidden], db password [hidden]"),
        ("Wi-Fi password: sunshine", "Wi-Fi password: [hidden]"),
        ("The password is hunter2-EXAMPLE.", "The password is [hidden]."),
        ("Mara's password is “Blue9Horse!” now", "Mara's password is “[hidden]” now"),
        ("- **Password**: `correct horse battery`", "- **Password**: `[hidden]`"),
        ("| router | password | x7Kq99ab |", "| router | password | [hidden] |"),
        ("API key:\n   blue99horse-EXAMPLE", "API key:\n   [hidden]"),
        ("Contraseña nueva del wifi: abeja1234", "Contraseña nueva del wifi: [hidden]"),
        ("La clave de Pedro es hunter2-EXAMPLE y sigue.", "La clave de Pedro es [hidden] y sigue."),
        ("Пароль Петра hunter2-EXAMPLE, он сменил его", "Пароль Петра [hidden], он сменил его"),
        ("Пароль: ромашка", "Пароль: [hidden]"),
        ("password ko: lola1234", "password ko: [hidden]"),
        ("Ang password ko ay lola1234", "Ang password ko ay [hidden]"),
        ('{"api_key": "abcd1234efgh5678"}', '{"api_key": "[hidden]"}'),
        ("SMTP_PASSWORD=EXAMPLE-pw-77", "SMTP_PASSWORD=[hidden]"),
        ("psql postgres://mara:hunter2@db.example.com/n", "psql postgres://mara:[hidden]@db.example.com/n"),
        ("https://example.com/x?access_token=abc123def456&y=1", "https://example.com/x?access_token=[hidden]&y=1"),
        ("Authorization: Bearer abcdef1234567890abcd", "Authorization: Bearer [hidden]"),
        ("ghp_EXAMPLE0000000000000000000000000000 works", "[hidden] works"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl", "[hidden]"),
        (f"My key:\n{PRIVATE_KEY}\nKeep it.", "My key:\n[hidden]\nKeep it."),
        ("The PIN is 4821.", "The PIN is [hidden]."),
        ("Código de la puerta: 4711", "Código de la puerta: [hidden]"),
        ("Код домофона 4711", "Код домофона [hidden]"),
        ("Visa 4111 1111 1111 1111 until 12/27", "Visa [hidden] until 12/27"),
        ("Peter's IBAN is DE89 3704 0044 0532 0130 00.", "Peter's IBAN is [hidden]."),
        ("login mara key Zx81Qq72Lm54Pp19Rr", "login mara key [hidden]"),
        (f"seed phrase: {' '.join(['able', 'about', 'acid'] * 4)}", "seed phrase: [hidden]"),
    ],
)  # fmt: skip
def test_a_secret_is_hidden_and_the_words_around_it_stay(text: str, shown: str) -> None:
    assert mask(text) == shown
    assert mask(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "She changed the password on 2026-11-03.",
        "The password is on the fridge, and it is important.",
        "Password: changed",
        "Password manager: Bitwarden",
        "Passwords are in KeePassXC, version 2.7.9",
        "Reset the password for user mara1987 by mail",
        "password: <your password>, or password=${DB_PASS}",
        "postgres://user:password@localhost/db",
        "Mountain pass: closed until May",
        "The secret: butter",
        "La clave: paciencia",
        "Пароль сменили в пятницу",
        "The key for oven-2 hangs at the door",
        "key takeaways from 2026Q3 meeting with 14 people",
        "token budget: 200000",
        "Pin the 1500 flyers to the board",
        "PIN code in 2026",
        "order 4111111111111112, made 1764403200000000",
        "phone +49 170 1234567, ISBN 978-3-16-148410-0",
        "commit 9ea6593f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "Prefers tea (memory/2025-11-27.md#L12 ^f-91c2d0aa11ff)",
        "DE00 3704 0044 0532 0130 00 has wrong check digits",
    ],
)
def test_an_ordinary_note_passes(text: str) -> None:
    assert find_secrets(text) == ()
    assert mask(text) == text


def test_the_whole_sample_workspace_holds_no_secret() -> None:
    files = [place for place in SAMPLE.rglob("*") if place.is_file()]
    assert len(files) > 100
    assert {p.name: found for p in files if (found := find_secrets(p.read_text("utf-8")))} == {}


def test_ordinary_notes_in_four_languages_hold_no_secret() -> None:
    for name in ("multilingual", "stance"):
        places = [place for place in (DATA / name).rglob("*") if place.is_file()]
        assert places
        assert [find_secrets(place.read_text("utf-8")) for place in places] == [()] * len(places)


def test_what_is_found_never_repeats_the_secret() -> None:
    found = find_secrets(CASE)
    assert [secret.what for secret in found] == ["a key", "a password"]
    assert "EXAMPLE" not in repr(found)


def test_a_text_may_speak_of_a_secret_without_showing_one() -> None:
    assert speaks_of_secret("The wifi password is on the fridge.")
    assert not speaks_of_secret("The bread is on the fridge.")


@given(st.text(max_size=300))
def test_any_text_is_masked_without_trouble(text: str) -> None:
    found = find_secrets(text)
    assert all(0 <= s.start < s.end <= len(text) for s in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert mask(text).count(HIDDEN) >= len(found)


@given(st.sampled_from(["password: ", "пароль ", "api_key=", "PIN "]), st.text(max_size=80))
def test_whatever_follows_a_label_is_masked_without_trouble(label: str, text: str) -> None:
    assert all(s.start < s.end for s in find_secrets(label + text))


@pytest.mark.timeout(20)
def test_a_very_long_line_takes_no_time() -> None:
    for piece in (
        "password ",
        "a1",
        "password is ",
        "4111 ",
        "eyJ",
        "x://a:",
        "-----BEGIN PRIVATE KEY-----",
    ):
        find_secrets(piece * 5_000)


def test_packets_show_what_the_note_says_but_not_its_secrets(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2026-11-20.md": f"## Retain\n\n- W @Mara: {CASE}.\n"})
    answer = ws.recall("staging key")
    assert answer.results[0].content == f"{CASE}."  # the person's own window
    packet = pack(answer, mask=mask)
    for printed in (as_markdown(packet), as_text(packet)):
        assert "EXAMPLE" not in printed
        assert "staging key is" in printed
        assert "db password" in printed


def test_the_command_line_hides_secrets_in_packets_only(
    make_workspace: MakeWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    ws = make_workspace({"memory/2026-11-20.md": f"## Retain\n\n- W @Mara: {CASE}.\n"})
    before = (ws.path / "memory/2026-11-20.md").read_bytes()

    def run(*more: str) -> str:
        assert main(["recall", "--workspace", str(ws.path), "staging key", *more]) == 0
        return capsys.readouterr().out

    assert CASE in run()
    for more in (
        ("--format", "markdown"),
        ("--budget", "200"),
        ("--json",),
        ("--json", "--budget", "200"),
    ):
        out = run(*more)
        assert "EXAMPLE" not in out
        assert "staging key is" in out
        assert "EXAMPLE" in run(*more, "--show-secrets")
    main(["entity", "--workspace", str(ws.path), "Mara", "--json"])
    assert "EXAMPLE" not in capsys.readouterr().out
    assert json.loads(run("--json"))["results"][0]["source"] == "memory/2026-11-20.md#L3"
    assert (ws.path / "memory/2026-11-20.md").read_bytes() == before


def test_adding_a_note_with_a_secret_warns_and_writes_it_as_typed(
    make_workspace: MakeWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    ws = make_workspace({})
    assert main(["add", "--workspace", str(ws.path), f"W @Mara: {CASE}"]) == 0
    captured = capsys.readouterr()
    assert "a key and a password" in captured.err
    assert "EXAMPLE" not in captured.err
    assert CASE in next((ws.path / "memory").iterdir()).read_text()
    assert main(["add", "--workspace", str(ws.path), "W @Mara: Likes tea"]) == 0
    assert capsys.readouterr().err == ""
