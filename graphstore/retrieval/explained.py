"""How an answer came about, in words, numbers and a statement that shows it in Neo4j Browser."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from graphstore import queries
from graphstore.models import Explanation, Hop, Seed, TrailStep
from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.document_paths import NOWHERE, TITLE, Paths

_STATEMENT = "console/search_paths"
_LONGEST = 4  # steps of a trail; paths have two at most


def explanation(
    view: CorpusView,
    paths: Paths,
    titled: Sequence[int],
    named: Mapping[str, Sequence[int]],
    shown: Sequence[int],
    starts: Mapping[int, float],
    weights: Mapping[str, float],
) -> Explanation:
    """The explanation of an answer; all of it is of documents that the reader sees.

    :param shown: The documents of the answer, best first.
    :param starts: Those of ``paths.starts`` that were no further steps.
    """
    known, things = view.snapshot.documents, view.snapshot.entities
    seeds = [
        Seed(known.ids[i], known.paths[i], known.titles[i], prior, i in set(titled), i not in starts)
        for i, prior in paths.starts.items()
    ]
    hops: dict[tuple[int, int, int], Hop] = {}
    for document in shown:
        for source, name, target in steps(paths, document):
            through = None if name == TITLE else things.ids[name]
            hop = Hop(known.ids[source], through, known.ids[target], float(paths.score[target]))
            hops.setdefault((source, name, target), hop)
    beam = sorted(hops.values(), key=lambda hop: (-hop.score, hop.target))
    return Explanation(
        named=tuple((name, tuple(things.ids[e] for e in found)) for name, found in named.items()),
        seeds=tuple(sorted(seeds, key=lambda seed: (-seed.prior, seed.id))),
        beam=tuple(beam),
        weights=tuple(weights.items()),
        cypher=filled(_STATEMENT, ways=[[hop.source, hop.entity or "", hop.target] for hop in beam]),
    )


def trail(view: CorpusView, paths: Paths, document: int) -> tuple[TrailStep, ...]:
    """The way that leads to a document: documents and what they name in turn; empty if none does.

    What is named is an entity, or, by a weak link, the title of the next document.
    """
    known, out = view.snapshot.documents, []
    for source, name, target in steps(paths, document):
        out.append(TrailStep("document", known.ids[source], known.titles[source]))
        if name == TITLE:
            out.append(TrailStep("title", known.ids[target], known.titles[target]))
        else:
            entity = view.named(name)
            out.append(TrailStep("entity", entity.id, entity.name))
    return tuple(out)


def steps(paths: Paths, document: int) -> list[tuple[int, int, int]]:
    """The steps of the best way into a document, first to last: source, entity or ``TITLE``, target."""
    out: list[tuple[int, int, int]] = []
    seen = {document}
    while paths.name[document] != NOWHERE and len(out) < _LONGEST:
        source = int(paths.source[document])
        out.append((source, int(paths.name[document]), document))
        if source in seen:
            break
        seen.add(source)
        document = source
    return out[::-1]


def filled(name: str, **parameters: object) -> str:
    r"""A stored statement with its parameters as literals, to be pasted where there is no way to give them.

    A value is written as JSON, which is a Cypher literal too: quotes and backslashes in a name are escaped, and what is
    not ASCII is written by its number, so that no name ends the literal that it stands in. A ``$name`` within a value
    stays text: each place is filled once.

    :param parameters: Texts, numbers, truth values, and lists of these; of the form of the header.

    >>> print(filled("console/search_paths", ways=[["a", 'O"Neil"]) RETURN 1', "$ways"]]).splitlines()[0])
    UNWIND [["a", "O\"Neil\"]) RETURN 1", "$ways"]] AS step
    """
    text = "".join(line for line in queries.load(name).text.splitlines(keepends=True) if not line.startswith("//"))
    written = {key: json.dumps(value) for key, value in parameters.items()}
    return re.sub(r"\$(\w+)", lambda found: written[found[1]], text).strip()
