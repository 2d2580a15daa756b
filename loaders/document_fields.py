"""Fields of a document, from front matter or from a JSON record, into a ``SourceDocument``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphstore.records import JSON, SourceDocument

from .fields import iso_date, kind, text

_CREATED = ("created", "created_at", "date")
_MODIFIED = ("modified", "updated", "last_modified", "modified_at", "updated_at")


@dataclass(slots=True)
class Taken:
    """Known fields of a document; the rest is metadata.

    :param remarks: What was understood otherwise than meant, such as a date that is none.
    """

    id: str = ""
    path: str = ""
    title: str = ""
    acl: tuple[str, ...] = ()
    created: str | None = None
    modified: str | None = None
    metadata: dict[str, JSON] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    def document(self, path: str, title: str, body: str) -> SourceDocument:
        """The document, with ``path`` as its identity unless the fields name one."""
        return SourceDocument(
            id=self.id or path,
            path=path,
            title=self.title or title,
            text=body,
            acl=self.acl,
            created=self.created,
            modified=self.modified,
            metadata=self.metadata,
        )


def take(fields: Mapping[str, JSON], *, with_path: bool) -> Taken:
    """The known fields, whatever the case of their names.

    :param with_path: Whether ``path`` is a field; a file has its own.
    :raises ValueError: ``acl`` is no list of names (a restricted document is never opened by a slip), or ``id``,
        ``path`` or ``title`` is no text.
    """
    lower: dict[str, str] = {}
    for name in fields:
        if lower.setdefault(name.lower(), name) != name and name.lower() == "acl":
            raise ValueError("acl is given twice")
    rest = dict(fields)

    def pop(name: str) -> JSON:
        return rest.pop(lower[name], None) if name in lower else None

    taken = Taken(acl=_acl(pop("acl")))
    taken.id = text({"id": pop("id")}, "id").strip()
    taken.title = " ".join(text({"title": pop("title")}, "title").split())
    if with_path:
        taken.path = checked_path(text({"path": pop("path")}, "path"))
    taken.created = _date(rest, lower, _CREATED, taken.remarks)
    taken.modified = _date(rest, lower, _MODIFIED, taken.remarks)
    taken.metadata = rest
    return taken


def checked_path(path: str) -> str:
    """The path with ``/``.

    :raises ValueError: It climbs out of its folder by ``..``.
    """
    path = path.strip().replace("\\", "/")
    if ".." in path.split("/"):
        raise ValueError(f"the path {path!r} climbs by '..': give it as seen from the folder of documents")
    return path.removeprefix("./")


def _date(rest: dict[str, JSON], lower: Mapping[str, str], names: tuple[str, ...], remarks: list[str]) -> str | None:
    """The first field that is a date. It is taken out of the rest; one that is none stays, with a remark."""
    for name in names:
        written = lower.get(name)
        if written is None or written not in rest:
            continue
        value = rest[written]
        date = iso_date(value)
        if date is not None:
            del rest[written]
            return date
        if value is None or value == "":
            del rest[written]
        else:
            remarks.append(f"{written}: {str(value)[:40]!r} is no date, kept as metadata")
    return None


def _acl(value: JSON) -> tuple[str, ...]:
    if value is None:
        return ()
    names: list[JSON] = (
        list(value.split(",")) if isinstance(value, str) else value if isinstance(value, list) else [None]
    )
    found: list[str] = []
    for name in names:
        if isinstance(name, bool) or not isinstance(name, (str, int)):
            raise ValueError("acl is neither a list of names nor names separated by commas")
        if str(name).strip():
            found.append(str(name).strip())
    if not found and value:
        raise ValueError(f"acl is {kind(value)} without a name: leave it out if everyone may read")
    return tuple(dict.fromkeys(found))
