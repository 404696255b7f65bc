from __future__ import annotations

from hfviewer.core.resources import resource_path


def test_resources_of_the_source_tree_are_found() -> None:
    assert resource_path("icons").is_dir()
    assert resource_path("icons", "none.svg").parent == resource_path("icons")
