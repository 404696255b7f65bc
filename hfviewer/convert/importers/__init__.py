"""One file per layout of sensor files."""
