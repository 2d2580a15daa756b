"""Rows of a Cypher statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphstore.extras import require

if TYPE_CHECKING:
    import pandas as pd


class Rows(list[dict[str, Any]]):
    """A list of rows, each a dict of column name to plain value."""

    def to_df(self) -> pd.DataFrame:
        """The rows as a data frame.

        :raises MissingExtra: pandas is not installed.
        """
        frame: pd.DataFrame = require("pandas", "pandas").DataFrame.from_records(list(self))
        return frame
