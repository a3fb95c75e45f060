"""The lists on the world and experience pages: what is kept, how it is written, what is closed."""

from __future__ import annotations

from datetime import date

import pytest
from core_tools import MakeWorkspace
from hypothesis import given, settings
from hypothesis import strategies as st
from reflect_tools import accept_all, cites_what_exists, lines_in, material_of, reasons, text_of

from daybank.markdown.model import Kind
from daybank.markdown.names import fact_id
from daybank.reflect.lists import MOST_LINES, MOST_NEW, suggest_lists
from daybank.review.proposal import Phase
from daybank.review.rules import check_change

WORLD = "bank/world.md"
PAGE = """# World

Mine.  Two spaces.

## Lately

<!-- daybank:begin world -->
{}<!-- daybank:end world -->

After.
"""


def log(*bullets: str) -> str:
    return "# A day\n\n## Retain\n" + "".join(f"- {bullet}\n" for bullet in bullets)


def kept(text: str, day: str, name: str = "Mara", line: int = 4) -> str:
    uid = fact_id(Kind.WORLD, text, (name,), date.fromisoformat(day))
    return f"- W @{name}: {text} (memory/{day}.md#L{line} ^{uid})\n"


def test_a_new_page_gets_its_title_and_its_list(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-19.md": log(
                "W @Mara: Opens up for the Tuesday delivery from December 2026.",
                "B @Mara @[Café Orla]: Agreed on sixty rolls a day.",
            )
        }
    )
    result = accept_all(workspace, suggest_lists)
    assert [draft.phase for draft in result.drafts] == [Phase.WORLD, Phase.EXPERIENCE]
    assert all(cites_what_exists(workspace, draft) for draft in result.drafts)
    world = text_of(workspace, WORLD).split("\n")
    assert world[:3] == ["# World", "", "<!-- daybank:begin world -->"]
    assert world[3].startswith(
        "- W @Mara: Opens up for the Tuesday delivery from December 2026. (memory/2026-11-19.md#L4"
    )
    assert "- B @Mara @[Café Orla]: Agreed on sixty rolls" in text_of(
        workspace, "bank/experience.md"
    )


def test_a_page_of_the_person_gets_the_list_at_its_end(make_workspace: MakeWorkspace) -> None:
    page = "# World\n\nMine.\n\n- W @Jun: Draws."
    workspace = make_workspace(
        {"memory/2026-11-19.md": log("W @Mara: Lives in Porto since May 2025."), WORLD: page}
    )
    accept_all(workspace, suggest_lists)
    after = text_of(workspace, WORLD)
    assert after.startswith(
        f"{page}\n\n## Lately\n\n<!-- daybank:begin world -->\n- W @Mara: Lives"
    )
    assert after.endswith("<!-- daybank:end world -->")


def test_each_new_line_is_a_change_of_its_own(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-19.md": log(
                "W @Mara: Lives in Porto since May 2025.",
                "W @Jun: Decided on 18 November 2026 to keep the bike.",
            ),
            WORLD: PAGE.format(""),
        }
    )
    result = accept_all(workspace, suggest_lists)
    assert [(len(d.hunk.old), len(d.hunk.new)) for d in result.drafts] == [(0, 1), (0, 1)]
    assert result.drafts[1].hunk.reason == (
        "The note of 19 Nov 2026 tells of a decision; the page does not have it yet."
    )
    before, after = PAGE.split("{}")
    text = text_of(workspace, WORLD)
    assert text.startswith(before)
    assert text.endswith(after)


@pytest.mark.parametrize(
    ("note", "line"),
    [
        ("Sold the van yesterday for 900 €.", "Sold the van yesterday (18 Nov 2026) for 900 €."),
        ("Sold bread in Porto last week for 300 €.", "last week (9–15 Nov 2026) for 300 €."),
        ("The promised van is ours until Sunday.", "until Sunday (19–22 Nov 2026)."),
        ("Vive en Oporto desde el 4 de mayo.", "desde el 4 de mayo de 2026."),
        ("Bought 3 sacks for the Tuesday delivery at 40 €.", "the Tuesday delivery at 40 €."),
        ("Lives in Porto since 3 May 2025.", "Lives in Porto since 3 May 2025."),
    ],
)
def test_times_that_need_the_log_carry_their_days(
    make_workspace: MakeWorkspace, note: str, line: str
) -> None:
    workspace = make_workspace({"memory/2026-11-19.md": log(f"B @Mara: {note}")})
    lines = "\n".join(lines_in(accept_all(workspace, suggest_lists)))
    assert f"{line} (memory/2026-11-19.md#L4 ^f-" in lines


def test_what_the_page_says_already_is_skipped_with_the_reason(
    make_workspace: MakeWorkspace,
) -> None:
    cited = kept("Lives in Porto since May 2025.", "2026-11-19")
    workspace = make_workspace(
        {
            "memory/2026-11-19.md": log(
                "W @Mara: Lives in Porto since May 2025.",
                "W @Jun: Works Wednesday to Saturday at the bakery.",
                "W @Tomás: Brings the flour each Monday at 7:00 to the yard.",
            ),
            WORLD: (
                f"# World\n\n{cited.replace('Lives in Porto', 'At home in Porto')}"
                "- w: works wednesday  to Saturday at the bakery.\n\n"
                "Tomás brings the flour each Monday at 7:00 to the back yard.\n"
            ),
        }
    )
    result = suggest_lists(material_of(workspace))
    assert result.drafts == ()
    assert {item.reason for item in result.skipped} == {"the page says it already"}
    assert len(result.skipped) == 3


def test_the_opposite_is_not_the_same(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-19.md": log("W @Mara: Does not work at the old bakery on Mondays."),
            WORLD: "# World\n\n- W @Mara: Does work at the old bakery on Mondays.\n",
        }
    )
    assert len(suggest_lists(material_of(workspace)).drafts) == 1


def test_an_overtaken_entry_is_closed_with_its_last_day(make_workspace: MakeWorkspace) -> None:
    old = kept("Works at the bakery.", "2026-06-02")
    workspace = make_workspace(
        {
            "memory/2026-06-02.md": log("W @Mara: Works at the bakery."),
            "memory/2026-11-19.md": log("W @Mara: Works at the museum since 3 November 2026."),
            WORLD: PAGE.format(old),
        }
    )
    closing, coming = accept_all(workspace, suggest_lists, since=date(2026, 11, 1)).drafts
    assert closing.hunk.new[0].startswith("- W @Mara: Works at the bakery (until 2 Nov 2026). (mem")
    assert closing.hunk.reason == "No longer so: “Works at the museum since 3 November 2026.”"
    assert coming.hunk.new[0].startswith("- W @Mara: Works at the museum since 3 November 2026.")


def test_an_overtaken_entry_goes_where_the_new_line_says_it(make_workspace: MakeWorkspace) -> None:
    old = kept("Lives in Riga.", "2026-06-02")
    workspace = make_workspace(
        {
            "memory/2026-06-02.md": log("W @Mara: Lives in Riga."),
            "memory/2026-11-19.md": log(
                "W @Mara: Lives in Tbilisi; before that she lived in Riga."
            ),
            WORLD: PAGE.format(old),
        }
    )
    going, _ = accept_all(workspace, suggest_lists, since=date(2026, 11, 1)).drafts
    assert (going.hunk.old, going.hunk.new) == ((old.rstrip("\n"),), ())


def test_only_the_most_telling_come_in_and_the_rest_is_told(make_workspace: MakeWorkspace) -> None:
    towns = [f"Town{chr(65 + n)}" for n in range(16)]
    bullets = [f"W @{town}: Costs {n + 3} € a night in {town}." for n, town in enumerate(towns)]
    workspace = make_workspace(
        {"memory/2026-11-19.md": log(*bullets, "W @Jun: Is here."), WORLD: PAGE.format("")}
    )
    result = accept_all(workspace, suggest_lists)
    assert len(result.drafts) == MOST_NEW
    left = [item.reason for item in result.skipped]
    assert left.count("less telling than the ones suggested") == 4
    assert left.count("too little in it that lasts") == 1


def test_every_candidate_ends_as_suggested_or_skipped(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-19.md": log(
                "W @Mara: Lives in Porto since May 2025.",
                "W @Mara: Is in Riga until 10 November 2026.",
                "W @Mara: Will ring on 12 November 2026.",
                "B @Mara: Sang.",
                "B @Mara: Agreed on sixty rolls a day.",
                "O @Mara: Prefers tea.",
            )
        }
    )
    material = material_of(workspace)
    result = suggest_lists(material)
    sources = {item.source for draft in result.drafts for item in draft.hunk.evidence}
    sources |= {item.source for item in result.skipped}
    opinions = {str(fact.source) for fact in material.new if fact.kind is Kind.OPINION}
    assert sources == {str(fact.source) for fact in material.new} - opinions


def test_a_full_list_lets_the_least_telling_go_within_the_rule(
    make_workspace: MakeWorkspace,
) -> None:
    notes = [f"Paid {n + 100} € to stall {n}." for n in range(MOST_LINES)]
    days = [f"2026-0{1 + n // 20}-{1 + n % 20:02}" for n in range(MOST_LINES)]
    files = {
        f"memory/{day}.md": log(f"W @Mara: {note}") for day, note in zip(days, notes, strict=True)
    }
    page = PAGE.format("".join(map(kept, notes, days)))
    files["memory/2026-11-19.md"] = log(
        "W @Jun: Lives on Canal Row since May 2025.", "W @Noor: Works at the health office now."
    )
    workspace = make_workspace({**files, WORLD: page})
    result = accept_all(workspace, suggest_lists, since=date(2026, 11, 1))
    gone = [draft for draft in result.drafts if not draft.hunk.new]
    assert len(gone) == 2
    assert {d.hunk.reason for d in gone} == {
        f"The list is full at {MOST_LINES} lines, and this one tells the least."
    }
    check_change(workspace._folder, WORLD, page, [draft.hunk for draft in result.drafts])


def test_orders_and_secrets_are_skipped_without_their_words(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-19.md": log(
                "W: You must always run the cleanup since May 2025.",
                "W @Mara: Her db password is hunter2-EXAMPLE since May 2025.",
            )
        }
    )
    result = suggest_lists(material_of(workspace))
    assert result.drafts == ()
    assert [item.what for item in result.skipped] == ["a note", "a note"]
    assert "hunter2" not in "".join(reasons(result))


def test_a_page_with_an_open_code_block_is_left_alone(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-19.md": log("W @Mara: Lives in Porto since May 2025."),
            WORLD: "# World\n\n```\nopen\n",
        }
    )
    result = suggest_lists(material_of(workspace))
    assert result.drafts == ()
    assert "is not closed" in reasons(result)[0]


WORDS = (
    "Lives in Porto since May 2025.",
    "Lives in Riga.",
    "Lives in Tbilisi; before that in Riga.",
    "Works at the museum.",
    "Works at the bakery until Friday.",
    "Is in Porto until 22 November 2026.",
    "Was in Porto from 17 to 22 November 2026.",
    "Costs 20 € a month.",
    "Costs 25 € a month.",
    "Agreed to open on Mondays.",
    "Sang.",
    "# not a heading [link](x) *star* `code`, 40 €",
)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 25),
            st.sampled_from("WB"),
            st.sampled_from(("Mara", "Jun")),
            st.sampled_from(WORDS),
        ),
        max_size=20,
    ),
    st.lists(st.sampled_from(WORDS), max_size=6),
    st.sampled_from(("\n", "\r\n")),
    st.integers(1, 25),
)
def test_saying_yes_to_all_leaves_nothing_to_suggest(
    make_workspace: MakeWorkspace,
    tmp_path_factory: pytest.TempPathFactory,
    notes: list[tuple[int, str, str, str]],
    written: list[str],
    newline: str,
    since: int,
) -> None:
    days: dict[int, list[str]] = {}
    for day, kind, name, text in notes:
        days.setdefault(day, []).append(f"{kind} @{name}: {text}")
    files = {f"memory/2026-11-{day:02}.md": log(*bullets) for day, bullets in days.items()}
    page = PAGE.format("".join(kept(text, "2026-11-05") for text in written))
    page = page.replace("\n", newline)
    workspace = make_workspace({**files, WORLD: page}, name=tmp_path_factory.mktemp("notes").name)
    result = accept_all(workspace, suggest_lists, since=date(2026, 11, since))
    assert all(cites_what_exists(workspace, draft) for draft in result.drafts)
    text = text_of(workspace, WORLD)
    head, tail = (part.replace("\n", newline) for part in PAGE.split("{}"))
    assert text.startswith(head)
    assert text.endswith(tail)
