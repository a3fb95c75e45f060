"""Passwords, keys and the like in a text: where they stand, and the text without them.

People paste them into notes. The notes stay as they are; what is handed on shows ``[hidden]``
instead. The rules know the shapes that services give their keys, and the words beside which people
write a password (English, Spanish, Russian, Filipino). Ordinary notes must pass: a rule without a
shape of its own needs such a word. Pure functions, no state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

HIDDEN = "[hidden]"
"""What is shown in place of a secret."""

_LONGEST_GAP = 60
"""Characters between a word such as "password" and what may be one, on the same line."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret in a text: the offsets of its own characters, the end left out, and what it is in
    words such as "a password". It never holds the secret itself."""

    start: int
    end: int
    what: str


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets in ``text`` (a line or a whole file), in order, none overlapping. Never raises.

    What only speaks of a secret ("she changed the password") is none.
    """
    found = sorted(
        (secret for rule in _RULES for secret in rule(text)), key=lambda s: (s.start, -s.end)
    )
    out: list[Secret] = []
    for secret in found:
        if not out or secret.start >= out[-1].end:
            out.append(secret)
        elif secret.end > out[-1].end:
            out[-1] = Secret(out[-1].start, secret.end, out[-1].what)
    return tuple(out)


def mask(text: str) -> str:
    """``text`` with every secret in it shown as ``[hidden]``; the words around it stay."""
    for secret in reversed(find_secrets(text)):
        text = f"{text[: secret.start]}{HIDDEN}{text[secret.end :]}"
    return text


def speaks_of_secret(text: str) -> bool:
    """Whether ``text`` names a password, a key or the like, whether or not it shows one. For what
    must not be copied on a mere suspicion; too broad for hiding anything."""
    return _LABEL.search(text) is not None or _ENV_NAME.search(text) is not None


# -- the words beside which people write a secret

_LABEL_WORDS = (
    r"pass(?:word|wd|phrase|code)s?|pwd"
    r"|api[\s_-]?keys?|secret[\s_-]?(?:access[\s_-]?)?keys?|access[\s_-]?keys?"
    r"|private[\s_-]?keys?|client[\s_-]?secrets?|licen[cs]e[\s_-]?keys?"
    r"|(?:auth|access|bearer|api|refresh|bot|session)[\s_-]?tokens?"
    r"|credentials?|seed[\s_-]?phrases?|recovery[\s_-]?(?:codes?|phrases?|keys?)"
    r"|contraseñas?|contrasenas?|credenciales|clave(?:\s+de)?\s+(?:privada|acceso|api|wi-?fi)"
    r"|парол(?:ь|я|е|ю|и|ем|ей|ям|ями|ях)|секретн\w+\s+(?:ключ|фраз)\w*"
    r"|api[\s-]?ключ\w*|ключ\w*\s+(?:api|доступа)|токен\w*\s+(?:доступа|бота)|учётн\w+\s+данн\w+"
    r"|kontrasenyas?"
)
_LABEL = re.compile(rf"(?<![^\W_])(?:{_LABEL_WORDS})(?![^\W_])", re.IGNORECASE)
_WEAK_WORDS = r"pass|pw|token|secret|clave|токен|ключ|susi|wi-?fi key|wpa2?|psk"
"""Words that mean a secret only where ":" or "=" follows."""
_CODE_WORDS = (
    r"(?-i:PIN)(?:[\s-]?codes?)?|pin(?:[\s-]?codes?|(?=\s?[:=]|\s+(?:is|number)\b))|(?:door|gate|entry|access|alarm|safe|lock|unlock)\s+codes?"
    r"|(?:otp|2fa|cvv|cvc)(?:\s+codes?)?|código\s+(?:de\s+(?:acceso|entrada|la\s+\w+))"
    r"|пин(?:-?код)?\w{0,2}|код\s+(?:от\s+\w+|домофона|двери|сейфа)|cvc2?"
)
_COPULA = r"is|was|are|is\s+(?:now|still)|es|era|son|ahora\s+es|это|теперь|ay|—|–|-"
_PASSWORD = re.compile(r"pass|pwd|contrase|парол|kontrasenya", re.IGNORECASE)
_ONE_PASSWORD = re.compile(
    r"pass(?:word|wd|phrase|code)|pwd|contrase[ñn]a|пароль|kontrasenya", re.IGNORECASE
)
"""The labels after which a plain word may be the secret; of several passwords none is meant."""
_ABOUT_PASSWORDS = re.compile(
    r"[\s-]+(?:managers?|polic(?:y|ies)|rules?|protection|hints?|resets?|generator|strength)\b",
    re.IGNORECASE,
)
_ENV_NAME = re.compile(r"\b(?:[A-Z][A-Z0-9]*_)+(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PWD|PASSPHRASE)\b")

_NOT_A_VALUE = frozenset(
    # What stands after "password:" without being one.
    "changed change reset resets none unknown same todo tbd ask required optional forgotten forgot"
    " lost hidden redacted removed deleted new old set done ok okay yes no not never null nil true"
    " false string text missing expired wrong correct empty blank enter here there below above see"
    " via with and or the a an in on at my your his her our their for from by it is was this that"
    " manager protected protection hash hashed stored safe secret private default example"
    " placeholder password passwd pass username user login policy rotation rotated renewed every"
    " cambiada cambiado nueva nuevo olvidada perdida ninguna ninguno igual la el lo los las de del"
    " en mi su tu que es no sí si ver preguntar pendiente oculta desconocida caducada"
    " новый старый забыт забыл забыла потерян нет не тот та же сменил сменила сменили сменить от"
    " для на в у и это мой твой его её их неизвестен спросить смотри скрыт нужен изменён"
    " wala bago luma nakalimutan pareho ang ng sa na ni kay si ay tanungin tingnan hindi"
    " xxx xxxx xxxxx xxxxxx changeme yourpassword your_password mypassword".split()
)
_PREPOSITIONS = frozenset(
    "for of to from with user username login account room on at in by since until before after"
    " para de del usuario cuenta desde en для от на с по пользователя логин ni ng sa kay version"
    " via than or and и или y o".split()
)
_PLACEHOLDER = re.compile(
    r"[<{$%\[(]|\*{2,}|[•●∙·]{2,}|[xX]{3,}$|\.{2,}|…|(?:your|my|the|some|tu|su|mi|ваш|мой)[_-]|_+$"
)
_DATE_OR_TIME = re.compile(
    r"\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})?(?:[T ]?[\d:.Z+-]*)?$|\d{1,2}(?:st|nd|rd|th|am|pm|h)$|"
    r"[vV]?\d+(?:\.\d+)+$|[\d.,]+(?:k|m|kg|g|km|cm|mm|ml|l|%|€|\$|£|₽|₱|gb|mb|kb|px|x|s|min)$",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")

_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "«": "»", "‘": "’", "**": "**", "„": "“"}
_OPENING = re.compile(r'\s*(\*\*|["\'`“«‘„])?')
_TOKEN = re.compile(r"[^\s\"'`“”«»‘’|<>]+")
_TAIL = ".,;:!?)]}…*_"


def _labelled(text: str) -> Iterator[Secret]:
    """``password: hunter2-EXAMPLE``, ``the password is …``, ``Пароль Петра …``."""
    for label in _LABEL.finditer(text):
        is_name = not _in_query(text, label.start())
        if is_name and not _ABOUT_PASSWORDS.match(text, label.end()):
            what = _A_PASSWORD if _PASSWORD.search(label[0]) else "a key"
            single = _ONE_PASSWORD.fullmatch(label[0]) is not None
            yield from _after_label(text, label.end(), what, plain=single)
    for label in _ENV_NAME.finditer(text):
        yield from _after_label(text, label.end(), "a key", plain=False)
    for label in _WEAK_LABEL.finditer(text):
        if _in_query(text, label.start()):
            continue
        yield from _value(text, label.end(), _A_PASSWORD)
    for label in _IS.finditer(text):
        yield from _value(text, label.end(), "a key", shortest=8)


def _in_query(text: str, at: int) -> bool:
    """Whether the word at ``at`` is a parameter of a web address; another rule reads those."""
    return re.search(r"[?&][\w-]{0,20}$", text[max(0, at - 21) : at]) is not None


_A_PASSWORD = "a password"
_WEAK_LABEL = re.compile(rf"(?<![^\W_])(?:{_WEAK_WORDS})[\"'*_`]{{0,3}}\s?[:=]", re.IGNORECASE)
_IS = re.compile(
    rf"(?<![^\W_])(?:{_WEAK_WORDS}|key|llave|логин|ключ|login)(?![^\W_])[^\n:=.!?;]{{0,40}}?"
    rf"(?<=\s)(?:{_COPULA})(?=\s)",
    re.IGNORECASE,
)
_STRONG_GAP = re.compile(
    rf"[\"'*_`)]{{0,3}}\s{{0,3}}[:=：](?!//)|[^\n:=.!?;]{{0,{_LONGEST_GAP}}}?"
    rf"(?:(?<=\s)(?:{_COPULA})(?=\s)|(?<=\w)[\"'*_`)]{{0,3}}\s?[:=：](?=\s|[\"'`]))",
    re.IGNORECASE,
)
_WORDS_AFTER = re.compile(r"[^\n:=!?;]{1,60}")
_NEXT_LINE = re.compile(r"[ \t]*\r?\n[ \t]*(?:[-*+>][ \t]+)?")


def _after_label(text: str, at: int, what: str, *, plain: bool) -> Iterator[Secret]:
    gap = _STRONG_GAP.match(text, at)
    if gap is not None and len(text[at : gap.end()].split()) <= 8:
        marked = text[gap.end() - 1] in ":=："
        line = _NEXT_LINE.match(text, gap.end()) if marked else None
        plain = plain and marked and line is None
        found = list(_value(text, line.end() if line else gap.end(), what, plain=plain))
        if found:
            yield from found
            return
    yield from _loose(text, at, what)


def _loose(text: str, at: int, what: str) -> Iterator[Secret]:
    """A word like no other within a few words after the label: ``db password hunter2-EXAMPLE``."""
    after = _WORDS_AFTER.match(text, at)
    if after is None:
        return
    before = ""
    for count, token in enumerate(_TOKEN.finditer(text, at, after.end())):
        if count >= 5:
            return
        shown = token[0].rstrip(_TAIL).lstrip("([{*_")
        if before not in _PREPOSITIONS and _is_jumble(shown, shortest=8):
            start = token.start() + token[0].index(shown)
            yield Secret(start, start + len(shown), what)
            return
        if token[0][-1:] in ".!?":
            return
        before = shown.casefold()


def _value(
    text: str, at: int, what: str, *, plain: bool = False, shortest: int = 5
) -> Iterator[Secret]:
    """What stands at ``at``, if it may be a secret: a jumble of at least ``shortest`` characters.
    With ``plain`` a word without digits may be one too, where nothing else follows."""
    opening = _OPENING.match(text, at)
    if opening is None or "\n" in opening[0]:
        return
    start, quote = opening.end(), opening[1]
    if quote is not None:
        end = text.find(_QUOTES[quote], start, start + 200)
        if end > start and "\n" not in text[start:end]:
            if _is_quoted_value(text[start:end], quote, shortest):
                yield Secret(start, end, what)
            return
        if end < 0 and quote in ("'", "‘"):  # an apostrophe
            return
    token = _TOKEN.match(text, start)
    if token is None:
        return
    shown = token[0].rstrip(_TAIL)
    if _is_jumble(shown, shortest=shortest) or (
        plain and _is_value(shown) and _stands_alone(text, token.end(), token[0])
    ):
        yield Secret(start, start + len(shown), what)
    elif (phrase := _PHRASE.match(text, start)) is not None:
        yield Secret(start, phrase.end(), what)


_PHRASE = re.compile(r"(?:[a-z]{3,9}[ ]){11,24}[a-z]{3,9}(?![^\s.,;])")
"""Twelve or more small words in a row, as wallets give them."""


def _is_quoted_value(inside: str, quote: str, shortest: int) -> bool:
    if quote == "`" and len(inside) >= 8 and len(inside.split()) > 1:
        return True
    return _is_value(inside) if shortest < 8 else _is_jumble(inside, shortest=shortest)


def _stands_alone(text: str, end: int, token: str) -> bool:
    """Whether a line, a sentence or a clause ends right after the token."""
    if token[-1:] in ",;.!?)":
        return True
    rest = text[end : end + 12].split("\n", 1)[0].lstrip("\"'`”»’*_")
    return (
        not rest.strip()
        or rest.lstrip()[:1] in ",;|)}]<"
        or bool(re.match(r"\s+(?:and|y|и|at|-|—|–|\()(?:\s|$|\w)", rest))
    )


def _is_value(word: str) -> bool:
    """A word that may be a password where one is announced."""
    low = word.casefold()
    if not 4 <= len(word) <= 200 or low in _NOT_A_VALUE or _PLACEHOLDER.match(word):
        return False
    if any(char.isspace() for char in word) or "://" in word or ("@" in word[1:] and "." in word):
        return False
    if _DATE_OR_TIME.match(word):
        return False
    return any(char.isalnum() for char in word)


def _is_jumble(word: str, *, shortest: int) -> bool:
    """Letters and digits in one word, as in few words that people write."""
    if len(word) < shortest or not _is_value(word) or word.startswith(("#", "/", "./", "~/")):
        return False
    if re.search(r"\w[(\[]", word):  # a call in a program
        return False
    if "/" in word and not re.search(r"[A-Z].*\d|\d.*[A-Z]", word):
        return False
    digits = sum(char.isdigit() for char in word)
    letters = sum(char.isalpha() for char in word)
    if not digits or not letters:
        return False
    # "oven-2" and "2-factor" are words with a number beside them.
    return not re.fullmatch(r"[A-Za-z]+-\d{1,3}|\d{1,3}-[A-Za-z-]+|[A-Z]{2,6}-\d+", word)


# -- codes of digits

_CODE = re.compile(
    rf"(?<![^\W_])(?:{_CODE_WORDS})(?![^\W_])[^\n:=.!?;\d]{{0,30}}?(?:\s|[:=(#*\"'`])+"
    r"(?P<code>\d{4,8}|\d{3}[ -]\d{3}|[*#]?\d{3,6}[A-Da-d]?[*#])(?![\w.,:/%€$£-]*\d)"
    r"(?!\s?[%€$£₽₱])",
    re.IGNORECASE,
)


def _codes(text: str) -> Iterator[Secret]:
    for match in _CODE.finditer(text):
        is_year = re.fullmatch(r"(?:19|20)\d\d", match["code"]) is not None
        if not is_year or re.search(r"[:=]", match[0]):
            yield Secret(match.start("code"), match.end("code"), "a code")


# -- shapes that services give their keys

_KEY_SHAPES = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"sk-(?=[\w-]*\d)[\w-]{12,}"  # OpenAI, Anthropic, DeepSeek and others
    r"|(?:sk|rk|pk)_(?:live|test)_\w{8,}|whsec_\w{16,}"  # Stripe
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|gl[a-z]{2,8}-[\w-]{16,}"
    r"|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}"  # Slack
    r"|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}"  # AWS
    r"|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|1//0[\w-]{30,}"  # Google
    r"|npm_[A-Za-z0-9]{20,}|pypi-[\w-]{20,}|hf_[A-Za-z0-9]{20,}|dckr_pat_[\w-]{16,}"
    r"|r8_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}"
    r"|tvly-[\w-]{16,}|nvapi-[\w-]{20,}|lin_api_\w{16,}|ntn_[A-Za-z0-9]{20,}|figd_[\w-]{20,}"
    r"|dop_v1_[a-f0-9]{20,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{20,}|sq0(?:atp|csp)-[\w-]{16,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}|PMAK-[\w-]{20,}|ATATT3[\w=-]{20,}"
    r"|sbp_[a-f0-9]{20,}|hvs\.[\w-]{20,}|tskey-[\w-]{16,}|sntrys_[\w=+/-]{20,}|glsa_\w{20,}"
    r"|AGE-SECRET-KEY-1[A-Z0-9]{20,}|\d{8,10}:AA[\w-]{30,}"  # age; Telegram
    r"|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"  # Discord
    r")"
)
_HOOK = re.compile(
    r"https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/(\S{20,})"
)
_JWT = re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?")
_PRIVATE = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:.{0,20000}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|[\sA-Za-z0-9+/=:,.-]*)",
    re.DOTALL,
)
_BEARER = re.compile(
    r"\b(?:authorization[\"']?\s*[:=]\s*[\"']?)?(?:bearer|basic)\s+"
    r"(?P<value>(?=\S*\d)(?=\S*[A-Za-z])[\w.~+/=-]{16,})",
    re.IGNORECASE,
)
_CONNECTION = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,80}:(?P<value>[^\s/@\"'<>]{1,120})@[\w.\[\]-]+",
    re.IGNORECASE,
)
_IN_URL = re.compile(
    r"[?&](?:access_token|api_?key|apikey|auth|token|secret|password|passwd|pwd|sig|signature)="
    r"(?P<value>[^\s&#\"'<>)]{6,})",
    re.IGNORECASE,
)


def _shaped(text: str) -> Iterator[Secret]:
    for match in _PRIVATE.finditer(text):
        yield Secret(match.start(), match.start() + len(match[0].rstrip()), "a private key")
    for match in _KEY_SHAPES.finditer(text):
        yield Secret(match.start(), match.end(), "a key")
    for match in _JWT.finditer(text):
        yield Secret(match.start(), match.end(), "a sign-in token")
    for match in _HOOK.finditer(text):
        yield Secret(match.start(1), match.end(1), "a key")
    for pattern, what in (
        (_BEARER, "a sign-in token"),
        (_CONNECTION, "a password in an address"),
        (_IN_URL, "a key in an address"),
    ):
        for match in pattern.finditer(text):
            value = match["value"]
            if value.casefold() not in _NOT_A_VALUE and not _PLACEHOLDER.match(value):
                yield Secret(match.start("value"), match.end("value"), what)


# -- jumbles beside a word that tells what they are

_NEAR = re.compile(
    r"(?<![^\W_])(?:keys?|tokens?|secrets?|logins?|auth|llave|clave|usuario|ключ\w*|токен\w*|логин"
    r"|susi)(?![^\W_])",
    re.IGNORECASE,
)
_LONG_RUN = re.compile(r"(?<![\w/+=.-])[A-Za-z0-9+/=_-]{16,}(?![\w/.])")


def _near_words(text: str) -> Iterator[Secret]:
    for run in _LONG_RUN.finditer(text):
        before = text[max(0, run.start() - 40) : run.start()].rpartition("\n")[2]
        if _looks_random(run[0]) and _NEAR.search(before):
            yield Secret(run.start(), run.end(), "a key")


def _looks_random(run: str) -> bool:
    """Letters and digits in a jumble: case and digits change all through the run. Hashes and ids
    that programs write everywhere are none."""
    if _UUID.fullmatch(run) or _HEX.fullmatch(run):
        return False
    if sum(char.isdigit() for char in run) < 3 or not any(char.isalpha() for char in run):
        return False
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in run if c.isalnum()]
    return sum(one != other for one, other in pairwise(kinds)) >= 5


# -- numbers with a check digit

_CARD = re.compile(
    r"(?<![\w.,+/=-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})"
    r"(?![\w/=-]|[.,]\d)"
)
_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"
    r"|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:6|8|0[0-5])\d{11,12}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|62\d{14,17}|220[0-4]\d{12}|(?:50|5[6-8]|6[37])\d{14}"
)
_IBAN = re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?!\w)")


def _numbers(text: str) -> Iterator[Secret]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if _ISSUERS.fullmatch(digits) and len(set(digits)) > 1 and _luhn(digits):
            yield Secret(match.start(), match.end(), "a card number")
    for match in _IBAN.finditer(text):
        end = _iban_end(match[0])
        if end:
            yield Secret(match.start(), match.start() + end, "an account number")


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _iban_end(shown: str) -> int:
    """How much of ``shown`` is an account number by its check digits; 0 for none of it. Words in
    capitals may follow it."""
    pieces = shown.split(" ")
    for count in range(len(pieces), 0, -1):
        text = " ".join(pieces[:count])
        code = text.replace(" ", "")
        if 15 <= len(code) <= 34:
            moved = code[4:] + code[:4]
            if int("".join(str(int(char, 36)) for char in moved)) % 97 == 1:
                return len(text)
    return 0


_RULES: tuple[Callable[[str], Iterator[Secret]], ...] = (
    _shaped,
    _labelled,
    _codes,
    _near_words,
    _numbers,
)
