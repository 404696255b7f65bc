"""Video files as recordings, and video files as streams of other recordings."""
