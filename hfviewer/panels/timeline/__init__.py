"""One lane per stream on one axis of time: maths first (axis, marks, density), then painting and widget."""
