"""An admission webhook over HTTPS on loopback, with its own certificate.

A behaviour is a function from the request of an AdmissionReview to its response (without the
uid), or to bytes, which are sent unchanged.
"""

import base64
import http.server
import json
import pathlib
import ssl
import subprocess
import threading

from support.loopback_server import LoopbackServer

GROUP = "/apis/admissionregistration.k8s.io/v1"


def allow(**more):
    return {"allowed": True, **more}


def deny(**status):
    return {"allowed": False, **({"status": status} if status else {})}


def patch(*operations):
    text = json.dumps(operations).encode()
    return allow(patchType="JSONPatch", patch=base64.b64encode(text).decode())


def make_certificate(folder, *names):
    """A certificate that is its own authority. Returns the paths of it and of its key."""
    folder = pathlib.Path(folder)
    certificate, key = folder / "webhook.crt", folder / "webhook.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=webhook", "-keyout", str(key)),
            *("-out", str(certificate), "-addext", f"subjectAltName={','.join(names)}"),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key


class WebhookServer:
    """Serves behaviours by path and remembers the requests of each."""

    def __init__(self, folder, *names):
        names = names or ("IP:127.0.0.1", "DNS:localhost")
        self.certificate, key = make_certificate(folder, *names)
        self.behaviours = {}
        self.requests = {}
        self.targets = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):  # noqa: N802 (the name is the library's)
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.targets.append(self.path)
                answer = outer.answer(self.path.split("?")[0], json.loads(body))
                code = 200
                if isinstance(answer, tuple):
                    code, answer = answer
                self.send_response(code)
                content_type = "application/json" if code == 200 else "text/plain"
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = LoopbackServer(Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path, review):
        request = review["request"]
        self.requests.setdefault(path, []).append(request)
        response = self.behaviours[path](request)
        if isinstance(response, (bytes, tuple)):
            return response
        return json.dumps(
            {
                "apiVersion": review["apiVersion"],
                "kind": "AdmissionReview",
                "response": {"uid": request["uid"], **response},
            }
        ).encode()

    @property
    def ca_bundle(self):
        return base64.b64encode(self.certificate.read_bytes()).decode()

    def client(self, path):
        return {"url": f"https://127.0.0.1:{self.port}{path}", "caBundle": self.ca_bundle}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def rule(*resources, operations=("*",), groups=("*",), versions=("*",), **more):
    return {
        "operations": list(operations),
        "apiGroups": list(groups),
        "apiVersions": list(versions),
        "resources": list(resources),
        **more,
    }


def webhook(name, client, *rules, **more):
    return {
        "name": name,
        "clientConfig": client,
        "rules": list(rules),
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        **more,
    }


def configuration(kind, name, *webhooks):
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": list(webhooks),
    }
