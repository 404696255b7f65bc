"""The page of a stream's timing: its intervals, its jitter, its distance from a reference."""
