"""The faces of Perdura: the command line and the terminal application."""
