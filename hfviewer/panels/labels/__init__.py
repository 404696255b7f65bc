"""The panel of labels: which there are, what is selected, its note and its answers."""
