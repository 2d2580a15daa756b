"""One name, several bearers: told apart by address, department or their own documents (RESOLUTION steps 7 and 8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_KINDS = ("mail:", "dept:", "title:")


@dataclass(frozen=True, slots=True)
class Bearer:
    """One of several that share a name.

    :param qualifiers: Everything that tells it from the others.
    """

    qualifiers: frozenset[str]

    @property
    def label(self) -> str:
        """What tells it apart, in the surest form known: the disambiguator of its id."""
        return min(self.qualifiers, key=lambda q: (_KINDS.index(q[: q.index(":") + 1]), q))


def bearers(qualified: Iterable[frozenset[str]]) -> list[Bearer]:
    """The bearers of one name, given what each document says of its own; sorted, independent of order.

    Qualifiers that meet in one document are one bearer's. Two bearers that do not contradict each other (one known by
    address, one by department) are one, if there is no other choice.
    """
    groups: list[set[str]] = []
    for qualifiers in sorted(set(qualified), key=sorted):
        if qualifiers:
            touching = [group for group in groups if group & qualifiers]
            groups = [group for group in groups if not group & qualifiers]
            groups.append(set(qualifiers).union(*touching))
    groups.sort(key=sorted)
    while (pair := _only_partners(groups)) is not None:
        first, second = pair
        groups[first] |= groups[second]
        del groups[second]
    return [Bearer(frozenset(group)) for group in sorted(groups, key=sorted)]


def _only_partners(groups: list[set[str]]) -> tuple[int, int] | None:
    if len(groups) < 2:
        return None
    partners = [
        [other for other in range(len(groups)) if other != index and not _contradict(groups[index], groups[other])]
        for index in range(len(groups))
    ]
    for index, found in enumerate(partners):
        if len(found) == 1 and partners[found[0]] == [index] and index < found[0]:
            return index, found[0]
    return None


def _contradict(a: set[str], b: set[str]) -> bool:
    for kind in _KINDS:
        of_a, of_b = ({q for q in side if q.startswith(kind)} for side in (a, b))
        if of_a and of_b and not of_a & of_b:
            return True
    return False
