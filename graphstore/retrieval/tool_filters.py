"""Which tools may be in an answer: by domain, by server, without those that the caller leaves out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import NotFound
from graphstore.retrieval.exposure import SYSTEM, group
from graphstore.retrieval.tool_snapshot import ToolNode

Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools that an answer may draw on, as ascending numbers without a common one.

    :param inside: Those that the request is answered from.
    :param always: System tools that go with every answer.
    :param outside: All others that the caller did not leave out.
    """

    inside: Numbers
    always: Numbers
    outside: Numbers


class ToolFilters:
    """The filters over the tools of one snapshot, prepared once for many requests."""

    def __init__(self, tools: Sequence[ToolNode]) -> None:
        self.domains = group(tools)
        self._n = len(tools)
        self._servers = _numbers((tool.server, number) for number, tool in enumerate(tools) if tool.server)
        self._called = _numbers(
            (called, number) for number, tool in enumerate(tools) for called in {tool.id, tool.name}
        )

    def offer(
        self, domain: str | None, server: str | None, exclude: Collection[str] = (), *, system: bool = False
    ) -> Offer:
        """What the filters leave.

        :param system: Whether system tools go with the domain's.
        :raises NotFound: no tool of this domain and server; the message lists those that there are.
        """
        wanted = np.ones(self._n, dtype=bool)
        if server is not None:
            wanted = _mask(self._n, self._servers.get(server))
        inside = wanted if domain is None else wanted & _mask(self._n, self.domains.of(domain))
        if not inside.any():
            raise self._nothing(domain, server)
        for called in exclude:
            wanted[self._called.get(called, [])] = False
        always = wanted & _mask(self._n, self.domains.of(SYSTEM) if system else None)
        inside = inside & wanted & ~always
        return Offer(*(np.flatnonzero(mask) for mask in (inside, always, wanted & ~inside & ~always)))

    def _nothing(self, domain: str | None, server: str | None) -> NotFound:
        wanted = " and ".join(
            f"{key} {value!r}" for key, value in (("domain", domain), ("server", server)) if value is not None
        )
        there = [("domain", sorted(self.domains.spellings.values()))] if domain is not None else []
        there += [("server", sorted(self._servers))] if server is not None else []
        known = "; ".join(f"{key}s in the store: {', '.join(names) or 'none'}" for key, names in there)
        return NotFound(f"no tool of {wanted}; {known}")


def _numbers(pairs: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for key, number in pairs:
        found[key].append(number)
    return dict(found)


def _mask(n: int, numbers: Numbers | list[int] | None) -> NDArray[np.bool_]:
    mask = np.zeros(n, dtype=bool)
    if numbers is not None:
        mask[numbers] = True
    return mask
