"""One widget per kind of stream, and the timeline. Panels draw; they open no file and own no time."""
