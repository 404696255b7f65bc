"""Round numbers along an axis."""

from __future__ import annotations

import math

_MOST_TICKS = 1000


def tick_step(span: float, most: int) -> float:
    """The smallest step of 1, 2 or 5 × 10ⁿ of which at most ``most`` (≥ 1) fit into a span; 0 for no span."""
    if not span > 0 or not math.isfinite(span):
        return 0.0
    least = span / max(1, min(most, _MOST_TICKS))
    power = 10.0 ** math.floor(math.log10(least))
    return next((power * factor for factor in (1.0, 2.0, 5.0) if power * factor >= least), power * 10.0)


def tick_values(low: float, high: float, most: int) -> list[float]:
    """Multiples of `tick_step` from low to high."""
    step = tick_step(high - low, most)
    if step == 0.0 or not abs(low / step) < 1e15:
        return []
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 × 10ⁿ from low (> 0) to high."""
    if not 0 < low < high or not math.isfinite(high):
        return []
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    return [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]


def tick_texts(values: list[float], step: float, *, signed: bool = False) -> list[str]:
    """Texts with as many decimals as the step needs, all the same number of them.

    Args:
        values: multiples of the step.
        step: from `tick_step`.
        signed: True to write + before positive numbers.
    """
    if step <= 0:
        return []
    if any(abs(v) >= 1e6 for v in values) or step < 1e-6:
        return [f"{v:.3g}" for v in values]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    texts = []
    for value in values:
        if abs(value) < step / 2:
            texts.append("0" if signed else f"{0:.{decimals}f}")
        else:
            texts.append(f"{value:{'+' if signed else ''}.{decimals}f}".replace("-", "−"))
    return texts
