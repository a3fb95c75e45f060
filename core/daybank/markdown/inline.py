"""Inline Markdown → spans for showing, plain text for searching, and the names it mentions.

Raw HTML is text here: ``<b>`` and ``<1500 chars>`` are shown as they stand. Only comments are
left out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from daybank.markdown.model import Span
from daybank.markdown.names import MENTION, WIKI_LINK, link_target

_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_MARKUP = re.compile(r"[*_`\[\]<>\\!&~@]|==|\(\(|\^|::|://")
_CITATION = re.compile(
    r"\s*\((?:[^()\s]+\.(?:md|jsonl)#L\d+(?:-L?\d+)?(?:\s+\^[\w-]+)?(?:[;,]\s*)?)+\)|\s+\^(?:f|op|p)-[0-9a-f]{8,12}\b"
)
_CITED = re.compile(
    r"([^()\s,;]+\.(?:md|jsonl)#L\d+(?:-L?\d+)?)(?:\s+\^(f-[0-9a-f]{12}))?|\^(f-[0-9a-f]{12})"
)
_BLOCK_ID = re.compile(r"\s+\^[A-Za-z0-9-]+$", re.MULTILINE)
_BLOCK_REF = re.compile(r"\(\([0-9a-f-]{36}\)\)")
_HIDDEN_PROPERTY = re.compile(
    r"^\s*(?:collapsed|id|background-color|heading|logseq\.[\w.-]+):: .*$\n?", re.MULTILINE
)
_INLINE_DATA = re.compile(r"(data:[\w.+-]+/[\w.+-]+;base64,)[A-Za-z0-9+/=_-]{40,}")
_PROPERTY = re.compile(r"^(\s*[\w-]+):: ", re.MULTILINE)


def spans(text: str) -> tuple[Span, ...]:
    """``text`` as runs with a look and a target. The texts joined are :func:`plain`."""
    text = _tidy(text)
    if not _MARKUP.search(text):
        return (Span(text),) if text else ()
    children = _parser().parseInline(text)[0].children or []
    return tuple(_Runs().collect(children))


def plain(text: str) -> str:
    """``text`` as a person reads it, without marks: link texts, names without their ``@``."""
    tidy = _tidy(text)
    if not _MARKUP.search(tidy):
        return tidy
    return "".join(span.text for span in spans(text)).strip()


def mentions(text: str) -> tuple[str, ...]:
    """The names in ``text`` in order: ``@Name``, ``@[Long Name]`` and ``[[Link]]``, none of
    them in code or comments. A name stands once, in its first spelling."""
    if "@" not in text and "[[" not in text:
        return ()
    found: dict[str, None] = {}
    for token in _parser().parseInline(_COMMENT.sub("", text))[0].children or []:
        if token.type in ("mention", "wiki") and token.meta.get("name"):
            found.setdefault(token.meta["name"])
    return tuple(found)


def citations(text: str) -> tuple[str, ...]:
    """What ``text`` cites: ``path#L12`` and ``^f-…``, as written, in order."""
    if "#L" not in text and "^f-" not in text:
        return ()
    found: dict[str, None] = {}
    for match in _CITED.finditer(text):
        for part in match.groups():
            if part:
                found.setdefault(part)
    return tuple(found)


def without_citations(text: str) -> str:
    """``text`` without the citations and block ids that follow its sentences."""
    return _BLOCK_ID.sub("", _CITATION.sub("", text))


def _tidy(text: str) -> str:
    """Without what nobody reads: comments, outline properties, citations, the bytes of images."""
    if "<!--" in text:
        text = _COMMENT.sub("", text)
    if ";base64," in text:
        text = _INLINE_DATA.sub(r"\1…", text)
    if "::" in text:
        text = _PROPERTY.sub(r"\1: ", _HIDDEN_PROPERTY.sub("", text))
    if "((" in text:
        text = _BLOCK_REF.sub("", text)
    if "^" in text or "#L" in text:
        text = without_citations(text)
    return text.strip()


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"linkify": False}).enable("strikethrough")
    parser.inline.ruler.disable("html_inline")
    parser.inline.ruler.before("link", "wiki", _wiki_rule)
    parser.inline.ruler.before("link", "mention", _mention_rule)
    return parser


def _wiki_rule(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if state.src[start] not in "[!" or not state.src.startswith(("[[", "![["), start):
        return False
    match = WIKI_LINK.match(state.src, start, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        name = link_target(match)
        token.content = (match["shown"] or match["target"]).strip()
        token.meta = {"name": name, "target": match["target"].strip()}
    state.pos = match.end()
    return True


def _mention_rule(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if state.src[start] != "@":
        return False
    match = MENTION.match(state.src, start, state.posMax)
    if match is None:
        return False
    if not silent:
        name = (match["long"] or match["short"]).strip()
        token = state.push("mention", "", 0)
        token.content = name
        token.meta = {"name": name}
    state.pos = match.end()
    return True


class _Runs:
    """Folds inline tokens into spans."""

    def __init__(self) -> None:
        self._bold = 0
        self._italic = 0
        self._strike = 0
        self._link: list[str | None] = []
        self._out: list[Span] = []

    def collect(self, tokens: list[Token]) -> list[Span]:
        for token in tokens:
            self._one(token)
        return self._out

    def _one(self, token: Token) -> None:
        kind = token.type
        if kind == "text":
            self._put(token.content)
        elif kind in ("softbreak", "hardbreak"):
            self._put("\n")
        elif kind == "code_inline":
            self._put(token.content, code=True)
        elif kind == "strong_open":
            self._bold += 1
        elif kind == "strong_close":
            self._bold -= 1
        elif kind == "em_open":
            self._italic += 1
        elif kind == "em_close":
            self._italic -= 1
        elif kind == "s_open":
            self._strike += 1
        elif kind == "s_close":
            self._strike -= 1
        elif kind == "link_open":
            self._link.append(_target(str(token.attrGet("href") or "")))
        elif kind == "link_close":
            self._link.pop()
        elif kind == "image":
            self._put(token.content)
        elif kind in ("mention", "wiki"):
            name = token.meta.get("name")
            self._put(token.content, link=f"entity:{name}" if name else None)
        else:
            self._put(token.content)

    def _put(self, text: str, *, code: bool = False, link: str | None = None) -> None:
        if not text:
            return
        target = link or (self._link[-1] if self._link else None)
        span = Span(text, self._bold > 0, self._italic > 0, code, self._strike > 0, target)
        last = self._out[-1] if self._out else None
        if last is not None and _same_look(last, span):
            self._out[-1] = Span(
                last.text + text, span.bold, span.italic, span.code, span.strike, span.link
            )
        else:
            self._out.append(span)


def _same_look(one: Span, other: Span) -> bool:
    return (one.bold, one.italic, one.code, one.strike, one.link) == (
        other.bold,
        other.italic,
        other.code,
        other.strike,
        other.link,
    )


def _target(href: str) -> str | None:
    """Where a Markdown link may lead: the web, or a file inside the workspace."""
    lower = href.lower()
    if lower.startswith(("http://", "https://", "mailto:")):
        return href
    if ":" in href.split("/", 1)[0] or href.startswith(("/", "\\", "#")) or not href:
        return None
    return f"page:{href}"
