"""Folders of many recordings: plain files, task directories, or both."""
