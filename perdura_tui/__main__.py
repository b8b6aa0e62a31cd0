"""`python -m perdura_tui`: the same as `perdura`."""

from perdura_tui.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
