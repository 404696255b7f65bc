"""The panel of findings: what was found, filtered and grouped; accept, copy, label."""
