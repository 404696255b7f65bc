"""``python -m hfviewer``."""

from __future__ import annotations

import sys

from hfviewer.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
