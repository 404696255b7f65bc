"""Labels in other programs' files: out of hfviewer and in again."""
