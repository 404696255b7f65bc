"""The process ends well, whatever is still being decoded."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Exit handlers run last in, first out: "unwound" is only said where the interpreter goes on to end itself.
_PROGRAM = """
import atexit, sys, threading, time
from hfviewer.app.session import end_over_decoders
atexit.register(print, "unwound")
atexit.register(end_over_decoders, 3)
if sys.argv[1] == "busy":
    threading.Thread(target=time.sleep, args=(60,), name="frame-loader-0", daemon=True).start()
print("closed")
"""


@pytest.mark.parametrize(
    ("state", "code", "said"), [("busy", 3, "closed\n"), ("idle", 0, "closed\nunwound\n")]
)
def test_a_decoder_in_the_middle_of_a_frame_is_not_cut_off(state: str, code: int, said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _PROGRAM, state], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, said, "")
