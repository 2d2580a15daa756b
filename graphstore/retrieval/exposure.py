"""Progressive exposure: a domain is chosen first, then its tools and the system tools are shown.

Which tools are shown is a matter of their domains alone; history has no part in it. That is what makes it steady, and
what makes it blind to workflows that cross domains (docs/exposure.md compares).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphstore.models import ToolDomain
from graphstore.retrieval.tool_evidence import Evidence, Scores
from graphstore.retrieval.tool_snapshot import ToolNode, ToolSnapshot

SYSTEM = "system"
"""The domain whose tools are offered whatever domain is chosen."""
SHOWN = 5
"""Tools that stand for a domain in a list of domains."""
_BEST = 3  # of a domain's tools speak for it; 1, 2 and sums over all chose worse on 400 tasks of UltraTool's history


@dataclass(frozen=True, slots=True)
class Domains:
    """The tools of one snapshot by domain; a tool may be of several.

    :param members: Domain in lower case → numbers of its tools, ascending.
    :param spellings: Domain in lower case → the spelling that most of its tools have.
    """

    members: Mapping[str, NDArray[np.intp]]
    spellings: Mapping[str, str]

    def shown(self, domain: str) -> NDArray[np.intp]:
        """Numbers of the tools that a choice of this domain exposes: its own and the system tools, ascending."""
        return np.union1d(self.of(domain), self.of(SYSTEM)).astype(np.intp)

    def of(self, domain: str) -> NDArray[np.intp]:
        """Numbers of a domain's tools, in any case, ascending; none for an unknown one."""
        return self.members.get(domain.casefold(), np.empty(0, dtype=np.intp))

    def ranked(self, fit: Scores) -> list[tuple[str, float]]:
        """The domains by how well a request fits their best tools, with that fit in [0, 1]; the system's is none.

        Equal ones by name. A domain speaks by its three best tools; one that has fewer is judged as if the others
        fitted not at all.

        :param fit: How well each tool fits, in [0, 1]. *Shape:* ``(n,)``
        """
        fits = {name: float(np.sort(fit[members])[-_BEST:].sum()) / _BEST for name, members in self._own()}
        return sorted(fits.items(), key=lambda item: (-item[1], item[0]))

    def _own(self) -> Iterable[tuple[str, NDArray[np.intp]]]:
        return ((name, members) for name, members in self.members.items() if name != SYSTEM)


def domains_of(tool: ToolNode) -> list[str]:
    """The domains of a tool: those that its catalog names, separated by commas, else the server that offers it.

    >>> domains_of(ToolNode("pay", "pay", None, "Flight, Train")), domains_of(ToolNode("git/log", "log", "git", None))
    (['Flight', 'Train'], ['git'])
    """
    named = [one.strip() for one in (tool.domain or "").split(",") if one.strip()]
    return named or ([tool.server] if tool.server else [])


def group(tools: Iterable[ToolNode]) -> Domains:
    """The tools by domain."""
    members: dict[str, list[int]] = {}
    spellings: dict[str, Counter[str]] = {}
    for number, tool in enumerate(tools):
        for name, spelling in {one.casefold(): one for one in domains_of(tool)}.items():
            members.setdefault(name, []).append(number)
            spellings.setdefault(name, Counter())[spelling] += 1
    return Domains(
        {name: np.array(numbers, dtype=np.intp) for name, numbers in members.items()},
        {name: max(sorted(counts), key=lambda one: counts[one]) for name, counts in spellings.items()},
    )


def listed(snapshot: ToolSnapshot, evidence: Evidence | None = None) -> list[ToolDomain]:
    """The domains that a model is shown first, the system's apart at the end: by name, or the best fitting first.

    :param evidence: The request to order by, and to choose the tools by that stand for each domain; without it they
        are its most used ones.
    """
    domains = group(snapshot.tools)
    used = np.diff(snapshot.usage.tocsc().indptr)
    weights = used.astype(np.float64) if evidence is None else evidence.hybrid
    fits: dict[str, float] = {} if evidence is None else dict(domains.ranked(evidence.hybrid))
    order = list(fits) or sorted(name for name in domains.members if name != SYSTEM)
    if SYSTEM in domains.members:
        order.append(SYSTEM)
    out = []
    for name in order:
        members = domains.members[name]
        best = members[np.argsort(-weights[members], kind="stable")[:SHOWN]]
        out.append(
            ToolDomain(
                name=domains.spellings[name],
                tools=len(members),
                used=int((used[members] > 0).sum()),
                examples=tuple(snapshot.tools[number].id for number in best.tolist()),
                system=name == SYSTEM,
                fit=round(fits[name], 4) if name in fits else None,
            )
        )
    return out


def exposed(evidence: Evidence) -> Scores:
    """Progressive exposure with a stand-in for the model that chooses. *Shape:* ``(n,)``

    The domain whose best tools fit the request best by words and meaning is chosen; its tools and the system tools
    keep their hybrid scores, all others are not shown: −∞. A tool of no domain is never shown, unless no tool has one.
    """
    domains = group(evidence.snapshot.tools)
    ranked = domains.ranked(evidence.hybrid)
    if not ranked:
        return evidence.hybrid
    scores = np.full(len(evidence.snapshot.tools), -np.inf)
    shown = domains.shown(ranked[0][0])
    scores[shown] = evidence.hybrid[shown]
    return scores
