"""Pages and documents as Markdown with YAML front matter.

Words of documents stand as they are, but for characters that would turn into markup. Links are relative to the file
and lead to files of the same export.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import yaml

from graphstore.corpusmap.types import RANK
from graphstore.models import EntityPage, Fact, PageRef, StoredDocument
from graphstore.pages.paths import INDEX, document_path, link

_Dumper = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper

# Underscores inside a word are no markup, and codes such as SR_2023_052 shall be found by grep.
_MARKUP = re.compile(r"[\\`*\[\]<]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|~~")
_BLOCK = re.compile(r"^(?:([#>+=-])|(\d{1,9})([.)]))")
_BACKTICKS = re.compile(r"`{3,}")


def escape(text: str) -> str:
    r"""Text in one line that Markdown shows as it is.

    >>> escape("SR_2023_052 *new* [x](y)")
    'SR_2023_052 \\*new\\* \\[x\\](y)'
    >>> escape("1. not a list")
    '1\\. not a list'
    """
    line = _MARKUP.sub(lambda found: "".join(f"\\{char}" for char in found[0]), " ".join(text.split()))
    return _BLOCK.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}", line)


def page_markdown(page: EntityPage, files: Mapping[str, str] | None = None) -> str:
    """An entity page: overview, latest, facts with their documents, written forms, documents.

    :param files: File of each document in the export, by id; without it the one that its path gives.
    """
    targets = {each.id: files[each.id] if files else document_path(each.path or each.id) for each in page.documents}
    links = {
        each.id: f"[{escape(each.title or each.id)}]({link(targets[each.id], page.path)})" for each in page.documents
    }
    dates = [each.date for each in page.documents if each.date]
    head = {
        "id": page.id,
        "name": page.name,
        "type": page.type,
        "aliases": list(page.aliases),
        "documents": len(page.documents),
        "latest": max(dates, default=None),
    }
    blocks = [_front(head), f"# {escape(page.name)}", *(escape(line) for line in page.overview.split("\n"))]
    if page.latest:
        blocks += ["## Latest", _listed(_fact(fact, links) for fact in page.latest)]
    if page.facts:
        blocks += ["## Facts", _listed(_fact(fact, links) for fact in page.facts)]
    if len(page.aliases) > 1:
        blocks += ["## Written as", _listed(escape(alias) for alias in page.aliases)]
    blocks += ["## Documents", _listed(_line(links[each.id], each.path, each.date) for each in page.documents)]
    return "\n\n".join(blocks) + "\n"


def document_markdown(document: StoredDocument, source: str) -> str:
    """A document with links back to the pages that mention it; its text stands word for word in a fence.

    :param source: File that this becomes, relative to the export.
    """
    head = {
        "id": document.id,
        "path": document.path,
        "title": document.title,
        "created": document.created,
        "modified": document.modified,
    }
    refs = (f"[{escape(ref.name)}]({link(ref.path, source)}) — {ref.type or 'entity'}" for ref in document.pages)
    fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(document.text)), default=0))
    blocks = [
        _front(head),
        f"# {escape(document.title or document.id)}",
        "## Pages",
        _listed(refs) if document.pages else f"None. [All pages]({link(INDEX, source)})",
        "## Text",
        f"{fence}text\n{document.text.strip(chr(10))}\n{fence}",
    ]
    return "\n\n".join(blocks) + "\n"


def index_markdown(pages: Sequence[tuple[PageRef, int]], documents: Iterable[tuple[str, str, str | None]]) -> str:
    """The index of an export: pages by type, those of most documents first, then all documents.

    :param pages: Each page with its number of documents.
    :param documents: File, title and date of each document.
    """
    blocks = [
        "# Index",
        f"{len(pages)} entity pages. Each holds what the documents say of one thing, with links to them.",
    ]
    ranked = sorted(pages, key=lambda each: (*_place(each[0].type), -each[1], each[0].name, each[0].id))
    for kind, group in groupby(ranked, key=lambda each: each[0].type or "entity"):
        lines = (f"[{escape(ref.name)}]({link(ref.path, INDEX)}) — {count} documents" for ref, count in group)
        blocks += [f"## {escape(kind.capitalize())}", _listed(lines)]
    rows = [_line(f"[{escape(title)}]({link(file, INDEX)})", date) for file, title, date in documents]
    blocks += ["## Documents", _listed(rows) if rows else "None."]
    return "\n\n".join(blocks) + "\n"


def _place(kind: str | None) -> tuple[int, str]:
    """People and things first, codes and addresses after them."""
    return RANK.get(kind or "", len(RANK)), kind or "entity"


def _front(fields: Mapping[str, Any]) -> str:
    body = yaml.dump(
        {name: value for name, value in fields.items() if value is not None},
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        width=10_000,
    )
    return f"---\n{body}---"


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _fact(fact: Fact, links: Mapping[str, str]) -> str:
    return _line(escape(fact.text), links[fact.document], fact.date)


def _line(first: str, *rest: str | None) -> str:
    return " — ".join([first, *(each for each in rest if each)])
