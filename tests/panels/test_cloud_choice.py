from __future__ import annotations

import subprocess
import sys

import pytest

from hfviewer.panels import cloud_choice
from hfviewer.panels.cloud_choice import VARIABLE, CloudRenderer, choose_renderer, is_software

GPU, SOFTWARE = "NVIDIA GeForce RTX 4070/PCIe/SSE2", "llvmpipe (LLVM 15.0.6, 256 bits)"
GL, CPU = CloudRenderer.GL, CloudRenderer.CPU


@pytest.mark.parametrize(
    ("wish", "renderer", "chosen"),
    [
        ("", GPU, GL),
        ("", SOFTWARE, CPU),
        ("", None, CPU),
        ("cpu", GPU, CPU),
        ("gl", SOFTWARE, GL),
        (" GL ", SOFTWARE, GL),
        ("vulkan", GPU, GL),
        ("vulkan", SOFTWARE, CPU),
    ],
)
def test_a_gpu_gets_gl_and_a_wish_is_heard(
    monkeypatch: pytest.MonkeyPatch, wish: str, renderer: str | None, chosen: CloudRenderer
) -> None:
    monkeypatch.setenv(VARIABLE, wish)
    monkeypatch.setattr(cloud_choice, "gl_renderer", lambda: renderer)
    assert choose_renderer() == (chosen, "")


def test_a_wish_for_gl_where_there_is_none_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "gl")
    monkeypatch.setattr(cloud_choice, "gl_renderer", lambda: None)
    renderer, notice = choose_renderer()
    assert renderer is CPU
    assert notice


@pytest.mark.parametrize(
    ("name", "software"),
    [
        (GPU, False),
        (SOFTWARE, True),
        ("softpipe", True),
        ("Gallium 0.4 on SWR (LLVM 6.0)", True),
        ("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", False),
        ("AMD Radeon RX 6600 (radeonsi, navi23, LLVM 15.0.7)", False),
        ("Apple M2", False),
        ("GDI Generic", True),
    ],
)
def test_software_gl_is_known_by_its_name(name: str, software: bool) -> None:
    assert is_software(name) is software


def test_neither_the_choice_nor_the_panel_loads_vispy() -> None:
    code = "import sys, hfviewer.panels.cloud; print('vispy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
