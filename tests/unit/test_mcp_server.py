"""The MCP server answers as somebody, never as the owner."""

from __future__ import annotations

from typing import Any, cast

import pytest

from graphstore.errors import SettingsError
from graphstore.navigation import Navigation
from graphstore.serve.server import mcp_server
from graphstore.visibility import OWNER, Visibility

pytest.importorskip("mcp")


def navigation(who: Visibility) -> Navigation:
    """One that is never asked anything."""
    nothing = cast("Any", None)
    return Navigation(nothing, documents=nothing, tools=nothing, who=who)


@pytest.mark.parametrize("who", [OWNER, Visibility.of(as_of="2026-03-01")])
def test_nobody_is_served_as_the_owner(who: Visibility):
    with pytest.raises(SettingsError, match="as somebody"):
        mcp_server(navigation(who))


def test_a_reader_without_principals_is_served_what_is_open():
    assert mcp_server(navigation(Visibility.of([]))).name == "graphstore"
