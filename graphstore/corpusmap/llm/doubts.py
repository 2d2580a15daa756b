"""What the local resolver leaves open or weak, with the candidates and the context from which a model may judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from graphstore.corpusmap.decisions import Decision, Entity, Link, Unresolved
from graphstore.corpusmap.evidence import parts
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.refining import is_weak
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.statements import Text, statements

_CANDIDATES = 6
_DOCUMENTS = 3
_BESIDE = 12
_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Doubt:
    """One name of one document that is open, or linked weakly.

    :param key: Of its local entity.
    :param candidates: Entities that it may be, the likeliest first.
    :param names: Names of each candidate in documents that may be sent, the fullest known first.
    :param sources: For each candidate documents that tell of it.
    """

    document: str
    key: str
    local: Local
    kind: str
    candidates: tuple[Entity, ...]
    names: tuple[tuple[str, ...], ...]
    sources: tuple[tuple[str, ...], ...]

    @property
    def documents(self) -> set[str]:
        """Documents whose text is needed to ask."""
        return {self.document, *(name for names in self.sources for name in names)}


class Doubts:
    """Finds them in a resolver that is settled."""

    def __init__(self, resolver: Resolver, may_be_sent: Mapping[str, bool]) -> None:
        """:param may_be_sent: By document; those that are not there may not."""
        self._resolver = resolver
        self._may_be_sent = may_be_sent
        self._by_name = Index()
        for entity in resolver.entities.values():
            for key in {name_key(alias) for alias in (entity.name, *entity.aliases)}:
                for name in (key, *parts(key)):
                    self._by_name.add(name, entity.id)

    def of(self, documents: Iterable[str]) -> Iterator[Doubt]:
        """The doubts of some documents that no refinement has settled, in a stable order."""
        registry, rulings = self._resolver.registry, self._resolver.ruled.rulings
        for document in sorted(documents):
            if not self._may_be_sent.get(document):
                continue
            for local in registry.locals.get(document, ()):
                decision = self._decision(document, local)
                if decision is None or not _is_in_doubt(decision) or rulings.refined(document, local.key) is not None:
                    continue
                if doubt := self._doubt(document, local, decision):
                    yield doubt

    def _decision(self, document: str, local: Local) -> Decision | None:
        name = local.names[0]
        for decision in self._resolver.decisions.get(document, ()):
            if decision.name == name if isinstance(decision, Unresolved) else name in decision.names:
                return decision
        return None

    def _doubt(self, document: str, local: Local, decision: Decision) -> Doubt | None:
        found = set(self._by_name.at(local.key))
        if isinstance(decision, Link):
            found |= {decision.entity, decision.runner_up or decision.entity}
        told = {
            entity: sources
            for entity in found & self._resolver.entities.keys()
            if (sources := self._sources(document, entity))
        }
        best = sorted(told, key=lambda entity: (-self._shared(document, told[entity]), entity))[:_CANDIDATES]
        if not best:
            return None
        candidates = tuple(self._resolver.entities[entity] for entity in best)
        kind = self._resolver.registry.kind(local.key)
        names = tuple(self._names(entity) for entity in candidates)
        return Doubt(document, local.key, local, kind, candidates, names, tuple(told[entity] for entity in best))

    def _names(self, entity: Entity) -> tuple[str, ...]:
        """Names of an entity that documents which may be sent use; those of others are not told."""
        decisions = self._resolver.decisions
        used = {
            name
            for document in self._resolver.members(entity.id)
            if self._may_be_sent.get(document)
            for link in decisions[document]
            if isinstance(link, Link) and link.entity == entity.id
            for name in link.names
        }
        return tuple(dict.fromkeys(name for name in (entity.name, *entity.aliases, *sorted(used)) if name in used))

    def _sources(self, document: str, entity: str) -> tuple[str, ...]:
        """Other documents that may be sent and tell of an entity; those that share most with the document first."""
        members = [
            name for name in self._resolver.members(entity) if name != document and self._may_be_sent.get(name, False)
        ]
        return tuple(sorted(members, key=lambda name: (-self._shared(document, (name,)), name))[:_DOCUMENTS])

    def _shared(self, document: str, others: Iterable[str]) -> int:
        entries = self._resolver.registry.entries
        return max(len(entries[document].context & entries[other].context) for other in others)


def _is_in_doubt(decision: Decision) -> bool:
    return isinstance(decision, Unresolved) or is_weak(decision)


def question_text(doubt: Doubt, resolver: Resolver, texts: Mapping[str, Text]) -> str:
    """The mention and its candidates as a model reads them."""
    lines = [
        "Mention:",
        f"name: {', '.join(doubt.local.names)} (type: {doubt.kind})",
        *_context(doubt.document, doubt.local.spans, resolver, texts),
    ]
    told = zip(doubt.candidates, doubt.names, doubt.sources, strict=True)
    for number, (entity, (name, *other_names), sources) in enumerate(told, 1):
        lines += ["", f"Candidate {number}: {name} (type: {entity.kind})"]
        lines += [f"other names: {', '.join(other_names)}"] if other_names else []
        for source in sources:
            lines += _context(source, _spans(resolver, source, entity.id), resolver, texts)
    return "\n".join(lines)


def _spans(resolver: Resolver, document: str, entity: str) -> tuple[tuple[int, int], ...]:
    decisions = resolver.decisions.get(document, ())
    return next((d.spans for d in decisions if isinstance(d, Link) and d.entity == entity), ())


def _context(
    document: str, spans: tuple[tuple[int, int], ...], resolver: Resolver, texts: Mapping[str, Text]
) -> list[str]:
    text = texts[document]
    said = statements(spans, text, sentence_spans(text.text))["statements"][:_SENTENCES]
    beside = [local.names[0] for local in resolver.registry.locals.get(document, ())][:_BESIDE]
    dated = f" ({text.date[:10]})" if text.date else ""
    return [f"in: {text.title}{dated}", *(f"> {sentence}" for sentence in said), f"beside: {', '.join(beside)}"]
