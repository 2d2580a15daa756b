"""Documents and the index as Markdown with YAML front matter; links lead to files of the same export."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from graphstore.corpusmap.types import RANK
from graphstore.models import EntityPage, PageRef, StoredDocument
from graphstore.pages.markdown import escape, front, joined, listed
from graphstore.pages.parts import PAGE_TOKENS, page_part
from graphstore.pages.paths import INDEX, link

_BACKTICKS = re.compile(r"`{3,}")


def page_markdown(page: EntityPage, part: int = 1, max_tokens: int = PAGE_TOKENS) -> str:
    """A part of an entity page: overview, latest, conflicts, facts with their documents.

    Files, command line, client and agents get it from here.

    :raises NotFound: it has fewer parts.
    """
    return page_part(page, part, max_tokens).text


def document_markdown(document: StoredDocument, source: str) -> str:
    """A document with links back to the pages that mention it; its text stands word for word in a fence.

    :param source: File that this becomes, relative to the export.
    """
    head = {
        "id": document.id,
        "path": document.path,
        "title": document.title,
        "earlier_paths": list(document.earlier) or None,
        "created": document.created,
        "modified": document.modified,
    }
    refs = (f"[{escape(ref.name)}]({link(ref.path, source)}) — {ref.type or 'entity'}" for ref in document.pages)
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(document.text)), default=0))
    blocks = [
        front(head),
        f"# {escape(document.title or document.id)}",
        "## Pages",
        listed(refs) if document.pages else f"None. [All pages]({link(INDEX, source)})",
        "## Text",
        f"{fence}text\n{document.text.strip(chr(10))}\n{fence}",
    ]
    return "\n\n".join(blocks) + "\n"


def index_markdown(pages: Sequence[tuple[PageRef, int]], documents: Iterable[tuple[str, str, str | None]]) -> str:
    """The index of an export: pages by type, those of most documents first, then all documents.

    Where two have one name, their ids tell them apart, as on their pages.

    :param pages: Each page with its number of documents.
    :param documents: File, title and date of each document.
    """
    blocks = [
        "# Index",
        f"{len(pages)} entity pages. Each holds what the documents say of one thing, with links to them.",
    ]
    bearers = Counter(ref.name for ref, _ in pages)
    ranked = sorted(pages, key=lambda each: (*_place(each[0].type), -each[1], each[0].name, each[0].id))
    for kind, group in groupby(ranked, key=lambda each: each[0].type or "entity"):
        lines = (
            joined(
                f"[{escape(ref.name)}]({link(ref.path, INDEX)})",
                f"{count} documents",
                f"id {ref.id}" if bearers[ref.name] > 1 else None,
            )
            for ref, count in group
        )
        blocks += [f"## {escape(kind.capitalize())}", listed(lines)]
    rows = [joined(f"[{escape(title)}]({link(file, INDEX)})", date) for file, title, date in documents]
    blocks += ["## Documents", listed(rows) if rows else "None."]
    return "\n\n".join(blocks) + "\n"


def _place(kind: str | None) -> tuple[int, str]:
    """People and things first, codes and addresses after them."""
    return RANK.get(kind or "", len(RANK)), kind or "entity"
