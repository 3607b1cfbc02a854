"""The HTTP server behind the webhooks and pickers of the tests."""

import http.server
import sys


class LoopbackServer(http.server.ThreadingHTTPServer):
    """Serves on a free loopback port, and stays silent when a client hangs up, as clients do in
    many tests. Its threads must not print: a thread that prints while the interpreter exits
    aborts the whole test run."""

    daemon_threads = True

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.port = self.server_address[1]

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)
