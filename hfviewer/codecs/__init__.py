"""Payload bytes to frames. Pure functions; no file is opened here."""
