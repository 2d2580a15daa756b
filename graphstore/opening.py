"""The database that settings name: the one at their address, else the embedded server's."""

from __future__ import annotations

from graphstore.db import Database
from graphstore.errors import SettingsError
from graphstore.probe import masked
from graphstore.progress import Progress
from graphstore.settings import Settings


def open_database(settings: Settings, progress: Progress) -> Database:
    """A connection, to be closed by the caller; the embedded server is started if it is down.

    :raises SettingsError: an address without a password.
    :raises ConnectError: no usable server at the address.
    :raises ServerError: the embedded server cannot be started.
    """
    if settings.uri:
        if settings.password is None:
            raise SettingsError(f"{masked(settings.uri)}: set NEO4J_PASSWORD for user {settings.username}")
        return Database.open(settings.uri, (settings.username, settings.password), database=settings.database)
    from graphstore.server import configured

    address = configured(settings, progress=progress)
    return Database.open(address.uri, (address.username, address.password), database=settings.database)
