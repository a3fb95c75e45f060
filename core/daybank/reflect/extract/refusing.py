"""What is never kept, whatever it says: secrets, orders to a machine, machine text, commands,
questions, other people's words, and lines that are no whole sentence.

These rules look at the shape of the text and need no language, save for a few words that every
such text is made of.
"""

from __future__ import annotations

import re

from daybank.reflect.extract.sentences import Prose, Sentence
from daybank.secrets import find_secrets, speaks_of_secret

SHORTEST = 3
"""Words of the shortest sentence that can be a fact."""
LONGEST = 60
LONGEST_TEXT = 1000
LONGEST_QUOTE = 4
"""Words in quotation marks that may be a name or a title; more are what somebody said."""
TOO_LONG = "too long for one note"
SECRET = "looks like a password or a key"
ORDER_TO_MACHINE = "an instruction to a machine, not a note"

_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|ignor[ae]\w*|olvida\w*|omite|desobedece|"
    r"игнорир\w+|забудь\w*|не обращай\w*|huwag (?:mong )?(?:pansinin|sundin)|balewalain|"
    r"kalimutan)\b.{0,60}\b(?:instruct\w*|prompts?|rules?|guidelines?|orders|instruc\w+|reglas|"
    r"órdenes|indicaciones|инструкц\w+|правил\w*|указани\w+|tagubilin|utos|panuto|instruksyon)\b|"
    r"\b(?:system prompt|you are now|act as an?|as an ai|developer mode|jailbreak|"
    r"new instructions?|nuevas instrucciones|новые инструкции|ahora eres|теперь ты|ikaw ay ngayon|"
    r"do not tell the user|reveal your|text is a prompt|"
    r"(?:assistant|agent|chatbot|language model|asistente|агент|ассистент),? (?:should|must|please|"
    r"needs? to|has to|delete|send|remember|debe|tiene que|должен|должна|dapat))\b|"
    r"<\|?(?:system|im_start|assistant)\b",
    re.IGNORECASE | re.DOTALL,
)
_COMMAND = re.compile(
    r"\s*(?:[$>#%]\s|sudo\s|(?:apt(?:-get)?|brew|pip3?|pipx|npm|npx|yarn|pnpm|docker|podman|kubectl|"
    r"git|cd|ls|mkdir|chmod|chown|curl|wget|ssh|scp|rsync|systemctl|journalctl|python3?|node|"
    r"cargo|export|rm|cp|mv|cat|grep|sed|awk|tar|uv|poetry|dnf|yum|pacman|snap)\s+"
    r"(?:-|[\w./~$-]+\s*(?:$|-|/|\.)|(?:install|add|run|commit|push|pull|clone|start|stop|"
    r"restart|update|upgrade|build|up|exec)\b))"
)
_MACHINE = re.compile(
    r"Traceback|^\s*at [\w.$]+\(|File \"|"
    r"\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|TRACE)\b\s*[:\[\]\d]|"
    r"\b(?:ERROR|FATAL|WARN)\b|\b\w+(?:Error|Exception)\b:|[{\[]\s*\"|\"\s*:\s*[\"\d{\[tfn]|"
    r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|^\s*\[?\d\d:\d\d:\d\d\]?|\b0x[0-9a-fA-F]{4,}|"
    r"=>|->|&&|\|\||;\s*$|\b(?=[a-f]*\d)[0-9a-f]{12,}\b|</?\w+>|"
    r"^\s*(?:GET|POST|PUT|DELETE|HTTP)\b|exit code|::|\w\(\)|\b\w+\[\d+\]:"
)
_ASSIGNMENT = re.compile(r"(?<![\w=<>!])[\w.-]+\s?=\s?[\w\"'./-]+")
_FIELD = re.compile(r"(?:^|[\s;,|])[\w-]+:\s+\S+")
_RECORDED = re.compile(
    r"\s*(?:user|assistant|system|human|ai|bot|tool|model|agent|asistente|ассистент)\s*:",
    re.IGNORECASE,
)
_TO_DO = re.compile(
    r"\s*(?:to[\s-]?do|fixme|pendiente|сделать|gagawin|next steps?|action items?|reminder|remember|"
    r"before i forget|recordatorio|напоминание|paalala)\b\s*:",
    re.IGNORECASE,
)
_URL = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,63}\.\w+")
_OPENS_QUOTE = '"“«„‘'


def closed_lines(prose: Prose) -> dict[int, str]:
    """The lines of a block of which nothing may be kept, and why.

    A secret closes its line, and the next where it may stand there ("Password:"). An order to a
    machine closes its line and all that follows in the block, for that may belong to it.
    """
    closed: dict[int, str] = {}
    lines = prose.text.split("\n")
    numbers = range(prose.line, prose.line + len(lines))
    if _RECORDED.match(prose.text):
        return dict.fromkeys(numbers, "a line of a recorded conversation")
    order = _ORDER.search(prose.text)
    if order is not None:
        first = prose.line_of(order.start())
        closed |= dict.fromkeys(range(first, numbers.stop), ORDER_TO_MACHINE)
    for number, line in zip(numbers, lines, strict=True):
        if holds_secret(line):
            after = number + (1 if line.rstrip()[-1:] in (":", "=") else 0)
            closed |= dict.fromkeys(range(number, after + 1), SECRET)
    return closed


def holds_secret(text: str) -> bool:
    """Whether ``text`` shows a secret, or speaks of one: what is only suspected stays where it
    is too."""
    return bool(find_secrets(text)) or speaks_of_secret(text)


def too_long(sentence: Sentence) -> bool:
    """Whether a sentence is not even worth looking at: no person writes one like that."""
    return len(sentence.text) > LONGEST_TEXT


def reason_against(sentence: Sentence) -> str | None:
    """Why this sentence can be no bullet, from its shape; None when nothing speaks against it."""
    text = sentence.text
    if sentence.within(sentence.prose.struck):
        return "struck out"
    if any(
        len(text[max(0, s.start) : s.end].split()) != 1
        for s in sentence.within(sentence.prose.code)
    ):
        return "code"
    if _COMMAND.match(text) or "`" in text:
        return "a command"
    if _is_machine(text):
        return "text that a program wrote"
    if _TO_DO.match(text):
        return "something to do, not something known"
    if "?" in text or "¿" in text or "？" in text:
        return "a question"
    if (
        text.lstrip()[0] in _OPENS_QUOTE
        or text.count('"') % 2
        or any(
            q.start < 0 or len(text[q.start : q.end].split()) > LONGEST_QUOTE
            for q in sentence.within(sentence.prose.quotes)
        )
    ):
        return "somebody's words in quotes"
    return _not_whole(sentence)


def _is_machine(text: str) -> bool:
    if _MACHINE.search(text) or len(_ASSIGNMENT.findall(text)) > 1:
        return True
    fields = _FIELD.findall(text)
    if len(fields) > 1:
        return True
    shown = [c for c in text if not c.isspace()]
    odd = sum(not (c.isalnum() or c in ".,;:'’\"-–—()!%€$£₽₱&/“”«»…¡") for c in shown)
    return odd * 6 > len(shown)


def _not_whole(sentence: Sentence) -> str | None:
    words = [word for word in _URL.sub(" ", sentence.text).split() if any(map(str.isalpha, word))]
    if not words:
        return "no words of its own"
    if len(words) < SHORTEST:
        return "half a sentence"
    if len(words) > LONGEST:
        return TOO_LONG
    if sentence.text.rstrip("\"'”»*_ )")[-1:] in (":", ",", "…", "-", "–", "—", "&", "(") or (
        sentence.text.rstrip().endswith("...")
    ):
        return "half a sentence"
    return None
