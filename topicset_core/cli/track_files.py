"""Files of runs and judgments as the command line names them."""

from pathlib import Path


def track_files(paths: list[str]) -> list[tuple[str, bytes | Path]]:
    """Return the files themselves, and those that stand in the folders, in the order of their names."""
    found: list[tuple[str, bytes | Path]] = []
    for path in map(Path, paths):
        inside = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
        found += [(str(one), one) for one in inside]
    return found
