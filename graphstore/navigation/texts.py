"""What navigation found, as text within a number of tokens. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from graphstore.counts import counted
from graphstore.models import Because, DocumentHit, PageRef, PageText, SearchResult, StoredDocument, ToolHit
from graphstore.names import normalise
from graphstore.navigation.budget import in_line, packed
from graphstore.navigation.records import (
    Found,
    FoundDocument,
    FoundPage,
    FoundTool,
    FoundTools,
    Mentions,
    NearDocument,
    NearEntity,
    Neighbours,
    PageReading,
)
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.tokens import has_words

WORDLESS = "the request holds no word: say in words what is to be done, else tools are found by chance"

_LONGEST = 300  # characters of one part of a line
_MOST = 20  # things of which there is one instead of what was asked for
_VERBS = {
    "NEXT": "follows",
    "PREVIOUS": "comes before",
    "SIMILAR": "resembles",
    "REQUIRES": "needed by",
    "PAST": "solved",
    "CLAUSE": "was used for the like of",
}


def absent(what: str, wanted: str, there: Sequence[str]) -> str:
    """A line that says that a type or folder does not exist, and which do.

    >>> absent("no document is in the folder", "plans", ["minutes", "notes"])
    "no document is in the folder 'plans'; there are: minutes, notes"
    """
    more = f" and {len(there) - _MOST} more" if len(there) > _MOST else ""
    return f"{what} {in_line(wanted, 60)!r}; there are: {', '.join(in_line(each, 60) for each in there[:_MOST])}{more}"


def found(result: SearchResult, max_tokens: int, *, notes: Sequence[str] = ()) -> Found:
    """A search's answer: the best documents and pages that fit, documents first.

    :param notes: Lines on what was asked for and does not exist.
    """
    names = {page.id: page.name for page in result.pages}
    documents = [
        FoundDocument(
            id=hit.id,
            path=hit.path,
            title=hit.title,
            date=hit.date,
            size=hit.tokens,
            score=hit.score,
            via=_via(hit, names),
        )
        for hit in result.documents
    ]
    pages = [FoundPage(id=page.id, name=page.name, type=page.type, score=page.score) for page in result.pages]
    same = Counter(normalise(page.name) for page in pages)
    ranked = _alternating(
        [(_document_line(each), each) for each in documents],
        [
            (_page_line(each.name, each.type, each.id if same[normalise(each.name)] > 1 else None), each)
            for each in pages
        ],
    )
    head = f"{counted(len(documents), 'document')} and {counted(len(pages), 'page')} for: {in_line(result.query, 80)}"
    head = "\n".join([head, *notes])

    def note(shown: int) -> str | None:
        left = len(ranked) - shown
        return f"{left} lower ranked ones left out; a larger max_tokens shows them" if left else None

    markdown, shown, cut = packed([line for line, _ in ranked], max_tokens, head=head, note=note)
    kept = {id(each) for _, each in ranked[:shown]}
    return Found(
        markdown=markdown,
        tokens=estimated_tokens(markdown),
        cut=cut,
        query=result.query,
        pages=tuple(each for each in pages if id(each) in kept),
        documents=tuple(each for each in documents if id(each) in kept),
    )


def page_reading(page: PageText) -> PageReading:
    """A part of a page: its own last line tells what is in other parts."""
    cut = f"part {page.part} of {page.parts}" if page.parts > 1 else None
    if page.part < page.parts:
        cut = f"{cut}; part={page.part + 1} goes on"
    return PageReading(
        markdown=page.text,
        tokens=page.tokens,
        cut=cut,
        id=page.id,
        name=page.name,
        text=page.text,
        part=page.part,
        parts=page.parts,
    )


def mentions(document: StoredDocument, max_tokens: int) -> Mentions:
    """The pages that mention a document, as many as fit."""
    same = Counter(normalise(ref.name) for ref in document.pages)
    lines = [
        _page_line(ref.name, ref.type, ref.id if same[normalise(ref.name)] > 1 else None) for ref in document.pages
    ]
    mention = "mentions" if len(lines) == 1 else "mention"
    head = f"{counted(len(lines), 'page')} {mention} {document.path} — {in_line(document.title)}:"

    def note(shown: int) -> str | None:
        left = len(lines) - shown
        return f"{left} pages of more documents left out; a larger max_tokens shows them" if left else None

    markdown, shown, cut = packed(lines, max_tokens, head=head, note=note)
    return Mentions(
        markdown=markdown,
        tokens=estimated_tokens(markdown),
        cut=cut,
        id=document.id,
        path=document.path,
        title=document.title,
        pages=document.pages[:shown],
    )


def _near(entities: int, documents: int) -> str:
    if entities:
        return "1 entity that shares documents" if entities == 1 else f"{entities} entities that share documents"
    return f"{counted(documents, 'document')} that {'shares' if documents == 1 else 'share'} rare entities"


def neighbours(
    id: str,
    name: str,
    max_tokens: int,
    *,
    entities: Sequence[NearEntity] = (),
    documents: Sequence[NearDocument] = (),
) -> Neighbours:
    """What is near an entity or a document, as much as fits."""
    lines = [
        *(_line(f"{each.name} ({each.type or 'entity'})", _shared(each.shared, each.documents)) for each in entities),
        *(_line(each.path, each.title, _shared(each.shared, each.entities)) for each in documents),
    ]
    head = f"{_near(len(entities), len(documents))} with {in_line(name)}, nearest first:"
    head = head if lines else f"Nothing is near {in_line(name)}."

    def note(shown: int) -> str | None:
        left = len(lines) - shown
        return f"{left} farther ones left out; a larger max_tokens shows them" if left else None

    markdown, shown, cut = packed(lines, max_tokens, head=head, note=note)
    return Neighbours(
        markdown=markdown,
        tokens=estimated_tokens(markdown),
        cut=cut,
        id=id,
        name=name,
        entities=tuple(entities[:shown]),
        documents=tuple(documents[:shown]),
    )


def wordless(query: str, hits: Sequence[ToolHit]) -> bool:
    """Whether a request is signs alone and none of them the name of a tool that was found."""
    return not has_words(query) and not any({hit.id, hit.name} & set(query.split()) for hit in hits)


def found_tools(query: str, hits: Sequence[ToolHit], max_tokens: int) -> FoundTools:
    """The tools for a request, as many as fit."""
    tools = [
        FoundTool(
            id=hit.id,
            name=hit.name,
            domain=hit.domain,
            score=hit.score,
            position=hit.position,
            reason=tool_reason(hit),
        )
        for hit in hits
    ]
    lines = [_line(f"{each.id}", f"{each.position}. in order" if each.position else "", each.reason) for each in tools]

    def note(shown: int) -> str | None:
        left = len(lines) - shown
        return f"{left} lower ranked tools left out; a larger max_tokens shows them" if left else None

    head = f"{len(lines)} tools for: {in_line(query, 80)}"
    if wordless(query, hits):
        head = f"{head}\n{WORDLESS}"
    markdown, shown, cut = packed(lines, max_tokens, head=head, note=note)
    return FoundTools(
        markdown=markdown, tokens=estimated_tokens(markdown), cut=cut, query=query, tools=tuple(tools[:shown])
    )


def page_names(pages: Sequence[PageRef], most: int = 6) -> str:
    """Names of the pages that say most about a document, on one line."""
    more = len(pages) - most
    return ", ".join(in_line(ref.name, 60) for ref in pages[:most]) + (f", and {more} more" if more > 0 else "")


def _alternating(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    """Both lists, best first: so that a small budget holds the best of each."""
    out = []
    for index in range(max(len(first), len(second))):
        out += [*first[index : index + 1], *second[index : index + 1]]
    return out


def _document_line(found: FoundDocument) -> str:
    size = f"{found.size} tokens" if found.size else ""
    via = f"by way of {', '.join(found.via)}" if found.via else ""
    return _line(f"document {found.path}", found.title, (found.date or "")[:10], size, via)


def _via(hit: DocumentHit, names: Mapping[str, str]) -> tuple[str, ...]:
    """The names that led to a document, as far as their pages are known, or that its title did."""
    if hit.trail and hit.trail[-1].kind == "title":
        return (f"its title in {hit.trail[-2].name}",)
    return tuple(names[entity] for entity in hit.via if entity in names)


def _page_line(name: str, kind: str | None, id: str | None) -> str:
    return _line(f"page {in_line(name)} ({kind or 'entity'})", f"id {id}" if id else "")


def _line(first: str, *rest: str | None) -> str:
    return "- " + " — ".join([first, *(in_line(each, _LONGEST) for each in rest if each)])


def _shared(count: int, names: Sequence[str]) -> str:
    more = count - len(names)
    return f"{count} shared: {', '.join(in_line(name, 60) for name in names)}" + (f" and {more} more" if more else "")


def tool_reason(hit: ToolHit) -> str:
    """Why a tool is among those for a request: the two reasons that weigh most, on one line."""
    seed = ["matches the request"] if hit.seed else []
    return "; ".join([*seed, *(f"{_VERBS[each.via]} {_source(each)}" for each in hit.because[:2])])


def _source(reason: Because) -> str:
    return f"“{in_line(reason.clause or reason.request or '', 80)}”" if reason.request else reason.source
