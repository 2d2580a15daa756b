"""File names of an export: pure functions of names and ids, safe on every operating system.

A page is ``pages/{slug}-{short id}.md``, a document ``documents/{its path}.md``. Whatever a name holds, the file stays
in its folder: no ``..``, no device name of Windows, no character that a file system refuses, nothing longer than 200
bytes, and case is not what tells two files apart.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from urllib.parse import quote

INDEX = "index.md"
REVERSE = "index.json"
PAGES = "pages"
DOCUMENTS = "documents"

_SLUG_BYTES = 80
_SEGMENT_BYTES = 100
_PATH_BYTES = 180
_NOT_SLUG = re.compile(r"[\W_]+")
_UNSAFE = re.compile(r'[<>:"|?*\\]')
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of characters that a name shall not hold: controls, and what file systems leave out when they compare."""
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|clock\$|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)", re.IGNORECASE)
_ESCAPED = re.compile(r"[^\w./~-]")
_SHORT_ID = re.compile(r"(?=\d*[a-f])[0-9a-f]{16,}")  # our own; the numbers of a registry may all begin alike


def page_path(name: str, entity_id: str) -> str:
    """File of an entity's page, relative to the export.

    >>> page_path("Project Atlas", "0123456789abcdef")
    'pages/project-atlas-0123456789ab.md'
    >>> page_path("../../etc/x", "e1")
    'pages/etc-x-8b5cc4df7eec.md'
    """
    slug = _NOT_SLUG.sub("-", unicodedata.normalize("NFKC", name).casefold()).strip("-")
    short = entity_id[:12] if _SHORT_ID.fullmatch(entity_id) else _hash(entity_id)
    return f"{PAGES}/{_cut(unicodedata.normalize('NFC', slug), _SLUG_BYTES) or 'entity'}-{short}.md"


def part_path(path: str, part: int) -> str:
    """File of a part of a page; the first has the page's own.

    >>> part_path("pages/project-atlas-0123456789ab.md", 2)
    'pages/project-atlas-0123456789ab-2.md'
    """
    return path if part == 1 else f"{path.removesuffix('.md')}-{part}.md"


def document_path(path: str, suffix: str = "") -> str:
    """File of a document, relative to the export.

    :param path: The document's own path, or its id.
    :param suffix: Put before the end, to tell documents apart whose files would have one name.

    >>> document_path("minutes/2026 01.md"), document_path("mail/7.txt")
    ('documents/minutes/2026 01.md', 'documents/mail/7.txt.md')
    >>> document_path("../../etc/x")
    'documents/etc/x-56da1a2ef2df.md'
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part.strip(". ")]
    safe = [_segment(part) for part in parts] or ["document"]
    # a folder must not carry the name that another document's file has
    safe = [f"{part}_" if part.casefold().endswith(".md") else part for part in safe[:-1]] + safe[-1:]
    plain = "/".join(safe)
    changed = plain != path or len(plain.encode()) > _PATH_BYTES
    if len(plain.encode()) > _PATH_BYTES:
        safe = safe[-1:]
    stem = re.sub(r"\.md$", "", safe[-1], flags=re.IGNORECASE)
    mark = suffix or (_hash(path) if changed else "")
    safe[-1] = f"{stem}-{mark}.md" if mark else f"{stem}.md"
    return "/".join([DOCUMENTS, *safe])


def document_paths(documents: Iterable[tuple[str, str]]) -> dict[str, str]:
    """File of each document: id → path in the export; no two the same on a file system that ignores case.

    :param documents: Id and own path of each.
    """
    same: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for key, path in documents:
        target = document_path(path or key)
        same[folded(target)].append((key, path))
    return {
        key: document_path(path or key, _hash(key) if len(group) > 1 else "")
        for group in same.values()
        for key, path in group
    }


def folded(path: str) -> str:
    """What two paths have in common that some file system takes for one: case, composition, dotted and dotless i.

    >>> folded("É.md") == folded("e\u0301.MD")
    True
    """
    return unicodedata.normalize("NFKD", path).casefold().upper().casefold()


def link(target: str, source: str) -> str:
    """Relative URL from one file of the export to another; letters of every script stand in it as they are.

    >>> link("documents/a b.md", "pages/x.md"), link("documents/会议.md", "index.md")
    ('../documents/a%20b.md', 'documents/会议.md')
    """
    # Markdown takes them so, they cost a model a fraction of their percent codes, and grep finds them
    return "../" * source.count("/") + _ESCAPED.sub(lambda found: quote(found[0]), target)


def _segment(part: str) -> str:
    seen = "".join(
        "_" if unicodedata.category(char) in _UNSEEN else char for char in unicodedata.normalize("NFC", part)
    )
    safe = _UNSAFE.sub("_", seen).strip().rstrip(". ").lstrip(". ")
    if _DEVICES.match(safe):
        safe = f"_{safe}"
    return _cut(safe, _SEGMENT_BYTES) or "_"


def _cut(text: str, size: int) -> str:
    """The longest beginning that has no more bytes; whole characters, no trailing space, dot or hyphen."""
    return text if len(text.encode()) <= size else text.encode()[:size].decode("utf-8", "ignore").rstrip(". -")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
