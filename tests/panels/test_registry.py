from __future__ import annotations

import subprocess
import sys

import pytest
from pytestqt.qtbot import QtBot

from hfviewer.core.stream import StreamKind
from hfviewer.panels import registry
from hfviewer.panels.registry import make_panel, panel_class
from hfviewer.panels.theme import Theme
from hfviewer.panels.trouble import TroublePanel
from tests.panels.making import NAME, START_NS, describe, result, show, table, text

STAMPS = table(5)


@pytest.mark.parametrize("kind", list(StreamKind))
def test_every_kind_has_a_panel_that_shows_without_data(qtbot: QtBot, kind: StreamKind) -> None:
    panel = make_panel(describe(kind, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    assert not isinstance(panel, TroublePanel)
    assert type(panel) is panel_class(kind)
    assert panel.stream_name == NAME
    panel.set_playhead(START_NS)
    assert not panel.grab().isNull()


def test_a_panel_that_cannot_be_made_is_explained_in_its_place(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry._PANELS, StreamKind.POINTS, ("hfviewer.panels.no_such_module", "Nothing"))
    panel = make_panel(describe(StreamKind.POINTS, STAMPS), STAMPS, START_NS, Theme())
    show(qtbot, panel)
    assert isinstance(panel, TroublePanel)
    assert "no_such_module" in panel.reason
    panel.set_playhead(START_NS)
    panel.show_result(result(text("a", "a")))
    assert not panel.grab().isNull()


def test_importing_the_registry_loads_no_opencv() -> None:
    code = "import sys, hfviewer.panels.registry;print([m for m in ('cv2', 'vispy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
