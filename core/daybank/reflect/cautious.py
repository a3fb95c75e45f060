"""What is never put on a page that an assistant reads: orders to a machine, and secrets.

A note may hold anything, and a page is read in every conversation. So a text that gives an order
instead of telling something is left where it stands. Conservative on purpose: people who must do
something ("Mara must always lock up") give no order to anybody. Pure; safe from any thread.
"""

from __future__ import annotations

import re

from daybank.reflect.extract.refusing import holds_secret

OVERRIDES = "it tells an assistant to set aside its instructions"
COMMANDS = "it gives orders instead of telling something"
DESTROYS = "it asks for something to be deleted"
POSES = "it tells an assistant who to be"
SECRET = "it looks like a password or a key"

_RULES = (
    r"(?:instruct\w*|prompts?|rules?|guidelines?|orders|safeguards?|instruc\w+|reglas|órdenes|"
    r"ordenes|indicaciones|инструкц\w+|правил\w*|указани\w+|промпт\w*|tagubilin|utos|panuto|"
    r"instruksyon|patakaran)"
)
_OVERRIDE = re.compile(
    rf"\b(?:ignore|disregard|forget|override|bypass|ignora|ignoren|olvida|olvide|omite|omita|"
    rf"desobedece|игнорируй\w*|забудь\w*|не обращай\w* внимани\w+|отмени\w*|"
    rf"huwag (?:mong |ninyong )?(?:pansinin|sundin)|balewalain|kalimutan)\b.{{0,60}}?\b{_RULES}\b",
    re.IGNORECASE | re.DOTALL,
)
_POSE = re.compile(
    r"\b(?:you are now (?:an?|the|in|free)\b|from now on,? you are\b|pretend (?:to be|you are)|"
    r"act as (?:an? |the )?(?:ai|assistant|system|admin\w*|root|developer)|system prompt|"
    r"developer mode|jailbreak|reveal your|do not tell the (?:user|owner)|new instructions?:|"
    r"ahora eres (?:un|una|el|la)\b|actúa como (?:un |una )?(?:asistente|sistema|administrador)|"
    r"no (?:se )?lo digas al usuario|nuevas instrucciones:|"
    r"теперь ты(?: —| -|\s)|действуй как|притворись|системн\w+ промпт\w*|новые инструкции:|"
    r"не говори пользователю|ikaw ay ngayon|magpanggap (?:ka|na)|"
    r"huwag (?:mong )?sabihin sa (?:user|gumagamit)|bagong tagubilin:)|<\|?(?:system|im_start)\b",
    re.IGNORECASE,
)
_AT_START = r"(?:^|[.!?;:\n—–-]\s*|[\"“«]\s*)(?:[-*+>]\s+)?"
_POLITE = (
    r"(?:please,? |always |por favor,? |siempre |пожалуйста,? |всегда |"
    r"paki(?:usap)?,? |palaging )*"
)
_COMMAND = re.compile(
    rf"{_AT_START}(?:you (?:must|shall|should always|should never|have to|need to|are to|will "
    rf"always|will never|may never)|(?:the )?(?:assistant|agent|ai|model|chatbot)s?,? "
    rf"(?:must|shall|should|has to|have to|needs? to|always|never)|"
    rf"(?:siempre )?(?:debes|tienes que|deberás)|(?:el )?(?:asistente|agente) (?:debe|tiene que)|"
    rf"ты (?:всегда |никогда |не )?(?:должен|должна|обязан\w*)|"
    rf"(?:ассистент|агент|помощник) (?:должен|обязан)|"
    rf"(?:kailangan|dapat) (?:mong|ninyong)|dapat (?:kang|ang (?:assistant|agent)))\b",
    re.IGNORECASE,
)
_RUN = re.compile(
    rf"{_AT_START}{_POLITE}(?:run|execute|ejecuta|ejecute|выполни(?:те)?|запусти(?:те)?|"
    rf"patakbuhin|isagawa)\b(?=.*(?:`|\b(?:command|script|code|comando|código|команд\w+|"
    rf"скрипт\w*|код|utos|every|before|first|always|antes|сначала|lagi)\b|[\w-]+\.(?:sh|py|exe)))",
    re.IGNORECASE,
)
_DESTROY = re.compile(
    rf"{_AT_START}{_POLITE}(?:delete|erase|wipe|remove|destroy|drop|borra|borre|elimina|elimine|"
    rf"удали(?:те)?|сотри(?:те)?|уничтожь(?:те)?|burahin|tanggalin|alisin)\b\s+"
    rf"(?:all|every|everything|any|the whole|the entire|todo|todos|todas|все|всё|всех|весь|"
    rf"lahat|ang lahat)\b|\brm -rf\b|\bdrop table\b",
    re.IGNORECASE,
)


def is_instruction(text: str) -> str | None:
    """Why ``text`` is an order to whoever reads it rather than something known, in words that
    finish "left out, because …"; None where it is none."""
    for pattern, reason in (
        (_OVERRIDE, OVERRIDES),
        (_POSE, POSES),
        (_DESTROY, DESTROYS),
        (_COMMAND, COMMANDS),
        (_RUN, COMMANDS),
    ):
        if pattern.search(text):
            return reason
    return None


def unfit_for_pages(text: str) -> str | None:
    """Why ``text`` may not be copied to a page at all; None where it may. The reason never
    repeats the text."""
    return SECRET if holds_secret(text) else is_instruction(text)
