"""Clients of the health port of `ebb controller`: kubelets, Prometheus, and an attacker that
holds as many connections as it can get.
"""

import contextlib
import http.client
import socket
import ssl
import threading

HALF_A_HEAD = b"GET /livez HTTP/1.1\r\nHost: loc"
LIVEZ = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
# The beginning of a TLS record with a ClientHello.
HALF_A_HANDSHAKE = b"\x16\x03\x01\x02\x00\x01"


def any_certificate():
    """As kubelets do it: the certificate of a probe is not verified."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class HealthPort:
    def __init__(self, port, tls):
        self.port = port
        self.tls = any_certificate() if tls else None

    def get(self, path, token=None, source="127.0.0.1", headers=None, timeout=10.0):
        """One request on a connection of its own: (code, body)."""
        where = {"timeout": timeout, "source_address": (source, 0)}
        if self.tls:
            connection = http.client.HTTPSConnection(
                "127.0.0.1", self.port, context=self.tls, **where
            )
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, **where)
        headers = {"Connection": "close", **(headers or {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def answers(self, path="/livez"):
        """For waiting until it is served; a refused or broken connection is not an answer."""
        try:
            return self.get(path)[0] == 200
        except (OSError, http.client.HTTPException):
            return False


class HeldConnections:
    """Connections from one address that are opened and kept, each stuck in one of several ways.
    With `again`, those that the server closes are replaced at once, over and over."""

    def __init__(self, target, count, source, again=False):
        self.target = target
        self.count = count
        self.source = source
        self.again = again
        self.sockets = []
        self.opened = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._hold_on, daemon=True)

    def _open(self):
        number = self.opened
        self.opened += 1
        raw = socket.create_connection(
            ("127.0.0.1", self.target.port), timeout=10, source_address=(self.source, 0)
        )
        try:
            way = number % 4
            if way == 1 and self.target.tls:
                raw.sendall(HALF_A_HANDSHAKE)
            elif way >= 2 and self.target.tls:
                raw = self.target.tls.wrap_socket(raw, server_hostname="localhost")
            if way == 1 and not self.target.tls or way == 2:
                raw.sendall(HALF_A_HEAD)
            if way == 3:
                raw.sendall(LIVEZ)  # answered, and idle from then on
        except OSError:
            pass  # closed meanwhile
        return raw

    def _is_open(self, held):
        held.settimeout(0)
        try:
            return bool(held.recv(4096))
        except (BlockingIOError, ssl.SSLWantReadError):
            return True
        except OSError:
            return False

    def _hold_on(self):
        while not self._stopping.wait(0.01):
            for i, held in enumerate(self.sockets):
                if self._stopping.is_set():
                    return
                if not self._is_open(held):
                    held.close()
                    with contextlib.suppress(OSError):
                        self.sockets[i] = self._open()

    def __enter__(self):
        for _ in range(self.count):
            self.sockets.append(self._open())
        if self.again:
            self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopping.set()
        if self.again:
            self._thread.join(20)
        for held in self.sockets:
            held.close()


def expect_probes(target, count=50, source="127.0.0.1"):
    """Every one is answered, as a kubelet asks: on a new connection each time."""
    for i in range(count):
        assert target.get("/livez", source=source) == (200, "ok"), f"probe {i}"
