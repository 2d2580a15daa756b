"""The .cypher loader refuses what would fail late."""

from __future__ import annotations

import pytest

from graphstore import queries
from graphstore.errors import QueryFileError

GOOD = """// People by name.
// Parameters:
//   $name: STRING, exact name; not $other
// Columns:
//   id: STRING
MATCH (n:Person {name: $name}) WHERE n.note <> '$5 in // text' RETURN n.id AS id // $comment
"""


def test_header_gives_purpose_parameters_and_columns() -> None:
    query = queries.parse("x", GOOD)
    assert (query.purpose, query.parameters, query.columns) == ("People by name.", frozenset({"name"}), ("id",))


def test_text_is_the_file_as_it_is() -> None:
    assert queries.parse("x", GOOD).text == GOOD


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("{name: $name}", "{name: $nome}"), r"cypher/x.cypher: uses \$nome"),
        (("{name: $name}", ""), r"cypher/x.cypher:3: declares \$name, which is not used"),
        (("// Columns:\n//   id: STRING\n", ""), "must give purpose, Parameters: and Columns:"),
        (("// People by name.\n", ""), "must give purpose"),
    ],
)
def test_a_malformed_file_is_refused_with_its_name(change: tuple[str, str], message: str) -> None:
    with pytest.raises(QueryFileError, match=message):
        queries.parse("x", GOOD.replace(*change))


def test_a_file_without_statement_is_refused() -> None:
    with pytest.raises(QueryFileError, match="holds no statement"):
        queries.parse("x", "// Nothing.\n// Parameters: none\n// Columns: none\n")


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(QueryFileError, match=r"cypher/load/nothing.cypher: no such file"):
        queries.load("load/nothing")


def test_a_column_may_be_called_parameters() -> None:
    text = (
        "// Tools.\n// Parameters: none\n// Columns:\n//   id: STRING, tool id\n//   parameters: STRING, JSON\nRETURN 1"
    )
    assert queries.parse("retrieve/tools", text).columns == ("id", "parameters")
