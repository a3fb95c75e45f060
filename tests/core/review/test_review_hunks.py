"""A change of lines touches those lines and nothing else."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from review_tools import change

from daybank.errors import ProposalRefused
from daybank.review.hunks import (
    Part,
    apply_hunks,
    apply_to_bytes,
    reversed_hunks,
    split_lines,
    unified_diff,
    word_changes,
)
from daybank.review.proposal import Hunk

PAGE = "# Opinions\n\n- one\n- two\n- three\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("\n", ("",)),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\n\n", ("a", "")),
        ("a\r\nb", ("a", "b")),
        ("a\rb\fc\u2028d\n", ("a\rb\fc\u2028d",)),
    ],
)
def test_lines_are_split_at_newlines_only(text: str, lines: tuple[str, ...]) -> None:
    assert split_lines(text) == lines


def test_a_line_is_replaced_another_goes_and_one_is_added_at_the_end() -> None:
    hunks = [
        change(3, "- one", "- ONE\n- and a half"),
        change(4, "- two", None),
        change(6, None, "- four"),
    ]
    assert apply_hunks(PAGE, hunks) == "# Opinions\n\n- ONE\n- and a half\n- three\n- four\n"


@pytest.mark.parametrize(
    ("before", "hunk", "after"),
    [
        ("a", change(2, None, "b"), "a\nb"),
        ("a\nb", change(2, "b", None), "a"),
        ("a\nb", change(2, "b", "B"), "a\nB"),
        ("a\nb", change(1, "a", "A"), "A\nb"),
        ("a\nb\n", change(2, "b", None), "a\n"),
        ("a\nb\n", change(3, None, "c"), "a\nb\nc\n"),
        ("", change(1, None, "a"), "a\n"),
        ("a\n", change(1, "a", None), ""),
        ("a\r\nb", change(3, None, "c"), "a\r\nb\r\nc"),
        ("a\r\nb", change(2, "b", None), "a"),
        ("a\r\nb\r\n", change(3, None, "c"), "a\r\nb\r\nc\r\n"),
        ("a\r\nb\r\n", change(1, None, "x"), "x\r\na\r\nb\r\n"),
        ("a\nb\r\nc\n", change(2, "b", "B\nBB"), "a\nB\r\nBB\r\nc\n"),
        ("a\nb\r\nc\nd", change(5, None, "e"), "a\nb\r\nc\nd\ne"),
        ("a\r\nb\nc\r\nd", change(4, "d", "d\ne"), "a\r\nb\nc\r\nd\r\ne"),
        ("a\r\nb\r\n", change(1, "a\nb", "a\nx\nb"), "a\r\nx\r\nb\r\n"),
    ],
)
def test_line_ends_and_a_last_newline_or_its_lack_are_kept(
    before: str, hunk: Hunk, after: str
) -> None:
    assert apply_hunks(before, [hunk]) == after
    assert apply_to_bytes(before.encode(), [hunk]) == after.encode()


@pytest.mark.parametrize(
    ("hunks", "why"),
    [
        ([change(0, None, "x")], "has no place"),
        ([change(7, None, "x")], "has no place"),
        ([change(5, "- three\n- four", None)], "has no place"),
        ([change(3, "- two", "x")], "line 3 does not say"),
        ([change(3, "- one\n- two", "x"), change(4, "- two", "y")], "touch the same lines"),
        ([change(3, "- one", "x"), change(3, "- one", "y")], "touch the same lines"),
        ([Hunk(3, ("- one",), ("x\ny",), "")], "line break"),
    ],
)
def test_a_change_without_its_exact_place_is_refused_with_the_reason(
    hunks: list[Hunk], why: str
) -> None:
    with pytest.raises(ProposalRefused, match=why):
        apply_hunks(PAGE, hunks)


def test_of_equal_lines_the_numbered_one_is_changed() -> None:
    assert apply_hunks("- same\n- same\n", [change(2, "- same", "- x")]) == "- same\n- x\n"


def test_bytes_that_are_no_text_outside_the_change_stay() -> None:
    before = "caf\u00e9\n".encode("cp1252") + b"\x81\x8d\n- old\n"
    after = apply_to_bytes(before, [change(3, "- old", "- niño")])
    assert after == before.replace(b"- old", "- niño".encode("cp1252"))


def test_a_line_with_bytes_that_are_no_text_can_be_replaced() -> None:
    before = b"caf\xe9\n- \x81\n"
    assert apply_to_bytes(before, [change(2, "- \ufffd", "- new")]) == b"caf\xe9\n- new\n"


def test_letters_that_the_page_cannot_take_are_refused() -> None:
    with pytest.raises(ProposalRefused, match="not in UTF-8"):
        apply_to_bytes("caf\u00e9\n- old\n".encode("cp1252"), [change(2, "- old", "- Лена")])


def test_letters_that_would_be_read_as_others_afterwards_are_refused() -> None:
    with pytest.raises(ProposalRefused, match="not in UTF-8"):
        apply_to_bytes(b"- \xe9\n", [change(1, "- é", "- Ã©")])


def test_an_inner_byte_order_mark_and_the_one_in_front_stay() -> None:
    before = codecs.BOM_UTF8 + "a\ufeffb\r\n- old".encode()
    after = apply_to_bytes(before, [change(2, "- old", "- new")])
    assert after == before.replace(b"old", b"new")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_page_in_utf_16_stays_in_it(codec: str) -> None:
    # U+0A0A and U+000A beside U+0A00: newline bytes that are no newline.
    mark = codecs.BOM_UTF16_LE if codec.endswith("le") else codecs.BOM_UTF16_BE
    before = mark + "\u0a0a\u0a00\n- old\n\u0a05".encode(codec)
    after = apply_to_bytes(before, [change(2, "- old", "- Лена")])
    assert after == mark + "\u0a0a\u0a00\n- Лена\n\u0a05".encode(codec)


def test_half_a_character_at_the_end_is_refused() -> None:
    with pytest.raises(ProposalRefused):
        apply_to_bytes(
            codecs.BOM_UTF16_LE + "- old\n".encode("utf-16-le") + b"x",
            [change(1, "- old", "- new")],
        )


LINES = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=5)


@st.composite
def pages_and_hunks(draw: st.DrawFn) -> tuple[list[str], str, list[Hunk], list[bool]]:
    """Lines, the line end they are joined with, changes that do not overlap, and which are taken;
    an entry of the last newline in the line end's place is drawn too."""
    lines = draw(st.lists(LINES, max_size=12))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    hunks = []
    at = 0
    while at <= len(lines) and draw(st.booleans()):
        start = draw(st.integers(at, len(lines)))
        stop = draw(st.integers(start, min(start + 3, len(lines))))
        new = draw(st.lists(LINES, max_size=3))
        hunks.append(Hunk(start + 1, tuple(lines[start:stop]), tuple(new), ""))
        at = max(stop, start + 1)
    taken = draw(st.lists(st.booleans(), min_size=len(hunks), max_size=len(hunks)))
    return lines, end, hunks, taken


def _naive(lines: list[str], hunks: list[Hunk]) -> list[str]:
    out = list(lines)
    for hunk in reversed(hunks):
        out[hunk.line - 1 : hunk.line - 1 + len(hunk.old)] = hunk.new
    return out


@given(pages_and_hunks())
def test_taking_some_changes_equals_replacing_those_lines_by_hand(
    drawn: tuple[list[str], str, list[Hunk], list[bool]],
) -> None:
    lines, end, hunks, taken = drawn
    text = "".join(line + end for line in lines)
    chosen = [hunk for hunk, yes in zip(hunks, taken, strict=True) if yes]
    after = apply_hunks(text, chosen)
    assert list(split_lines(after)) == _naive(lines, chosen)
    if lines:
        assert after == "".join(line + end for line in _naive(lines, chosen))
    if "\0" not in text and not text.startswith("\ufeff"):
        try:
            data = apply_to_bytes(text.encode(), chosen)
        except ProposalRefused:  # the new lines would have it read in another encoding
            return
        assert data == after.encode()


@given(pages_and_hunks())
def test_a_text_without_a_last_newline_gets_none(
    drawn: tuple[list[str], str, list[Hunk], list[bool]],
) -> None:
    lines, end, hunks, _ = drawn
    if not lines or not lines[-1]:
        return
    after = apply_hunks(end.join(lines), hunks)
    expected = end if len(lines) > 1 else "\n"
    assert after == expected.join(_naive(lines, hunks))


@given(pages_and_hunks())
def test_the_reverse_of_a_change_gives_the_text_back(
    drawn: tuple[list[str], str, list[Hunk], list[bool]],
) -> None:
    lines, end, hunks, _ = drawn
    text = "".join(line + end for line in lines)
    after = apply_hunks(text, hunks)
    if split_lines(after):
        assert split_lines(apply_hunks(after, reversed_hunks(hunks))) == tuple(lines)


def test_words_that_changed_are_told_from_those_that_stayed() -> None:
    segments = word_changes("- O(c=0.80) @Peter: likes figs", "- O(c=0.87) @Peter: likes figs!")
    shown = [(s.part, s.text) for s in segments]
    assert (Part.OLD, "80") in shown
    assert (Part.NEW, "87") in shown
    assert shown[-1] == (Part.NEW, "!")


def test_a_changed_word_is_shown_whole_in_every_script() -> None:
    assert [s.text for s in word_changes("Лена ела", "Лена пела")] == ["Лена ", "ела", "пела"]
    old = [s.text for s in word_changes("नमस्ते दुनिया", "नमस्ते जग") if s.part is Part.OLD]
    assert old == ["दुनिया"]
    new = [s.text for s in word_changes("我喜欢茶", "我喜欢咖啡") if s.part is Part.NEW]
    assert new == ["咖啡"]
    assert word_changes("don’t", "can’t")[0].text == "don’t"


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_segments_spell_both_lines(old: str, new: str) -> None:
    segments = word_changes(old, new)
    assert "".join(s.text for s in segments if s.part is not Part.NEW) == old
    assert "".join(s.text for s in segments if s.part is not Part.OLD) == new


def test_the_diff_is_what_diff_prints() -> None:
    assert unified_diff("bank/world.md", "a\nb\n", "a\nB", context=1) == (
        "--- a/bank/world.md\n+++ b/bank/world.md\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
        "\\ No newline at the end\n"
    )
    assert unified_diff("x.md", "a\n", "a\n") == ""
