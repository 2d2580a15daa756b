"""Fixtures: one real embedded Neo4j a run, an emptied graph a test, the data sets where they are."""

from __future__ import annotations

import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

try:
    import graphstore.loaders  # noqa: F401
except ModuleNotFoundError as error:
    if error.name not in ("graphstore", "graphstore.loaders"):
        raise
    raise pytest.UsageError("graphstore is not installed here: run `make test`, or `pip install -e .`") from error

from graphstore import schema
from graphstore.db import Database

if TYPE_CHECKING:
    from graphstore.client import GraphStore
    from graphstore.encoders import Encoder
    from graphstore.server import ServerAddress

_SAMPLES: set[str] = set()  # identities of stores that hold the sample: emptying a store gives it another one
ENCODER_NAME, DIMENSIONS = "all-MiniLM-L6-v2-int8", 384
ROOT = Path(__file__).parents[1]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Shells without job control start background jobs deaf to Ctrl-C, and deafness is inherited:
    # the commands that tests interrupt would not hear it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerAddress]:
    """An embedded server of this run, or the empty one that GRAPHSTORE_TEST_URI names."""
    from graphstore.server import ServerAddress, scratch_server

    if uri := os.environ.get("GRAPHSTORE_TEST_URI"):
        user = os.environ.get("NEO4J_USERNAME", "neo4j")
        address = ServerAddress(uri=uri, username=user, password=os.environ.get("NEO4J_PASSWORD", ""), http=None)
        with Database.open(uri, (address.username, address.password)) as other:
            if next(iter(other.run("MATCH (n) RETURN count(n) AS n")))["n"]:
                pytest.exit(f"{uri} holds data: tests run on an empty server only", returncode=2)
        yield address
        return
    with scratch_server() as address:
        yield address


@pytest.fixture(scope="session")
def connection(server: ServerAddress) -> Iterator[Database]:
    """One connection a run, with the schema applied."""
    with Database.open(server.uri, (server.username, server.password)) as database:
        schema.apply(database, encoder=ENCODER_NAME, dimensions=DIMENSIONS, analyzer="cjk")
        yield database


@pytest.fixture
def db(connection: Database) -> Database:
    """The connection, on an emptied graph with a new identity."""
    empty(connection)
    return connection


def empty(database: Database) -> None:
    """Delete all data and give the store a new identity; schema and indexes stay."""
    database.driver.execute_query("MATCH (n) CALL (n) { DETACH DELETE n }", database_=database.database)
    meta = {"store": uuid.uuid4().hex, "schema_version": schema.SCHEMA_VERSION}
    database.write(("schema/meta", {**meta, "encoder": ENCODER_NAME, "dimensions": DIMENSIONS}))


@pytest.fixture
def served(server: ServerAddress, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ServerAddress:
    """The run's server, as the one that commands of this process use, with a cache folder of the test's own."""
    monkeypatch.setenv("NEO4J_URI", server.uri)
    monkeypatch.setenv("NEO4J_USERNAME", server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", server.password)
    monkeypatch.setenv("GRAPHSTORE_CACHE", str(tmp_path / "cache"))
    return server


@pytest.fixture(scope="module")
def sample(connection: Database, encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    """The demo's sample in a store, loaded once for modules that run one after the other; tests leave it as it is."""
    from graphstore.client import GraphStore
    from graphstore.settings import Settings

    store = GraphStore(connection, encoder, Settings.load(cache=tmp_path_factory.mktemp("cache")))
    if connection.store_id not in _SAMPLES:
        empty(connection)
        folder = ROOT / "graphstore" / "sample"
        store.load_tools(folder / "tools.json")
        store.load_logs(folder / "task_logs")
        store.load_documents(folder / "documents")
        _SAMPLES.add(connection.store_id)
    return store


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    """The default encoder."""
    from graphstore.encoders import load_encoder

    return load_encoder()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the data sets; tests that need it are skipped, with the reason, where it is absent."""
    folder = Path(os.environ.get("GRAPHSTORE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no data sets at {folder}: set GRAPHSTORE_DATA")
    return folder
