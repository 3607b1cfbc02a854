"""A TCP load balancer that gives each connection to the next backend, as a Service may do for the
calls of an API server. A backend that refuses a connection is skipped.
"""

import contextlib
import itertools
import socket
import threading

PIECE = 65536


class Splitter:
    def __init__(self, ports):
        self.ports = list(ports)
        self.counts = dict.fromkeys(self.ports, 0)  # connections by backend
        self._turn = itertools.count()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _connect(self):
        first = next(self._turn)
        for step in range(len(self.ports)):
            port = self.ports[(first + step) % len(self.ports)]
            with contextlib.suppress(OSError):
                backend = socket.create_connection(("127.0.0.1", port), timeout=2)
                backend.settimeout(None)
                self.counts[port] += 1
                return backend
        return None

    def _serve(self, client):
        backend = self._connect()
        if backend is None:
            client.close()
            return
        for end in (client, backend):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = threading.Thread(target=self._copy, args=(backend, client), daemon=True)
        back.start()
        self._copy(client, backend)
        back.join()
        client.close()
        backend.close()

    @staticmethod
    def _copy(source, sink):
        with contextlib.suppress(OSError):
            while piece := source.recv(PIECE):
                sink.sendall(piece)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
