"""Names of tools and parameters that an interface accepts, and back: those in the store may be of any script.

One name that an interface refuses costs the whole request, so none is sent. A name that must change depends on the
tool's id alone: the same tool has the same name in every answer, which a conversation of several requests needs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from hashlib import sha256

_HASH = 8


def wire_names(ids: Iterable[str], *, also: str, longest: int) -> dict[str, str]:
    """The accepted name of each id, all different: the id itself where it is accepted.

    ``server/name`` becomes ``server__name``; what else is refused becomes ``_``, and a hash of the id keeps two such
    names apart.

    :param also: What an accepted name may hold besides ASCII letters and digits.
    :param longest: Most characters of a name.

    >>> wire_names(["list_users", "git/log", "工具", "dcj9: test"], also="_-", longest=64)
    {'list_users': 'list_users', 'git/log': 'git__log', '工具': 'tool_5ca6730d', 'dcj9: test': 'dcj9_test_be89045c'}
    """
    listed = list(dict.fromkeys(ids))
    accepted = re.compile(rf"[a-zA-Z0-9{re.escape(also)}]{{1,{longest}}}")
    names = {own: own for own in listed if accepted.fullmatch(own)}
    taken = set(names.values())
    for own in listed:
        if own in names:
            continue
        plain = own.replace("/", "__")
        if not accepted.fullmatch(plain) or plain in taken:
            plain = _hashed(own, also, longest, taken)
        names[own] = plain
        taken.add(plain)
    return {own: names[own] for own in listed}


def _hashed(own: str, also: str, longest: int, taken: set[str]) -> str:
    """What can be read of a name, and a hash of all of it."""
    letters = "".join(char for char in unicodedata.normalize("NFKD", own) if not unicodedata.combining(char))
    readable = re.sub(rf"[^a-zA-Z0-9{re.escape(also)}]+", "_", letters).strip("_") or "tool"
    digest = sha256(own.encode("utf-8", "surrogatepass")).hexdigest()
    size = _HASH
    while (name := f"{readable[: longest - size - 1]}_{digest[:size]}") in taken:
        size += 1
    return name
