"""Names in the fields of a document's front matter: people, projects, customers, tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from graphstore.corpusmap import patterns
from graphstore.corpusmap.extraction import Name
from graphstore.corpusmap.keys import is_common, name_key
from graphstore.corpusmap.types import EMAIL, ORGANISATION, PERSON, PROJECT, TOPIC
from graphstore.records import JSON

FIELDS = {
    PERSON: (
        *("author", "authors", "owner", "attendees", "participants", "from", "to", "cc", "reporter", "assignee"),
        *("reviewer", "approver", "people"),
    ),
    PROJECT: ("project", "projects"),
    ORGANISATION: ("customer", "client", "supplier", "vendor", "company"),
    TOPIC: ("tags", "keywords"),
}
"""Fields of front matter that hold names, by the type of what they name."""

_MAIL_FIELD = re.compile(r"^\s*\"?(?P<name>[^<>\"]*?)\"?\s*<(?P<mail>[^<>\s]+@[^<>\s]+)>\s*$")


def field_names(metadata: Mapping[str, JSON]) -> Iterable[Name]:
    """Names in the fields of a document's front matter; they have no place in the text."""
    for kind, fields in FIELDS.items():
        for value in (metadata.get(field) for field in fields):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str) and item.strip():
                    yield from _field_name(item.strip(), kind)


def _field_name(item: str, kind: str) -> Iterable[Name]:
    if found := _MAIL_FIELD.match(item):
        mail = found["mail"]
        yield Name(0, 0, mail, EMAIL, (), True, mail.casefold())
        if found["name"].strip():
            yield Name(0, 0, found["name"].strip(), kind, ("mail:" + mail.casefold(),), True, name_key(found["name"]))
        return
    if patterns.EMAIL_PATTERN.fullmatch(item):
        yield Name(0, 0, item, EMAIL, (), True, item.casefold())
        return
    key = name_key(item)
    if len(item) <= 80 and not is_common(key) and (kind != TOPIC or item[:1].isupper()):
        yield Name(0, 0, item, kind, (), kind != TOPIC, key)
