"""What every test obeys: no network but the loopback, and no deadline that a busy machine could miss."""

import gc
import ipaddress
import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "perdura", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("perdura")


def pytest_collection_finish() -> None:
    """Leave what the imports made out of every search for garbage: each would walk through all of it in vain."""
    gc.collect()
    gc.freeze()


def _is_near(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a socket in the file system
    host = address[0]
    if host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine, so that no test spends money or depends on a server."""

    def guarded(call: Any) -> Any:
        def connect(self: socket.socket, address: Any) -> Any:
            if not _is_near(address):
                raise OSError(f"tests may not connect to {address!r}")
            return call(self, address)

        return connect

    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
