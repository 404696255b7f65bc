"""Entry point: which subcommand, and how every one of them ends.

Exit 0: fine. 1: done, but with findings or a partial result. 2: cannot be read, or bad usage. An error is one
line.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn, Protocol

import hfviewer
from hfviewer.core.errors import HfviewerError, UsageError

COMMANDS = {
    "open": "open a recording in the application",
    "info": "what a recording holds",
    "check": "lost, late, doubled and disordered frames, of one recording or many",
    "frame": "one decoded frame into a file",
    "convert": "a folder of sensor files into a hyperframe file",
    "verify": "check every checksum and bound",
    "recover": "make a recording from a damaged or unfinished file",
    "history": "the revisions of a recording",
    "labels": "list, add, remove, import, export and compare labels",
    "compact": "a copy without the remains of earlier revisions",
    "export": "CSV, pictures, a clip, some seconds of a recording, an episode's zip",
    "render": "a picture of the application's window at one instant",
    "bench": "how this machine does on this recording",
    "demo": "make and open the demonstration recording",
}


class Command(Protocol):
    """What a module of this package offers."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare its arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the result is the exit code.

        Raises:
            HfviewerError: told in one line; the exit code is 2.
        """


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}.".replace("..", "."), remedy=f"See `{self.prog} --help`.")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        sys.stdout.flush()  # of --help: see `main`
        super().exit(status, message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    if getattr(sys, "frozen", False):
        import multiprocessing

        # In a bundle, a process that `check` starts comes back here; this runs its work and ends it.
        multiprocessing.freeze_support()
    words = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    try:
        code = _run(words)
        # What cannot be written must show here; while the interpreter ends nobody could catch it.
        sys.stdout.flush()
        return code
    except HfviewerError as error:
        return _fail(error.line(), debug=debug)
    except KeyboardInterrupt:
        return _fail("Stopped.")
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _give_up_stdout()
        return 0
    except OSError as error:
        _give_up_stdout()
        name = f"{error.filename}: " if error.filename else ""
        return _fail(f"{name}{error.strerror or error}.", debug=debug)
    except MemoryError:
        return _fail("There is not enough memory for this.", debug=debug)


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        if not words:
            return _command("open", [])
        sys.stdout.write(_overview())
        return 0
    if words[0] == "--version":
        sys.stdout.write(f"hfviewer {hfviewer.__version__}\n")
        return 0
    if words[0] in COMMANDS:
        return _command(words[0], words[1:])
    if words[0].startswith("-"):
        raise UsageError(f"Unknown option {words[0]}.", remedy="See `hfviewer --help`.")
    return _command("open", words)


def _command(name: str, words: list[str]) -> int:
    # Only the module that is asked for is imported: Qt costs more than most commands do.
    command: Command = importlib.import_module(f"hfviewer.cli.{name}")
    parser = _Parser(prog=f"hfviewer {name}", description=command.HELP, allow_abbrev=False)
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [
        "hfviewer PATH                  open a recording",
        "hfviewer COMMAND … [--json]    see `hfviewer COMMAND --help`",
        "",
        *(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()),
        "",
        "Exit code 0: fine. 1: done, with findings or a partial result. 2: cannot be read, or bad usage.",
        "--debug shows where an error came from.",
    ]
    return "\n".join(lines) + "\n"


def _give_up_stdout() -> None:
    """Where stdout takes no more, let it lead nowhere: the interpreter flushes it again while it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(line: str, *, debug: bool = False) -> int:
    if debug:
        traceback.print_exc()
    sys.stderr.write(f"hfviewer: {line}\n")
    return 2
