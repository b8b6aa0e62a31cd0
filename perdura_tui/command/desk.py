"""`perdura [MIND]` and `demo`: opening the desk. The one module of the command line that loads Textual."""

import os
import sys
from argparse import ArgumentParser, Namespace

from perdura_tui.command import UsageError, Verb
from perdura_tui.command.minds import mind_path, named_mind, opened, settings_of, wants_json

__all__ = ["VERBS"]
