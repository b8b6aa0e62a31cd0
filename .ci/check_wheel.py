"""Check that a wheel holds every module, theme and document of the working tree, and nothing else."""

import sys
import zipfile
from pathlib import Path


def expected() -> set[str]:
    """What must be in the wheel, by its path there."""
    files = {
        path.as_posix()
        for package in ("perdura_core", "perdura_tui")
        for path in Path(package).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    return files | {f"perdura_tui/{path.as_posix()}" for path in Path("themes").glob("*.toml")}


def main(wheel: str) -> int:
    """Print what is missing or too much; 1 if anything is."""
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    missing, extra = expected() - names, names - expected()
    for title, found in (("missing", missing), ("too much", extra)):
        for name in sorted(found):
            print(f"{title}: {name}")
    print(f"{len(names)} files in {Path(wheel).name}")
    return 1 if missing or extra else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
