from __future__ import annotations

import os
import subprocess
import sys


def test_small_products_start_no_threads_of_their_own_unless_somebody_wants_them() -> None:
    code = "import hfviewer.cli.main, os; print(os.environ['OPENBLAS_NUM_THREADS'])"
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for given, expected in ((None, "1"), ("3", "3")):
        if given is not None:
            environment["OPENBLAS_NUM_THREADS"] = given
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == expected
