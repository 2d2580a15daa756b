"""The console as its users meet it: typed into a terminal whose screen is read, and fed with scripts."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyte
import pytest

from graphstore import queries
from graphstore.db import Database

if TYPE_CHECKING:
    from graphstore.server import ServerAddress

COMMAND = [sys.executable, "-m", "graphstore", "console"]
ENDLESS = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a * b = -1 RETURN count(*) AS n"
PATIENCE = 60.0


@pytest.fixture
def environment(db: Database, server: ServerAddress, tmp_path: Path) -> dict[str, str]:
    """How a process finds the emptied test store."""
    return {
        **os.environ,
        "NEO4J_URI": server.uri,
        "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
        "GRAPHSTORE_CACHE": str(tmp_path / "cache"),
        "PYTHONUTF8": "1",
        "TERM": "xterm-256color",
    }


class Terminal:
    """A process in a terminal of 80 by 40."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.screen = pyte.Screen(80, 40)
        self.screen.write_process_input = self._answer  # it is asked where the cursor is
        stream = pyte.ByteStream(self.screen)
        self._control, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        self.process = subprocess.Popen(
            COMMAND,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            cwd=folder,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C becomes a signal
        )
        os.close(terminal)

        def read() -> None:
            try:
                while part := os.read(self._control, 65536):
                    stream.feed(part)
            except OSError:
                pass  # the process ended

        self._reader = threading.Thread(target=read, daemon=True)
        self._reader.start()

    def _answer(self, text: str) -> None:
        os.write(self._control, text.encode())

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, text: str) -> None:
        os.write(self._control, text.encode())

    def shows(self, text: str) -> None:
        """Wait until the screen shows ``text``."""
        wait(lambda: text in self.text, lambda: f"{text!r} is not on the screen:\n{self.text}")

    def enter(self, text: str) -> None:
        """Type a line, wait until it is on the screen, and press Enter."""
        self.type(text)
        self.shows(text[-30:])
        self.type("\r")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(5)
        os.close(self._control)


def wait(condition: Callable[[], bool], complaint: Callable[[], str]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, complaint()
        time.sleep(0.05)


def running(db: Database) -> list[str]:
    rows = db.driver.execute_query("SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery").records
    return [row["currentQuery"] for row in rows if row["currentQuery"].startswith("UNWIND range(1, 1000000)")]


@pytest.fixture
def terminal(environment: dict[str, str], tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(environment, tmp_path)
    try:
        opened.shows("graph>")
        yield opened
    finally:
        opened.close()


def test_a_statement_ends_with_a_semicolon_or_an_empty_line(terminal: Terminal) -> None:
    terminal.enter("RETURN '李伟' AS name,")
    terminal.enter(" 7 AS seven;")
    terminal.shows("name │ seven\n─────┼──────\n李伟 │     7")  # in pyte a wide character has an empty cell behind it
    terminal.enter("RETURN 8 AS eight")
    terminal.type("\r")
    terminal.shows("eight\n─────\n    8\n1 row")


def test_labels_and_saved_statements_are_completed_from_the_live_store(terminal: Terminal, db: Database) -> None:
    list(db.run("CREATE (:Zeppelin {id: 'x'})", write=True))
    terminal.type("MATCH (z:Zep")
    terminal.shows("Zeppelin  label")
    terminal.type("\t) RETURN count(z) AS flown;\r")
    terminal.shows("flown\n─────\n    1")
    terminal.type(":use maintain/hold")
    terminal.shows("maintain/holdings")
    terminal.type("\t")
    terminal.shows(":use maintain/holdings")
    terminal.type("\r")
    terminal.shows("tools │ tasks │ documents")


def test_control_c_stops_the_statement_on_the_server(terminal: Terminal, db: Database) -> None:
    terminal.enter(ENDLESS + ";")
    wait(lambda: len(running(db)) == 1, lambda: "the statement does not run")
    terminal.type("\x03")
    terminal.shows("cancelled")
    assert running(db) == []
    terminal.enter("RETURN 'still here' AS x;")
    terminal.shows("still here\n1 row")


def test_the_history_is_private_and_holds_no_password(terminal: Terminal, tmp_path: Path) -> None:
    terminal.enter("RETURN 1 AS remembered;")
    terminal.shows("1 row")
    terminal.enter("ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b';")
    terminal.shows("error: ")
    terminal.type("\x04")
    assert terminal.process.wait(PATIENCE) == 0
    history = tmp_path / "cache" / "console_history"
    assert history.stat().st_mode & 0o777 == 0o600
    assert "remembered" in history.read_text("utf-8")
    assert "PASSWORD" not in history.read_text("utf-8")


def test_the_prompt_shows_that_the_graph_can_be_changed(terminal: Terminal, db: Database) -> None:
    version = db.graph_version()
    terminal.enter("CREATE (:Tool {id: 'x'});")
    terminal.shows("error: Writing in read access mode not allowed")
    terminal.enter(":write")
    terminal.shows("write>")
    terminal.enter("CREATE (:Tool {id: 'x'});")
    terminal.shows("1 node created")
    terminal.enter(":read")
    terminal.shows("READ mode\ngraph>")
    assert db.graph_version() > version


Script = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def script(environment: dict[str, str], tmp_path: Path) -> Script:
    """``graphstore console`` without a terminal, given a script."""

    def run(text: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *words], input=text, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120
        )

    return run


def test_a_script_is_run_to_its_end_and_its_failures_are_counted(script: Script) -> None:
    done = script("RETURN 1 AS a;\nRETRUN 2;\n:nonsense\nRETURN\n\n  3 AS b;\n:quit\nRETURN 4 AS c;")
    assert done.stdout == "a\n─\n1\nb\n─\n3\n"
    assert [line.split(" ")[0] for line in done.stderr.splitlines()] == ["error:", "error:"]
    assert done.returncode == 1


def test_the_last_statement_of_a_script_needs_no_semicolon(script: Script) -> None:
    done = script("RETURN 1 AS a", "--json")
    assert (done.stdout, done.stderr, done.returncode) == ('{"a": 1}\n', "", 0)


def test_load_csv_and_writing_are_refused_before_write(script: Script, db: Database) -> None:
    done = script("LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l;\nCREATE (:Tool {id: 'x'});")
    assert (done.stdout, done.stderr.count("error: ")) == ("", 2)
    assert list(db.run("MATCH (t:Tool) RETURN count(t) AS n")) == [{"n": 0}]
    assert script(":write CREATE (:Tool {id: 'x'});\nMATCH (t:Tool) DELETE t;").returncode == 1
    assert list(db.run("MATCH (t:Tool) RETURN count(t) AS n")) == [{"n": 1}]


def test_parameters_are_json_or_text(script: Script) -> None:
    text = ":params n=[1, 2]\n:params q=approve it's request\nRETURN $n AS n, $q AS q, $w AS w;\n:params\n"
    done = script(text + ":params clear\n:params", "--param", "w=true", "--json")
    assert done.stdout.splitlines() == [
        '{"n": [1, 2], "q": "approve it\'s request", "w": true}',
        '{"parameter": "n", "value": [1, 2]}',
        '{"parameter": "q", "value": "approve it\'s request"}',
        '{"parameter": "w", "value": true}',
    ]


def test_saved_statements_are_listed_run_and_ask_for_their_parameters(script: Script) -> None:
    listed = script(":use", "--json").stdout.splitlines()
    assert len(listed) == len(queries.names())
    assert script(":use maintain/holdings", "--format", "csv").stdout == "tools,tasks,documents,entities\n0,0,0,0\n"
    assert (
        "maintain/terminate needs $tag (STRING, the tag): write :use maintain/terminate tag=VALUE"
        in script(":use maintain/terminate").stderr
    )
    assert "near: maintain/holdings" in script(":use maintain/holding_s").stderr


def test_rows_are_exported_to_a_new_file_only(script: Script, tmp_path: Path) -> None:
    (tmp_path / "kept.csv").write_text("mine", "utf-8")
    text = "UNWIND [1, 2] AS n RETURN n, '李伟' AS name;\n:export csv 'my rows.csv'\n"
    text += ":export json rows.json RETURN 1 AS x;\n"
    done = script(text + ":export csv kept.csv\n:export csv refused.csv RETRUN;\n:export pdf x.pdf")
    assert (tmp_path / "my rows.csv").read_text("utf-8") == "n,name\n1,李伟\n2,李伟\n"
    assert (tmp_path / "rows.json").read_text("utf-8") == '[\n{"x": 1}\n]\n'
    assert (tmp_path / "kept.csv").read_text("utf-8") == "mine"
    assert not (tmp_path / "refused.csv").exists()
    assert done.stderr.count("error: ") == 3
    assert "my rows.csv: 2 rows" in done.stderr


def test_a_script_runs_scripts_but_not_itself_for_ever(script: Script, tmp_path: Path) -> None:
    (tmp_path / "inner.cypher").write_text("\ufeff// first\nRETURN 1 AS a;\nRETURN 2 AS b", "utf-8")
    (tmp_path / "circle.cypher").write_text(":source circle.cypher", "utf-8")
    assert script(":source inner.cypher", "--json").stdout == '{"a": 1}\n{"b": 2}\n'
    assert "does one run itself?" in script(":source circle.cypher").stderr
    assert "none.cypher: cannot be read: No such file or directory" in script(":source none.cypher").stderr


def test_plans_are_tables(script: Script) -> None:
    done = script("RETURN 1 AS x;\n:explain\n:profile MATCH (t:Tool)\nRETURN count(t) AS n;")
    assert "ProduceResults │" in done.stdout
    assert "NodeCountFromCountStore │ count( (:Tool) ) AS n │ " in done.stdout
    assert done.stdout.count("estimated rows │ rows │ db hits") == 1


def test_the_schema_is_the_live_one(script: Script, db: Database) -> None:
    list(db.run("CREATE (:Tool {id: 'a', name: 'a'})-[:NEXT {count: 1}]->(:Tool {id: 'b'})", write=True))
    shown = script(":schema", "--json").stdout
    assert '{"label": "Tool", "nodes": 2, "properties": "id, name"}' in shown
    assert '{"pattern": "(:Tool)-[:NEXT]->(:Tool)", "relationships": 1}' in shown
    assert '"name": "unique_tool"' in shown


def test_help_names_every_command(script: Script) -> None:
    from graphstore.console.commands import COMMANDS

    shown = script(":help").stdout
    assert all(f"\n:{name}" in shown for name in COMMANDS)
