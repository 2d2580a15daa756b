"""EnterpriseBench's people: tickets and posts, each with the person who wrote it, and the directory they are in.

The same texts are asked in several ways, each made by a seeded script: people missing from the directory, a slip in the
name, the first name only, a second person of the same name.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphstore.corpusmap.directory import Known, known
from graphstore.errors import LoadError

FILE = "employees.json.gz"
_COLUMNS = ("category", "Level", "email")
_LONG_WORD = 5


@dataclass(frozen=True, slots=True)
class Text:
    """A text that names its person.

    :param name: As it stands in the text.
    """

    id: str
    text: str
    person: str
    name: str


@dataclass(frozen=True, slots=True)
class People:
    """A directory by id, and texts; only those in which their person's full name stands."""

    employees: Mapping[str, Mapping[str, Any]]
    tickets: tuple[Text, ...]
    posts: tuple[Text, ...]


def read(folder: Path) -> People:
    """The data set.

    :raises LoadError: it is not there, or not of this form.
    """
    try:
        employees = {row["emp_id"]: row for row in _rows(folder / FILE)}
        tickets = [
            (f"{row['id']}/{part}", row[part], row[person])
            for row in _rows(folder / "it_tickets.json.gz")
            for part, person in (("Issue", "raised_by_emp_id"), ("Resolution", "emp_id"))
        ]
        posts = [
            (f"post/{index}", f"{row['Title']}\n\n{row['Post']}", row["emp_id"])
            for index, row in enumerate(_rows(folder / "posts.json.gz"))
        ]
        return People(employees, _named(tickets, employees), _named(posts, employees))
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise LoadError(f"is no copy of enterprisebench-people: {error!r}", folder) from None


def _rows(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def _named(rows: Iterable[tuple[str, str, str]], employees: Mapping[str, Mapping[str, Any]]) -> tuple[Text, ...]:
    texts = [Text(id, text, person, employees[person]["Name"]) for id, text, person in rows]
    return tuple(text for text in texts if _spans(text.text, text.name))


def _spans(text: str, name: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]


def places(text: Text) -> list[tuple[int, int]]:
    """Where the name stands in the text, in characters."""
    return _spans(text.text, text.name)


def record_of(row: Mapping[str, Any], *, id: str | None = None, name: str | None = None) -> Known:
    """The record of an employee: name, category, level and address."""
    attributes = {column.casefold(): row[column] for column in _COLUMNS}
    if id:  # a made person has no address of their own
        del attributes["email"]
    digest = hashlib.sha256(json.dumps([id, name, dict(row)], sort_keys=True).encode()).hexdigest()
    return known(id or row["emp_id"], name or row["Name"], "person", (), attributes, digest)


def renamed(text: Text, name: str) -> Text:
    """The text with another form of the name at every place."""
    parts, at = [], 0
    for start, end in places(text):
        parts += [text.text[at:start], name]
        at = end
    return replace(text, text="".join([*parts, text.text[at:]]), name=name)


def first_names(texts: Sequence[Text]) -> tuple[Text, ...]:
    """The texts with the first name only."""
    return tuple(renamed(text, text.name.split(" ")[0]) for text in texts)


def with_slips(texts: Sequence[Text], seed: int) -> tuple[Text, ...]:
    """The texts with one slip in a word of five letters or more: a letter dropped, doubled, changed, or two swapped."""
    draw = random.Random(seed)
    out = []
    for text in texts:
        words = text.name.split(" ")
        long = [index for index, word in enumerate(words) if len(word) >= _LONG_WORD]
        if long:
            index = draw.choice(long)
            words[index] = _slip(words[index], draw)
            out.append(renamed(text, " ".join(words)))
    return tuple(out)


def _slip(word: str, draw: random.Random) -> str:
    while True:
        at = draw.randrange(1, len(word))
        letter = draw.choice("abcdefghijklmnopqrstuvwxyz")
        slipped = draw.choice(
            (
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[:at] + letter + word[at + 1 :],
                word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
            )
        )
        if slipped != word:
            return slipped


def absent(people: People, share: float, seed: int) -> frozenset[str]:
    """A share of the people, drawn with a seed."""
    names = sorted(people.employees)
    random.Random(seed).shuffle(names)
    return frozenset(names[: round(share * len(names))])


def homonyms(people: People, texts: Sequence[Text], seed: int, *, same_category: bool) -> list[Known]:
    """A second person for each one whom the texts name: of the same name, with the rest of another employee's record.

    :param same_category: Drawn from the person's own category, instead of from all.
    """
    draw = random.Random(seed)
    made = []
    for person in sorted({text.person for text in texts}):
        row = people.employees[person]
        others = [
            other
            for other, of in sorted(people.employees.items())
            if other != person and (not same_category or of["category"] == row["category"])
        ]
        if others:
            made.append(record_of(people.employees[draw.choice(others)], id=f"made-{person}", name=row["Name"]))
    return made
