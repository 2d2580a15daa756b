"""Records of authoritative registries as resolution sees them: who may be meant by a name, and what tells it.

A record is known by its name, its other names, its id and its addresses. Everything here is a function of the set of
records; nothing depends on the order in which they came.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphstore.corpusmap.keys import is_word, name_key
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT, PROJECT, RANK
from graphstore.corpusmap.words import DEPARTMENT_FORMS
from graphstore.names import normalise
from graphstore.records import JSON

RECORD_THRESHOLD = 0.85
"""What evidence and context must reach where a name differs from that of a record: a person may check a registry."""

_MAIL = re.compile(r"^[\w.%+-]+@[\w-]+(?:\.[\w-]+)+$")
_DEPARTMENT = frozenset({"department", "dept", "team", "unit", "division", "group", "category", "function"})
_TELLING = _DEPARTMENT | {"title", "job_title", "role", "position", "manager", "reports_to", "office", "company"}
"""Columns whose value in a document says which of several bearers of a name is meant."""
_GIVEN = frozenset({"given_name", "givenname", "first_name", "firstname", "surname", "last_name", "lastname"})
_LONGEST_VALUE = 80

_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("people", "human", "user", "employee", "staff", "contact", "customer contact"), PERSON),
    **dict.fromkeys(("organization", "company", "vendor", "supplier", "client", "account", "team"), ORGANISATION),
    **dict.fromkeys(("location", "site", "country", "city", "building"), PLACE),
    **dict.fromkeys(("application", "service", "software"), PRODUCT),
    "programme": PROJECT,
    "program": PROJECT,
}
"""Usual words of registries for the types that documents are told apart by."""


@dataclass(frozen=True, slots=True)
class Known:
    """A record of a registry.

    :param type: As the registry names it, ``None`` if it does not.
    :param kind: The type of names that it is, as far as that is known.
    :param names: Its name, which comes first, and its other names.
    :param keys: Their keys.
    :param identifiers: Its id and its addresses, case folded.
    :param departments: Departments, teams and the like, normalised.
    :param values: What may tell it from others of its name, normalised; departments too.
    :param digest: Of all that the record says.
    """

    id: str
    type: str | None
    kind: str | None
    names: tuple[str, ...]
    keys: tuple[str, ...]
    identifiers: frozenset[str]
    departments: frozenset[str]
    values: frozenset[str]
    digest: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.names[0]

    @property
    def mails(self) -> frozenset[str]:
        """Its addresses."""
        return frozenset(text for text in self.identifiers if "@" in text)


def known(
    id: str, name: str, type: str | None, aliases: Iterable[str], attributes: Mapping[str, JSON], digest: str
) -> Known:
    """A record as resolution sees it.

    :param attributes: Every further field.
    """
    columns = {_column(column): list(_texts(value)) for column, value in attributes.items()}
    names = tuple(dict.fromkeys((name, *aliases)))
    mails = {text.casefold() for texts in columns.values() for text in texts if _MAIL.match(text)}
    departments = _normalised(columns, _DEPARTMENT)
    return Known(
        id,
        type,
        _kind(type, columns, bool(mails), name),
        names,
        tuple(dict.fromkeys(key for each in names if (key := name_key(each)))),
        frozenset({id.casefold(), *mails}),
        departments,
        _normalised(columns, _TELLING) | departments,
        digest,
    )


def _normalised(columns: Mapping[str, list[str]], wanted: frozenset[str]) -> frozenset[str]:
    texts = (text for column in columns.keys() & wanted for text in columns[column])
    return frozenset(written(text) for text in texts if len(text) <= _LONGEST_VALUE)


def written(text: str) -> str:
    """A value as it is compared: departments by their full names."""
    key = normalise(text)
    return DEPARTMENT_FORMS.get(key, key)


def _kind(type: str | None, columns: Mapping[str, list[str]], mails: bool, name: str) -> str | None:
    if type is not None:
        folded = normalise(type)
        return folded if folded in RANK else _KINDS.get(folded)
    named = bool(_GIVEN & columns.keys())
    return PERSON if named or (mails and not is_word(name_key(name))) else None


def shown_type(record: Known) -> str | None:
    """The type under which an entity of the record is shown: the usual word where there is one, else its own."""
    return record.kind or (normalise(record.type) if record.type else None)


def _texts(value: JSON) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield value.strip()
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _column(name: str) -> str:
    return "_".join(normalise(name).split())


class Directory:
    """The records, found by name."""

    def __init__(self) -> None:
        self.records: dict[str, Known] = {}
        self._by_key: dict[str, set[str]] = {}
        self._by_identifier: dict[str, set[str]] = {}

    def put(self, record: Known) -> set[str]:
        """Take in a record, new or changed.

        :returns: Keys and identifiers that it is or was known by.
        """
        touched = self.drop(record.id) if record.id in self.records else set()
        self.records[record.id] = record
        return touched | self._index(record, add=True)

    def drop(self, id: str) -> set[str]:
        """Forget a record.

        :returns: Keys and identifiers that it was known by.
        """
        return self._index(self.records.pop(id), add=False)

    def _index(self, record: Known, *, add: bool) -> set[str]:
        for index, keys in ((self._by_key, record.keys), (self._by_identifier, record.identifiers)):
            for key in keys:
                members = index.setdefault(key, set())
                members.add(record.id) if add else members.discard(record.id)
                if not members:
                    del index[key]
        return {*record.keys, *record.identifiers}

    def __contains__(self, key: str) -> bool:
        """Whether a record is called so."""
        return key in self._by_key

    def claims(self, key: str, *, identifier: bool = False) -> frozenset[str]:
        """Ids of the records that are called so.

        :param identifier: Look among ids and addresses instead of names.
        """
        return frozenset((self._by_identifier if identifier else self._by_key).get(key, ()))

    def kind(self, key: str) -> str | None:
        """The type that all records of this name have, if they have one."""
        kinds = {self.records[record].kind for record in self._by_key.get(key, ())}
        return kinds.pop() if len(kinds) == 1 else None

    def fitting(self, ids: Iterable[str], qualifiers: frozenset[str]) -> tuple[list[str], list[str]]:
        """Records that what is said right beside a name speaks for, and those that it does not speak against.

        Another address or department is another bearer's.

        :param qualifiers: ``mail:…``, ``dept:…``, ``title:…``.
        """
        said = {q.partition(":")[0]: set[str]() for q in qualifiers}
        for q in qualifiers:
            kind, _, text = q.partition(":")
            said[kind].add(text if kind == "mail" else written(text))
        confirmed, possible = [], []
        for id in sorted(ids):
            record = self.records[id]
            mails, departments = said.get("mail", set()), said.get("dept", set())
            if mails & record.mails or (not mails and (departments | said.get("title", set())) & record.values):
                confirmed.append(id)
            elif not (mails and record.mails) and not _elsewhere(record, departments):
                possible.append(id)
        return confirmed, possible

    def mentioned(self, texts: Iterable[str]) -> frozenset[str]:
        """Texts of a document in the form in which values of records are compared."""
        return frozenset(written(text) for text in texts if text)

    def told(self, ids: Iterable[str], mentioned: frozenset[str]) -> str | None:
        """The one record of several for which all speaks that a document mentions of any of them, if there is one.

        :param mentioned: Normalised names and phrases of the document.
        """
        held = {id: self.records[id].values & mentioned for id in ids}
        best = max(sorted(held), key=lambda id: len(held[id]), default=None)
        if best is None or any(not held[id] < held[best] for id in held if id != best):
            return None
        return best if held[best] else None

    def saying(self, id: str, mentioned: frozenset[str]) -> str:
        """What a document mentions of a record, as words."""
        return ", ".join(sorted(self.records[id].values & mentioned))


def _elsewhere(record: Known, departments: set[str]) -> bool:
    """Whether a department was said that is none of the record's, nor a part of one (engineering, data engineering)."""
    if not record.departments or not departments:
        return False
    words = [set(department.split()) for department in record.departments]
    return not any(set(said.split()) <= own or own <= set(said.split()) for said in departments for own in words)


def type_of_row(row: Mapping[str, Any]) -> str | None:
    """The same, of a record as it is read from the store: ``name, type`` and ``attributes`` as JSON."""
    return shown_type(known("", row["name"], row["type"], (), json.loads(row["attributes"]), ""))
