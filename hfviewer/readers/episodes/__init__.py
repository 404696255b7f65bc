"""Task directories of pooled episodes (``pooled_episodes_v1``) and the sessions that came before them."""
