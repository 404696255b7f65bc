"""The command line, one file per subcommand."""

import os

# Products of matrices are many and small here, and run on threads of ours already: the threads that OpenBLAS
# would start for them wait for each other, on a busy machine for longer than the whole product takes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
