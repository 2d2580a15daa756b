"""Documents say what is there: links, commands, targets and examples exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    titles = re.findall(r"^#+\s+(.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def blocks(path: Path, *languages: str) -> list[str]:
    return [body for language, body in FENCE.findall(path.read_text("utf-8")) if language in languages]


def shell_lines(path: Path) -> list[str]:
    """Commands of the shell blocks, prompts and comments left out, continued lines joined."""
    text = "\n".join(blocks(path, "sh", "bash", "shell", "console")).replace("\\\n", " ")
    return [line.removeprefix("$ ") for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_relative_links_lead_somewhere(path: Path):
    text = path.read_text("utf-8")
    broken = []
    for link in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        file = (path.parent / target) if target else path
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8"))):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_python_examples_are_python(path: Path):
    for body in blocks(path, "python", "py"):
        compile(body, name_of(path), "exec")


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_make_targets_exist(path: Path):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    text = path.read_text("utf-8")
    named = set(re.findall(r"`make ([a-z][a-z-]*)", text))
    named |= {line.split()[1] for line in shell_lines(path) if re.match(r"make [a-z]", line)}
    assert named - targets == set()


def unknown(words: list[str]) -> str | None:
    """What in a `graphstore …` command the program does not know."""
    from graphstore.cli import cli

    command: click.Command = cli
    known = {"-h", "--help", "--version", *options(command)}
    for word in words:
        if word in ("|", "&&", ";", ">", "<", "&"):
            return None
        if isinstance(command, click.Group) and not word.startswith("-"):
            below = command.get_command(click.Context(command), word)
            if below is None:
                return word
            command = below
            known |= options(command)
        elif re.match(r"--?[a-z]", word) and word.split("=")[0] not in known:
            return word
    return None


def options(command: click.Command) -> set[str]:
    return {option for p in command.params for option in (*p.opts, *p.secondary_opts)}


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_commands_and_their_options_exist(path: Path):
    wrong = []
    for line in shell_lines(path):
        words = shlex.split(line, comments=True)
        while words and re.match(r"[A-Z_0-9]+=", words[0]):
            words.pop(0)
        if words and words[0] == "graphstore" and (word := unknown(words[1:])):
            wrong.append(f"{line}: {word}")
    assert wrong == []


def test_command_reference_is_what_help_says():
    script = ROOT / "docs" / "generate_cli.py"
    run = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, cwd=ROOT)
    assert (run.returncode, run.stderr) == (0, "")
