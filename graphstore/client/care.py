"""The care of the registry: what people decide about entities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphstore.client.base import OpenStore

if TYPE_CHECKING:
    from graphstore.corpusmap.ledger import LedgerRow
    from graphstore.corpusmap.refine import Refined
    from graphstore.pages.decided import EntityDecisions


class Care(OpenStore):
    """What is decided about entities, and how sure each link is.

    Decisions are kept as rows of a ledger and hold for whatever is loaded later; each can be taken back.
    """

    def merge_entities(self, keep: str, *others: str, by: str = "owner", reason: str = "") -> list[LedgerRow]:
        """The ledger's rows of merging entities into one, one for each that joins.

        The first is kept with its id and name, unless only another is a record of a registry: a record's id is kept.

        :param keep: Id, or name if no other entity has it; likewise the others.
        :raises NotFound: one of them is not in the store, or several have the name; nothing was changed.
        :raises DecisionError: two of them are one already, or were declared to be two.
        """
        from graphstore.corpusmap.ledger import merge

        return merge(self._db, keep, *others, by=by, reason=reason, progress=self._progress, cache=self._settings.cache)

    def split_entity(
        self,
        entity: str,
        *,
        documents: Sequence[str] = (),
        name: str | None = None,
        by: str = "owner",
        reason: str = "",
    ) -> LedgerRow:
        """The ledger's row of taking mentions out of an entity, as an entity of their own.

        :param documents: Ids or paths of the documents whose mentions are of something else.
        :param name: One of its names that is something else, wherever it stands by itself.
        :raises NotFound: no such entity, or a document that does not mention it; nothing was changed.
        :raises DecisionError: nothing would be left of it, or nothing would change.
        """
        from graphstore.corpusmap.ledger import split

        return split(
            self._db,
            entity,
            documents=documents,
            name=name,
            by=by,
            reason=reason,
            progress=self._progress,
            cache=self._settings.cache,
        )

    def distinct_entities(self, a: str, b: str, *, by: str = "owner", reason: str = "") -> LedgerRow:
        """The ledger's row of declaring that two entities are never one: not linked, not merged, not proposed.

        :raises NotFound: one of them is not in the store, or several have the name; nothing was changed.
        :raises DecisionError: they are one entity now, or it was declared before.
        """
        from graphstore.corpusmap.ledger import distinct

        return distinct(self._db, a, b, by=by, reason=reason, progress=self._progress, cache=self._settings.cache)

    def undo_decision(self, id: int | None = None, *, kind: str | None = None, by: str = "owner") -> list[LedgerRow]:
        """The ledger's rows that were taken back: one, the newest if none is named, or all of a kind.

        :param kind: ``refine`` takes back all that :meth:`refine_map` decided; or another kind.
        :raises NotFound: no such row, or it was taken back before.
        """
        from graphstore.corpusmap.ledger import undo

        return undo(self._db, id, kind=kind, by=by, progress=self._progress, cache=self._settings.cache)

    def refine_map(self) -> Refined:
        """What looking again at open names and weak links with the whole corpus did.

        Only what is as clear as nearly all of the store's own sure links is decided; every decision stands in the
        ledger, and ``undo_decision(kind="refine")`` takes all back.
        """
        from graphstore.corpusmap.refine import refine_map

        return refine_map(self._db, progress=self._progress, cache=self._settings.cache)

    def ledger(self) -> list[LedgerRow]:
        """Every decision about entities, newest first, those that were taken back too."""
        from graphstore.corpusmap.ledger import ledger

        return ledger(self._db)

    def entity_decisions(
        self, name_or_id: str, *, reader: Sequence[str] | None = None, as_of: str | None = None
    ) -> EntityDecisions:
        """Why documents are linked to an entity, and how sure each link is.

        :raises NotFound: no such entity for this reader, or several of this name; the message lists them.
        """
        from graphstore.pages.decided import entity_decisions
        from graphstore.visibility import Visibility

        return entity_decisions(self._db, name_or_id, Visibility.of(reader, as_of))

    def records(self) -> list[dict[str, Any]]:
        """Every record of a registry: ``id, name, type, source, documents``, by name; unmentioned ones too.

        The type is the one under which an entity of the record is shown: ``person`` of an ``employee``.
        """
        from graphstore.corpusmap.directory import type_of_row

        rows = self._db.read("page/records")
        return [{key: row[key] for key in row if key != "attributes"} | {"type": type_of_row(row)} for row in rows]
