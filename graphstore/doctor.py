"""What works and what does not between here and the store, each fault with its cause and its remedy.

Looks only: no server is started, nothing is written, and a password is tried once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from graphstore.check import index_faults
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.errors import AuthError, GraphStoreError, QueryError
from graphstore.findings import Diagnosis
from graphstore.probe import SECONDS, masked, probe
from graphstore.schema import SCHEMA_VERSION
from graphstore.server.survey import running, survey
from graphstore.settings import CONFIG_FILE, Settings

_HIDDEN = "***"
_SECRETS = {
    "password": ("password", "NEO4J_PASSWORD"),
    "llm_key": ("model's key", "GRAPHSTORE_LLM_KEY"),
    "serve_token": ("token of `graphstore serve`", "GRAPHSTORE_SERVE_TOKEN"),
}
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Origin:
    """A setting in force.

    :param value: As text; secrets are replaced.
    :param source: A flag, an environment variable, ``graphstore.toml`` or ``default``.
    """

    name: str
    value: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that ``doctor`` found out."""

    settings: tuple[Origin, ...]
    checks: tuple[Diagnosis, ...]

    @property
    def healthy(self) -> bool:
        """Whether no check failed."""
        return all(check.status != "fail" for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return {"ok": self.healthy, **asdict(self)}


def examine(folder: Path | None = None, *, seconds: float = SECONDS, **flags: Any) -> Report:
    """The settings in force, and one diagnosis of each thing between here and the store.

    :param folder: Where ``graphstore.toml`` is looked for; the working folder by default.
    :param seconds: The most that any one wait may take.
    :param flags: Settings given on the command line.
    """
    try:
        settings, sources = Settings.traced(folder, **flags)
    except GraphStoreError as error:
        wrong = Diagnosis("settings", "fail", masked(str(error)), f"correct the flag, the variable or {CONFIG_FILE}")
        return Report((), (wrong,))
    checks = [*_settings(settings, sources, folder or Path.cwd())]
    checks += _embedded(settings, seconds) if settings.uri is None else _remote(settings, settings.uri, seconds)
    return Report(tuple(_origins(settings, sources)), tuple(checks))


def _origins(settings: Settings, sources: dict[str, str]) -> Iterator[Origin]:
    for field in fields(settings):
        value = getattr(settings, field.name)
        text = None if value is None else masked(str(value)) if field.repr else _HIDDEN
        yield Origin(field.name, text, sources[field.name])


def _settings(settings: Settings, sources: dict[str, str], folder: Path) -> Iterator[Diagnosis]:
    for secret, (noun, variable) in _SECRETS.items():
        if sources[secret] == CONFIG_FILE and (folder / CONFIG_FILE).stat().st_mode & 0o077:
            finding = f"other users of this machine may read the {noun} in {CONFIG_FILE}"
            yield Diagnosis("settings", "warn", finding, f"chmod 600 {folder / CONFIG_FILE}, or use {variable}")
    if settings.uri is not None and sources["home"] != "default":
        finding = f"{sources['home']} names an embedded server, {sources['uri']} another one, which is used"
        yield Diagnosis("settings", "warn", finding, f"take away {sources['uri']} to use the embedded server")


def _embedded(settings: Settings, seconds: float) -> Iterator[Diagnosis]:
    yield from survey(settings)
    address = running(settings)
    if address is None:
        yield _encoder(settings)[1]
    else:
        yield from _store(settings, address.uri, (address.username, address.password), seconds)


def _remote(settings: Settings, uri: str, seconds: float) -> Iterator[Diagnosis]:
    layers = probe(uri, seconds=seconds)
    yield from layers
    if layers[-1].status == "fail":
        return
    if settings.password is None:
        yield Diagnosis("login", "fail", f"no password for user {settings.username}", "set NEO4J_PASSWORD")
        return
    yield from _store(settings, uri, (settings.username, settings.password), seconds)


def _store(settings: Settings, uri: str, auth: tuple[str, str], seconds: float) -> Iterator[Diagnosis]:
    try:
        db = Database.open(uri, auth, database=settings.database, timeout=seconds)
    except GraphStoreError as error:
        yield _refused(error, settings, uri, auth, seconds)
        return
    with db:
        try:
            version = db.read("maintain/ping")[0]["versions"][0]
            yield Diagnosis("login", "ok", f"user {auth[0]} at {uri}, Neo4j {version}")
            yield _gds(db)
            yield from _content(db, settings)
        except GraphStoreError as error:
            yield Diagnosis("store", "fail", str(error), "look at the server's logs, then run doctor again")


def _refused(error: GraphStoreError, settings: Settings, uri: str, auth: tuple[str, str], seconds: float) -> Diagnosis:
    finding, _, remedy = str(error).partition("; ")
    if isinstance(error, AuthError):
        if settings.uri is None:
            remedy = f"put back the file {settings.home / 'password'}, or start anew with `graphstore reset`"
        remedy += "; the password was tried once only: three wrong ones lock the account for some seconds"
        return Diagnosis("login", "fail", finding, remedy)
    if "NEO4J_DATABASE" in remedy:
        names = ", ".join(_databases(uri, auth, seconds))
        return Diagnosis(
            "database", "fail", f"{uri} has no database {settings.database}", f"set NEO4J_DATABASE to one of: {names}"
        )
    return Diagnosis("server", "fail", finding, remedy or "look at the server's logs")


def _databases(uri: str, auth: tuple[str, str], seconds: float) -> list[str]:
    with Database.open(uri, auth, timeout=seconds) as home:
        return [row["name"] for row in home.read("maintain/databases") if row["name"] != "system"]


def _gds(db: Database) -> Diagnosis:
    try:
        version = db.read("maintain/gds_version")[0]["version"]
    except QueryError:
        return Diagnosis(
            "GDS",
            "warn",
            "the server has no Graph Data Science library: the engine `gds` cannot be used, `local` can",
            "install the GDS plugin that fits the server's version, and allow gds.* in its configuration",
        )
    return Diagnosis("GDS", "ok", f"Graph Data Science {version}")


def _content(db: Database, settings: Settings) -> Iterator[Diagnosis]:
    encoder, usable = _encoder(settings)
    meta = db.read("maintain/graph_version")
    if not meta:
        yield Diagnosis("schema", "ok", "the database holds no graphstore schema yet; the first load makes it")
        yield usable
        return
    yield _schema(meta[0]["schema_version"])
    yield usable if encoder is None else _identity(encoder, (meta[0]["encoder"], meta[0]["dimensions"]))
    faults = list(index_faults(db.read("maintain/check_indexes"), meta))
    if faults:
        finding = ", ".join(f"{fault.where} {fault.what}" for fault in faults[:_SHOWN])
        finding += f" and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        yield Diagnosis("indexes", "fail", finding, "wait until they are populated; `graphstore check` lists them")
    else:
        yield Diagnosis("indexes", "ok", "all ONLINE")


def _schema(version: int | None) -> Diagnosis:
    if version == SCHEMA_VERSION:
        return Diagnosis("schema", "ok", f"version {version}")
    finding = f"the store has schema {version}, this graphstore knows {SCHEMA_VERSION}"
    if version is not None and version > SCHEMA_VERSION:
        return Diagnosis("schema", "fail", finding, "update graphstore")
    return Diagnosis("schema", "warn", finding, "the next command brings it up to date")


def _encoder(settings: Settings) -> tuple[tuple[str, int] | None, Diagnosis]:
    try:
        encoder = load_encoder(settings.encoder)
        identity = encoder.name, encoder.dimensions
    except GraphStoreError as error:
        finding, _, remedy = str(error).partition(": ")
        return None, Diagnosis("encoder", "fail", finding, f"{remedy}; or take GRAPHSTORE_ENCODER away")
    return identity, Diagnosis("encoder", "ok", f"{identity[0]}, {identity[1]} dimensions")


def _identity(configured: tuple[str, int], stored: tuple[str | None, int | None]) -> Diagnosis:
    name, dimensions = configured
    if stored == configured:
        return Diagnosis("encoder", "ok", f"{name}, {dimensions} dimensions: the store's own")
    finding = (
        f"the store holds vectors of {stored[0]} ({stored[1]} dimensions), "
        f"the configured encoder is {name} ({dimensions})"
    )
    return Diagnosis("encoder", "fail", finding, "run `graphstore reindex`, or set GRAPHSTORE_ENCODER back")
