"""The synthetic recording with known truth."""
