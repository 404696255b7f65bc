"""The hyperframe container, formats/hyperframe.md. `layout` alone knows the bytes."""
