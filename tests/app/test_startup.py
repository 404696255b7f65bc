from __future__ import annotations

import subprocess
import sys

HEAVY = ("cv2", "pyqtgraph", "vispy", "av", "pyarrow")


def loaded_after(statement: str) -> set[str]:
    """Which heavy libraries a fresh interpreter has imported after a statement."""
    code = (
        f"import sys\n{statement}\nprint(' '.join(m for m in {HEAVY!r} + ('PySide6',) if m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stdout.split())


def test_the_window_needs_no_heavy_library_before_something_is_opened() -> None:
    assert loaded_after("import hfviewer.app.main_window") == {"PySide6"}


def test_reading_a_recording_needs_no_qt() -> None:
    statement = "import hfviewer; hfviewer.open_recording; hfviewer.HyperframeWriter"
    assert loaded_after(statement) == {"cv2"}


def test_the_command_line_starts_without_anything_heavy() -> None:
    assert loaded_after("import hfviewer.cli.main") == set()
