"""From a moving playhead to decoded frames, off the GUI thread."""
