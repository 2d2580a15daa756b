"""Which documents lie in a folder: the one rule of search, grep and everything else that narrows to a folder."""

from __future__ import annotations


def folder_named(written: str | None) -> str:
    """A folder as it is compared: without slashes at its ends or a ``./`` before it; empty for the whole corpus.

    >>> folder_named("./minutes/2026/"), folder_named("/"), folder_named(None)
    ('minutes/2026', '', '')
    """
    parts = (written or "").strip().replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in ("", "."))


def in_folder(path: str, folder: str) -> bool:
    """Whether a document's path lies in a folder, at any depth, or is the one named.

    :param folder: As :func:`folder_named` gives it.

    >>> in_folder("minutes/2026/may.md", "minutes"), in_folder("minutes-old/may.md", "minutes"), in_folder("a.md", "")
    (True, False, True)
    """
    own = path.strip("/")
    return not folder or own == folder or own.startswith(f"{folder}/")
