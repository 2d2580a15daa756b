"""What the form of a name says of its type, whatever a recogniser took it for."""

from __future__ import annotations

from graphstore.corpusmap.keys import PARTED
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT
from graphstore.corpusmap.words import DEPARTMENTS, ORGANISATION_WORDS, TITLES, WEAK_TITLES

_FACILITY_WORDS = frozenset("building tower hall airport station hospital street road".split())  # noqa: SIM905
_REVISED = frozenset(("rev", "revision", "release", "version"))
"""What is no one's first name, before the letter of a part."""


def type_by_form(text: str, tokens: list[str], kind: str) -> tuple[str, bool]:
    """The type of a name, and whether it is certain by form.

    :param tokens: Of its key.
    :param kind: The type that a recogniser gave it.
    """
    if tokens[-2:-1] and tokens[-2] in _REVISED and len(tokens[-1]) == 1:
        return PRODUCT, False
    if kind == PERSON and len(tokens) > 2 and tokens[-2] in PARTED:
        return PRODUCT, False  # "Gearbox Mark II" is nobody
    if (tokens[-1] in ORGANISATION_WORDS and len(tokens) > 1) or " ".join(tokens) in DEPARTMENTS:
        return ORGANISATION, True
    if tokens[-1] in _FACILITY_WORDS and len(tokens) > 1:
        return PLACE, True
    first = text.split(" ", 1)[0].casefold().rstrip(".")
    weak = first in WEAK_TITLES and kind == PERSON  # "General Motors" is an organisation's name
    if weak or (first in TITLES and kind in (PERSON, ORGANISATION, PLACE)):
        return PERSON, True
    return kind, False
