"""Labels that no disk has are not given up by one click."""

from __future__ import annotations

from hfviewer.app.banner import Banner
from hfviewer.model.annotations import Annotations
from hfviewer.model.label_condition import LabelCondition, Safety


class CloseGuard:
    """Holds the window open once, where closing it would lose labels.

    Args:
        annotations: of the open recording.
        banner: says why the window stays.
    """

    def __init__(self, annotations: Annotations, banner: Banner) -> None:
        self._annotations, self._banner = annotations, banner
        self._told = False
        annotations.condition_changed.connect(self._on_condition)

    def allows(self) -> bool:
        """Whether the window may close now: everything is on the disk, or it was said that it is not."""
        condition = self._annotations.condition
        if condition.safety is not Safety.UNSAFE or self._told:
            return True
        self._told = True
        self._banner.say(
            f"Your last labels are on no disk yet: {condition.problem or 'the journal cannot be written'}."
            " Free some space, or export them (Labels, Export…). Closing again gives them up.",
            "error",
        )
        return False

    def _on_condition(self, condition: LabelCondition) -> None:
        if condition.safety is not Safety.UNSAFE:
            self._told = False
