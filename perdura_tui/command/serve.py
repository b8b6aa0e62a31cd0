"""`serve`: the desk in a browser, for whoever has the address with its token."""

import importlib
import ipaddress
import secrets
import shlex
import sys
from argparse import ArgumentParser, Namespace

from perdura_core.errors import InputError
from perdura_tui.command import Verb
from perdura_tui.command.minds import config_path, mind_path, wants_json
from perdura_tui.command.output import line, print_json
from perdura_tui.command.values import count

__all__ = ["VERBS"]

_BY_SIGNAL = 128


async def _serve(given: Namespace) -> int:
    try:
        serving = importlib.import_module("perdura_tui.serving")
    except ModuleNotFoundError as error:
        raise InputError(
            f"`perdura serve` needs the extra `serve` ({error.name} is missing): pip install 'perdura[serve]'"
        ) from None
    path = mind_path(given)
    if given.readonly and not path.exists():
        raise InputError(f"there is no mind at {str(path)!r} to watch: --mind names another")
    words = [sys.executable, "-m", "perdura_tui", "desk", "--mind", str(path.absolute())]
    words += ["--config", str(config_path(given).absolute())] if getattr(given, "config", None) is not None else []
    words += ["--readonly"] if given.readonly else []
    listening, url = serving.address_of(given.host, given.port)
    token = secrets.token_urlsafe(32)
    if wants_json(given):
        print_json({"url": f"{url}/{token}/", "mind": str(path), "readonly": given.readonly})
    else:
        line(f"{path.name} is served at {url}/{token}/ until Ctrl+C")
        if not _is_loopback(given.host):
            line(f"Whoever can reach {given.host} and knows this address can use the desk; it is not encrypted.")
    sys.stdout.flush()
    code: int = await serving.serve(shlex.join(words), f"perdura · {path.name}", listening, url, token)
    return _BY_SIGNAL + code


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="whom to listen to (default: this machine only)")
    parser.add_argument("--port", metavar="N", type=count, default=8000, help="0 takes a free one (default: 8000)")
    parser.add_argument("--readonly", action="store_true", help="let browsers watch, and change nothing")


VERBS = {"serve": Verb(_arguments, _serve)}
