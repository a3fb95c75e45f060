"""Retain bullets out of a plain daily log, in the person's own words.

A log is read block by block and sentence by sentence. A sentence becomes a bullet when nothing
speaks against it, when it can be understood alone, and when it is worth keeping. The only changes
to its words are words left out, a capital at its beginning and punctuation trimmed at its end.
Pure: no file, no clock, no model; safe from any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from daybank.dates import Interval, Mood, find_dates
from daybank.markdown.document import Document, decode, parse
from daybank.markdown.model import ParsedFile, Role, Source
from daybank.markdown.names import fold_text
from daybank.markdown.retain import TypedBullet, is_retain_heading, parse_bullet, write_bullet
from daybank.reflect.extract.people import NameFinder, language_of
from daybank.reflect.extract.prose import label_of, prose_of
from daybank.reflect.extract.refusing import TOO_LONG, closed_lines, reason_against, too_long
from daybank.reflect.extract.scoring import Weighed, weigh
from daybank.reflect.extract.sentences import Prose, Sentence, Stretch, sentences, tokens_of
from daybank.reflect.extract.subjects import Around, Standing, around_after, stand
from daybank.reflect.extract.values import (
    Extraction,
    InferredBullet,
    KnownNamesLike,
    SkippedLine,
)
from daybank.reflect.extract.vocabulary import Vocabulary

_CAPTION = re.compile(
    r"\s*\[(?:photo|image|video|gif|audio|sticker|foto|imagen|фото)\b[^\]]*\]", re.I
)
_WORD = re.compile(r"[^\W_]+")


def infer_retain(
    parsed: ParsedFile, known_names: KnownNamesLike, *, data: bytes, most: int = 5
) -> Extraction:
    """The bullets worth keeping from a daily log that has no Retain section, at most ``most``.

    ``data`` is the file that ``parsed`` was read from: its blocks tell what is code, a quote or a
    checkbox, which passages do not. Fewer bullets, or none, where the log has no more to give. A
    log with a Retain section, and a file that is no daily log, give none. Never raises.
    """
    whole = Source(parsed.path, 1, max(1, data.count(b"\n")))
    document = parse(decode(data).text)
    refusal = _against_file(parsed, document)
    if refusal is not None:
        return Extraction(skipped=(SkippedLine(whole, refusal),))
    return _Log(parsed, document, known_names).extraction(most)


def _against_file(parsed: ParsedFile, document: Document) -> str | None:
    in_journal = parsed.path.startswith(("memory/", "journals/")) and parsed.day is not None
    if parsed.role is not Role.LOG and not (parsed.role is Role.PAGE and in_journal):
        return "not a daily log"
    if any(b.kind == "heading" and is_retain_heading(b.text) for b in document.blocks):
        return "has a Retain section already"
    return None


@dataclass(frozen=True, slots=True)
class _Candidate:
    bullet: TypedBullet
    source: Source
    weighed: Weighed


class _Log:
    """One log on its way to bullets."""

    def __init__(self, parsed: ParsedFile, document: Document, known: KnownNamesLike) -> None:
        self._parsed = parsed
        self._document = document
        self._names = NameFinder(known, "\n".join(document.lines))
        self._usual = language_of("\n".join(b.text for b in document.blocks if b.kind != "code"))
        self._skipped: list[SkippedLine] = []

    def extraction(self, most: int) -> Extraction:
        candidates = list(self._distinct(self._candidates()))
        ranked = sorted(candidates, key=lambda c: (-c.weighed.score, c.source))
        chosen = ranked[: max(0, most)]
        self._skipped += [
            SkippedLine(c.source, "this log has better lines") for c in ranked[len(chosen) :]
        ]
        bullets = sorted(
            (InferredBullet(c.bullet, c.source, c.weighed.score, c.weighed.reason) for c in chosen),
            key=lambda b: b.source,
        )
        skipped = sorted(self._skipped, key=lambda s: (s.source, s.reason))
        return Extraction(tuple(bullets), tuple(skipped))

    def _candidates(self) -> Iterator[_Candidate]:
        for prose in prose_of(self._parsed, self._document):
            if isinstance(prose, SkippedLine):
                self._skipped.append(prose)
                continue
            yield from self._paragraph(prose)

    def _paragraph(self, prose: Prose) -> Iterator[_Candidate]:
        closed = closed_lines(prose)
        prose, around = self._labelled(prose)
        for sentence in sentences(_without_captions(prose)):
            start, end = sentence.lines
            shut = next((closed[n] for n in range(start, end + 1) if n in closed), None)
            if shut is not None:
                self._skip(start, end, shut)
                around = Around()
                continue
            if too_long(sentence):
                self._skip(start, end, TOO_LONG)
                around = Around()
                continue
            vocabulary = language_of(sentence.text, self._usual)
            if vocabulary is None:
                reason = reason_against(sentence) or "in a language that is not weighed yet"
                self._skip(start, end, reason)
                continue
            outcome, around = self._sentence(sentence, vocabulary, around)
            if isinstance(outcome, str):
                self._skip(*sentence.lines, outcome)
            else:
                yield outcome

    def _labelled(self, prose: Prose) -> tuple[Prose, Around]:
        """``Mara: …`` with a known name is about Mara, or said by her where it says "I"."""
        label = label_of(prose) if prose.speaker is None else None
        name = self._names.exactly(label[0]) if label is not None else None
        if label is None or name is None:
            return prose, Around()
        labelled = replace(prose, speaker=name, start=label[1])
        vocabulary = language_of(prose.text, self._usual)
        words = tokens_of(prose.text[label[1] :])
        said = vocabulary is None or any(vocabulary.first.has(token.word) for token in words)
        return labelled, Around() if said else Around(one=name)

    def _sentence(
        self, sentence: Sentence, vocabulary: Vocabulary, around: Around
    ) -> tuple[_Candidate | str, Around]:
        phrases = find_dates(sentence.text, self._parsed.day, mood=Mood.LOG)
        dates = [Stretch(phrase.start, phrase.end) for phrase in phrases]
        today = Interval(self._parsed.day, self._parsed.day)
        telling = [d for d, p in zip(dates, phrases, strict=True) if p.interval != today]
        found = self._names.find(sentence, vocabulary, dates)
        following = around_after(sentence, vocabulary, found, dates, around)
        reason = reason_against(sentence)
        if reason is not None:
            return reason, following
        standing = stand(sentence, vocabulary, found, dates, around)
        if isinstance(standing, str):
            return standing, following
        weighed = weigh(sentence, vocabulary, found, dates, telling, standing)
        if isinstance(weighed, str):
            return weighed, following
        said_by = (sentence.prose.speaker,) if sentence.prose.speaker else ()
        named = (one.name for one in found if one.entity)
        names = tuple(dict.fromkeys((*standing.names, *said_by, *named)))
        bullet = TypedBullet(weighed.kind, names, _spoken(sentence, standing))
        return self._checked(sentence, bullet, weighed), following

    def _checked(
        self, sentence: Sentence, bullet: TypedBullet, weighed: Weighed
    ) -> _Candidate | str:
        """The candidate, if each of its words stands in its lines in that order and the bullet can
        be written and read back."""
        start, end = sentence.lines
        lines = self._document.lines[start - 1 : end]
        if not _in_order(bullet.text, "\n".join(lines)):
            return "its words are not in its lines as they stand"
        if parse_bullet(write_bullet(bullet)) != bullet:
            return "cannot be written as a note"
        return _Candidate(bullet, Source(self._parsed.path, start, end), weighed)

    def _distinct(self, candidates: Iterator[_Candidate]) -> Iterator[_Candidate]:
        seen: set[str] = set()
        for candidate in candidates:
            text = fold_text(candidate.bullet.text)
            if text in seen:
                self._skipped.append(SkippedLine(candidate.source, "said before in this log"))
            else:
                seen.add(text)
                yield candidate

    def _skip(self, start: int, end: int, reason: str) -> None:
        self._skipped.append(SkippedLine(Source(self._parsed.path, start, end), reason))


def _without_captions(prose: Prose) -> Prose:
    """Descriptions of pictures are nobody's words; blanks keep every other word in its place."""
    if "[" not in prose.text:
        return prose
    return replace(prose, text=_CAPTION.sub(lambda m: " " * len(m[0]), prose.text))


def _spoken(sentence: Sentence, standing: Standing) -> str:
    """The words of a sentence without what is cut, tidied at both ends."""
    tokens, text = sentence.tokens, sentence.text
    kept = text[tokens[standing.begin].start :] if standing.begin else text
    for at in sorted(standing.cut, reverse=True):
        offset = tokens[standing.begin].start if standing.begin else 0
        kept = kept[: tokens[at].start - offset] + kept[tokens[at].end - offset :]
    kept = " ".join(kept.split()).lstrip(" ,;:.!?)]}\"'”’»*_~—–-•").rstrip(" ,;:—–-*_~")
    return _capitalised(kept)


def _capitalised(text: str) -> str:
    """With a capital first letter, unless that changes more than the letter ("ß") or the word has
    its own shape ("iPad")."""
    first = text[:1]
    word = re.match(r"\w+", text)
    if len(first.upper()) != 1 or word is None or word[0] != word[0].lower():
        return text
    return first.upper() + text[1:]


def _in_order(text: str, lines: str) -> bool:
    """Whether the words of ``text`` stand in ``lines`` in the same order."""
    source: Iterator[str] = (m[0].casefold() for m in _WORD.finditer(lines))
    words: Sequence[str] = [m[0].casefold() for m in _WORD.finditer(text)]
    return all(word in source for word in words)
