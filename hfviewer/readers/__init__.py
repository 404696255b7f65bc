"""Files and folders to streams, annotations to files."""
