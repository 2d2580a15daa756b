"""How clear a case must be before an open name is linked: learned from sure links, nothing where they show nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.decisions import Link, Unresolved
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.refining import LEAST, PRECISION, Case, Refining, best_of, learned_margin
from graphstore.corpusmap.resolve import Resolver
from graphstore.records import SourceDocument

LOCAL = Local("tom becker", ("Tom Becker",), (), None, ((0, 10),), frozenset(), False)


def case(linked: str) -> Case:
    return Case("d", LOCAL, ("a", "b"), linked)


def test_clear_cases_give_a_margin_and_too_few_or_unclear_ones_give_none():
    clear = [(case("a"), {"a": 1.0, "b": 0.1})] * 200
    found = learned_margin(clear)
    assert found is not None
    assert found.precision == 1.0
    assert found.least > 0.1, "as clear as with the right one taken away would be a guess"
    assert learned_margin(clear[: LEAST - 1]) is None
    assert learned_margin([*clear, *[(case("b"), {"a": 1.0, "b": 0.1})] * 200]) is None
    assert learned_margin([]) is None


@given(st.lists(st.tuples(st.floats(-1, 2), st.floats(-1, 2), st.booleans()), max_size=300))
def test_what_is_sure_enough_at_the_margin_is_counted_with_those_who_are_absent(rows: list):
    examples = [(case("a" if right else "b"), {"a": a, "b": b}) for a, b, right in rows]
    found = learned_margin(examples)
    if found is None:
        return
    told = [(best_of(scores), each.linked) for each, scores in examples]
    right = sum(margin >= found.least and best == linked for (best, margin), linked in told)
    wrong = sum(margin >= found.least and best != linked for (best, margin), linked in told)
    assert right >= LEAST
    assert right / (right + wrong) >= PRECISION


def test_an_open_surname_fits_the_bearer_that_is_mentioned_with_the_same_things():
    company = {"Anna Becker": "Northwind Ltd.", "Tom Becker": "Heliograph Ltd."}
    texts = [f"Dr. {name} of {firm} met Dr. Priya Raman." for name, firm in company.items() for _ in range(4)]
    texts += ["Dr. Becker wrote to Northwind Ltd. about the offer."]
    made = [SourceDocument(f"{i}.md", f"{i}.md", "Notes", text) for i, text in enumerate(texts)]
    resolver = Resolver()
    for document, extraction in zip(made, extract(made), strict=True):
        resolver.put(document.id, document.title, "", extraction)
    resolver.settle()
    refining = Refining(resolver, lambda document, spans: None)
    open_name = next(local for local in resolver.registry.locals["8.md"] if local.key == "becker")
    ids = {
        resolver.entities[d.entity].key: d.entity for m in resolver.decisions.values() for d in m if isinstance(d, Link)
    }
    wanted = Case("8.md", open_name, (ids["anna becker"], ids["tom becker"]))
    best, margin = best_of(refining.scores(wanted))
    assert best == ids["anna becker"]
    assert margin > 0.1
    examples = list(refining.examples())
    assert {resolver.entities[each.linked].key for each in examples} == {"anna becker", "tom becker"}
    assert all(best_of(refining.scores(each))[0] == each.linked for each in examples)
    opened = {d.name for m in resolver.decisions.values() for d in m if isinstance(d, Unresolved)}
    assert {each.local.names[0] for each in refining.cases()} <= opened | {"Becker", "Dr. Becker"}
