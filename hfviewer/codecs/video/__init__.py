"""Video, decoded frame-exactly: packet tables, decoders, the window of decoded frames, colours."""
