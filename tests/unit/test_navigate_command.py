"""``graphstore neighbours``: what it cannot give it refuses, before it opens a store."""

from __future__ import annotations

from click.testing import CliRunner

from graphstore.cli import cli


def test_more_neighbours_than_there_are_given_is_wrong_usage():
    result = CliRunner().invoke(cli, ["neighbours", "Project Atlas", "-k", "101", "--uri", "bolt://localhost:1"])
    assert result.exit_code == 2
    assert "1<=x<=100" in result.stderr
