"""What is open and where we look: plain state with typed Qt signals."""
