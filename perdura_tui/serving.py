"""The desk in a browser: pages and sockets of textual-serve behind a token. Loaded only where that extra is there."""

import asyncio
import hmac
import ipaddress
import logging
import signal
import socket
from collections.abc import Awaitable, Callable

from aiohttp import web
from textual_serve.server import Server

__all__ = ["address_of", "serve"]

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def address_of(host: str, port: int) -> tuple[socket.socket, str]:
    """A listening socket, and the address under which a browser reaches it. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family)
    return listening, f"http://{_named(host)}:{listening.getsockname()[1]}"


def _named(host: str) -> str:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.is_unspecified:
        return socket.gethostname()
    return f"[{host}]" if address.version == 6 else host


async def serve(command: str, title: str, listening: socket.socket, url: str, token: str) -> int:
    """Run `command`, a desk, for each browser that comes with the token, until a signal ends it. Returns the signal."""
    logging.getLogger("textual-serve").setLevel(logging.ERROR)
    runner = web.AppRunner(await _Desks(command, title, url, token).guarded(), access_log=None)
    await runner.setup()
    loop, ended = asyncio.get_running_loop(), asyncio.Future[int]()

    def end(number: int) -> None:
        if not ended.done():
            ended.set_result(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end, number)
    try:
        await web.SockSite(runner, listening, shutdown_timeout=5.0).start()
        return await ended
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        await runner.cleanup()


class _Desks(Server):
    """A server whose every address lies under the token."""

    def __init__(self, command: str, title: str, url: str, token: str) -> None:
        super().__init__(command, title=title, public_url=url)
        self._url = url
        self._token = token

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the command line has said where."""

    async def guarded(self) -> web.Application:
        """The pages under the token, and for everybody without it the same refusal, whatever they ask for."""

        @web.middleware
        async def admit(request: web.Request, handler: _Handler) -> web.StreamResponse:
            given = request.path.split("/", 2)[1]
            if not hmac.compare_digest(given.encode("utf-8", "replace"), self._token.encode()):
                raise web.HTTPForbidden(text="This desk needs its token: use the address that `perdura serve` printed.")
            return await handler(request)

        outside = web.Application(middlewares=[admit])
        outside.on_response_prepare.append(self._harden)
        outside.add_subapp(f"/{self._token}", await self._make_app())
        return outside

    async def _harden(self, request: web.Request, response: web.StreamResponse) -> None:
        """The address is the key: it goes to nobody else, and nothing is fetched from anybody else."""
        sockets = self._url.replace("http", "ws", 1)
        response.headers["Content-Security-Policy"] = (
            "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
            f"img-src 'self' data:; connect-src 'self' {sockets}; frame-ancestors 'none'"
        )
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cache-Control"] = "no-store"
