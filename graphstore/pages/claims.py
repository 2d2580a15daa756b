"""What a statement claims of an entity: an attribute and its value, where its form leaves no doubt. Pure.

Three forms are read, each of which must fill the statement's grammar, so that little is found and what is found holds:

1. *Cue.* A cue word (launch, deadline, price …) near the entity, and after it, with nothing but function words between,
   the only date or amount of the statement: "The launch of Atlas moves to 12 March".
2. *Role.* "The owner of Atlas is Priya Raman", "Atlas is led by …", "… owns Atlas", "Atlas status: green".
3. *Frame.* The whole statement but for one date or one amount with a unit: "Atlas needs 12 servers". The date must
   stand with a cue word, the amount with a verb of being or having.

Questions, conditions, denials and reports of wishes claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphstore.corpusmap.dates import dates_in
from graphstore.names import normalise

_ENTITY, _DATE, _AMOUNT = "\ue000", "\ue001", "\ue002"  # private characters, which no document holds
_CUES = {
    _DATE: {
        "launch": "launch launches launched launching golive live 上线",
        "release": "release releases released 发布",
        "deadline": "deadline due 截止",
        "start": "start starts started begins began kickoff 开始",
        "end": "end ends ended expires expired finishes finished 结束 到期",
        "delivery": "delivery delivered arrives arrived ships shipped 交付 到货",
        "signature": "signed signature 签署 签订",
        "date": "slips slipped postponed rescheduled 推迟 延期",
    },
    _AMOUNT: {
        "price": "price costs cost 价格 单价",
        "budget": "budget 预算",
        "fee": "fee fees 费用",
        "revenue": "revenue turnover 收入",
    },
}
_CUE = {kind: {cue: name for name, cues in of.items() for cue in cues.split()} for kind, of in _CUES.items()}
_BETWEEN = frozenset(
    """of for is are was will be been has have now the a date new unit on at to by planned scheduled set fixed moved
    moves slips slipped postponed brought forward expected confirmed again due takes place stays goes go amounts stands
    rises rose raised reduced cut falls fell from total : s""".split()  # noqa: SIM905 - read as prose
)
_BEING = re.compile(r"\b(is|are|was|were|has|have|had|costs?|needs?|counts?|holds?|employs?|weighs?)\b|[是为有需]")
_CLAIMS_NOTHING = re.compile(
    r"[?？]|\b(if|whether|would|could|might|may|should|unless|not|no|never|nor|without|instead|asks?|asked|wants?|wanted|"
    r"propos\w+|request\w*|suggest\w*|originally|formerly|previously)\b|n't\b|如果|是否|不|没|未|原"
)
_ROLES = {
    "owner": "owner owned owns",
    "lead": "lead leader led leads head headed heads",
    "manager": "manager managed manages",
    "assignee": "assignee assigned",
    "contact": "contact",
    "status": "status state",
    "supplier": "supplier supplied supplies",
    "location": "location headquarters based located",
}
_ROLE = {word: role for role, words in _ROLES.items() for word in words.split()}
_WORDS = "|".join(sorted(_ROLE, key=len, reverse=True))
_STATES = (
    "green|amber|yellow|red|blocked|on track|delayed|cancelled|canceled|approved|rejected|open|closed|done|in progress|"
    "on hold|live|active|inactive|resolved"
)
_VALUE = r"(?P<value>[^,;:.()]{1,60}?)"
_END = r"(?:\s+(?:since|until|from|as of|because|and)\b.*|[,;.(].*)?$"
_CAPITAL = r"[^\W\d_a-z][\w'’.-]*"  # or a word of a script without capitals
_NAMED = rf"(?P<value>{_CAPITAL}(?: {_CAPITAL}){{0,3}})"
_ROLE_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?i:(?:the )?(?:current |new )?(?P<role>{_WORDS})) (?:of|for) (?:the )?{_ENTITY}(?: is| was|:) "
        rf"(?:now |currently )?{_VALUE}{_END}",
        rf"(?i:the )?{_ENTITY}(?:['’]s)? (?i:(?P<role>{_WORDS}))(?: is|:) (?:now |currently )?{_VALUE}{_END}",
        rf"(?i:the )?{_ENTITY} is (?:now |currently )?(?P<role>owned|led|managed|headed|assigned|supplied|based)"
        rf" (?:by|to|in|at) {_VALUE}{_END}",
        rf"{_NAMED} (?P<role>owns|leads|manages|heads|supplies) (?:the )?{_ENTITY}{_END}",
        rf"{_NAMED} is (?:now )?(?:the )?(?P<role>{_WORDS}) (?:of|for) (?:the )?{_ENTITY}{_END}",
        rf"(?i:the )?{_ENTITY} (?P<role>is) (?:now |currently |still )?(?P<value>{_STATES}){_END}",
        rf"{_ENTITY}的?(?P<role>负责人|状态)\s*(?:是|为|[：:])\s*(?P<value>[^，。；,;.（(]{{1,20}}).*$",
    )
)
_CHINESE_ROLES = {"负责人": "owner", "状态": "status", "is": "status"}
_NUMBER = re.compile(
    r"(?<![\w\-/.,:])(?P<before>[€$£¥]|[A-Z]{3} )?\s?(?P<number>\d+(?:[,.\u202f']\d+)*)"
    r"\s?(?P<times>(?:k|m|bn|million|billion|thousand)\b|[万亿])?"
    r"\s?(?P<unit>%|[€$£¥]|[A-Z]{3}\b|[a-z]{2,}\b|[元人个台件天年月])?(?![\w\-/]*\d)"
)
_CURRENCY = {"€": "EUR", "$": "USD", "£": "GBP", "元": "CNY"}
_TIMES = {"k": 3, "thousand": 3, "m": 6, "million": 6, "bn": 9, "billion": 9, "万": 4, "亿": 8}
_NO_UNIT = frozenset("of to and or in on at by for from is are was per".split())  # noqa: SIM905
_CJK = "\u3040-\u9fff\uac00-\ud7af"
_LETTER = re.compile(rf"[^\W_{_CJK}]")
_ASIDE = re.compile(rf"\s?[(（][^()（）]*{_ENTITY}[^()（）]*[)）]")
"""Another name of the entity in brackets."""
_TOKEN = re.compile(rf"[{_ENTITY}{_DATE}{_AMOUNT}]|[^\W\d_]+|\d+|[^\w\s]")
_JOINED = re.compile(r"\bgo(?:es|ing)?[ -]live\b|\bwent live\b", re.IGNORECASE)
_MOVES = re.compile(
    r"\b(?:moves?|moved|slips?|slipped|postponed|changes?|changed|rescheduled)\b|[改推延]", re.IGNORECASE
)
_FROM_TO = re.compile(rf"(?:from |从)?{_DATE}(?: to |到|至|推迟到|改到){_DATE}")
_CHINESE_CUE = re.compile(
    rf"{_ENTITY}\s?的?\s?(?P<cue>{'|'.join(cue for of in _CUE.values() for cue in of if not cue.isascii())})"
    rf"(?:日期|时间|目前|现在|总|是|为|定|改|推迟|延期|到|至|于|在|将|[：:\s])*(?P<kind>[{_DATE}{_AMOUNT}])"
)
_NEAR, _REACH, _LEAST_FRAME = 4, 7, 3  # tokens


@dataclass(frozen=True, slots=True)
class Claim:
    """An attribute of the entity and the value that a statement gives it.

    :param attribute: What is claimed: ``launch``, ``owner``, or a frame with ``…`` for the value.
    :param value: In a form in which equal values are equal: an ISO date, a number with its unit, a normalised name.
    :param shown: The value as the statement writes it.
    """

    attribute: str
    value: str
    shown: str


@dataclass(frozen=True, slots=True)
class _Masked:
    """A statement with the entity, dates and amounts each put as one character."""

    text: str
    dates: tuple[tuple[str, str], ...]
    amounts: tuple[tuple[str, str], ...]


class Claims:
    """Reads claims about one entity.

    :param forms: Its written forms.
    """

    def __init__(self, forms: Iterable[str]) -> None:
        names = {" ".join(form.split()) for form in forms if form.strip()}
        self._names = sorted(map(_lower, names), key=lambda name: (-len(name), name))

    def of(self, statement: str, date: str | None) -> list[Claim]:
        """The claims of a statement.

        :param date: Of its document, which gives a date without year its year.
        """
        text = " ".join(statement.replace("*", "").split())
        if _CLAIMS_NOTHING.search(_without_months(text)):
            return []
        masked = self._masked(text, date)
        if masked.text.count(_ENTITY) != 1:
            return []
        return list(dict.fromkeys([*_roles(masked.text), *_cued(masked), *_framed(masked)]))

    def _without_names(self, text: str) -> str:
        """The text with one character for each name of the entity, the longest names first."""
        for name in self._names:
            low, start = _lower(text), 0
            while (at := low.find(name, start)) >= 0:
                end = at + len(name)
                if (at and _joins(low[at - 1], name[0])) or (end < len(low) and _joins(name[-1], low[end])):
                    start = at + 1
                    continue
                text = text[:at] + _ENTITY + text[end:]
                low, start = _lower(text), at + 1
        return text

    def _masked(self, text: str, date: str | None) -> _Masked:
        text = _ASIDE.sub("", self._without_names(text))
        dates, amounts = [], []
        for start, end, value in reversed(dates_in(text, date)):
            dates.append((value, text[start:end].rstrip(".")))
            text = text[:start] + _DATE + text[end:]
        if _MOVES.search(text) and len(dates) == 2 and (moved := _FROM_TO.search(text)):
            text, dates = text[: moved.start()] + _DATE + text[moved.end() :], dates[:1]  # read from the end: the later
        for found in reversed(list(_NUMBER.finditer(text))):
            if amount := _amount(found):
                amounts.append((amount, found[0].strip()))
                text = f"{text[: found.start()]} {_AMOUNT}{text[found.end() :]}"
        return _Masked(" ".join(text.split()), tuple(dates[::-1]), tuple(amounts[::-1]))


def _lower(text: str) -> str:
    """The text in lower case, unless that would move its letters."""
    low = text.lower()
    return low if len(low) == len(text) else text


def _joins(letter: str, other: str) -> bool:
    """Whether two neighbouring characters are of one word; scripts without spaces end a name anywhere."""
    return bool(_LETTER.fullmatch(letter) and _LETTER.fullmatch(other))


def _without_months(text: str) -> str:
    return re.sub(r"\bMay\b", "", text).casefold()


def _amount(found: re.Match[str]) -> str | None:
    """Number and unit; ``None`` where there is no unit, as in an ordinal or a name."""
    unit = (found["before"] or found["unit"] or "").strip()
    if not unit or unit in _NO_UNIT:
        return None
    unit = _CURRENCY.get(unit, unit)
    digits = re.sub(r"[,.\u202f'](?=\d{3}(?:\D|$))", "", found["number"]).replace(",", ".")
    try:
        number = float(digits) * 10 ** _TIMES.get(found["times"] or "", 0)
    except ValueError:
        return None
    return f"{number:g} {unit}" if number < 1e6 else f"{number:.0f} {unit}"


def _roles(text: str) -> Iterator[Claim]:
    for form in _ROLE_FORMS:
        if found := form.match(text.strip("-–—•# ")):
            value = found["value"].strip(" '\"")
            role = found["role"].casefold()
            if (key := normalise(value)) and not any(mark in value for mark in (_ENTITY, _DATE, _AMOUNT)):
                yield Claim(_ROLE.get(role) or _CHINESE_ROLES[role], key, value)
            return


def _cued(masked: _Masked) -> Iterator[Claim]:
    if found := _CHINESE_CUE.search(masked.text):
        values = masked.dates if found["kind"] == _DATE else masked.amounts
        if len(values) == 1 and (name := _CUE[found["kind"]].get(found["cue"])):
            yield Claim(name, *values[0])
    tokens = _TOKEN.findall(_JOINED.sub("golive", masked.text).casefold())
    entity = tokens.index(_ENTITY)
    for kind, values in ((_DATE, masked.dates), (_AMOUNT, masked.amounts)):
        cues = [i for i, token in enumerate(tokens) if token in _CUE[kind]]
        if len(values) != 1 or len(cues) != 1:
            continue
        cue, at = cues[0], tokens.index(kind)
        between = [token for token in tokens[cue + 1 : at] if token not in (_ENTITY, "'", "’")]
        if abs(entity - cue) <= _NEAR and cue < at <= cue + _REACH and _BETWEEN.issuperset(between):
            yield Claim(_CUE[kind][tokens[cue]], *values[0])


def _framed(masked: _Masked) -> Iterator[Claim]:
    if len(masked.dates) + len(masked.amounts) != 1:
        return
    kind, (value, shown) = (_DATE, masked.dates[0]) if masked.dates else (_AMOUNT, masked.amounts[0])
    tokens = _TOKEN.findall(_JOINED.sub("golive", masked.text).casefold())
    words = [token for token in tokens if token.isalpha() and token not in (_ENTITY, _DATE, _AMOUNT)]
    size = sum(len(word) if re.match(f"[{_CJK}]", word) else 1 for word in words) + (kind == _AMOUNT)
    if kind == _DATE:
        cued = any(cue in words or (not cue.isascii() and cue in masked.text) for cue in _CUE[_DATE])
    else:
        cued = bool(_BEING.search(masked.text.casefold()))
    if size >= (2 if kind == _AMOUNT else _LEAST_FRAME) and cued:
        # the unit is part of the frame: twelve servers say nothing against three people
        unit = value.partition(" ")[2] if kind == _AMOUNT else ""
        frame = " ".join("@" if token == _ENTITY else "…" if token == kind else token for token in tokens)
        yield Claim(f"{frame.strip(' .。')}{f' [{unit}]' if unit else ''}", value, shown)
