"""Findings about a recording: pure functions on timestamps and counters."""
