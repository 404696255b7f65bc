"""Folders of sensor files to hyperframe recordings."""
