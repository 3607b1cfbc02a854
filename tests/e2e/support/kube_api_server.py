"""A real API server for the tests: etcd and kube-apiserver on loopback. A test can kill kube-
apiserver and start it again on the same port, and pause etcd. The stored objects survive both.
"""

import pathlib
import random
import secrets
import signal
import socket
import ssl
import subprocess
import time

from support.api import Access, Api
from support.process import Child, eventually

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
TOOLS = REPOSITORY / "build" / "kube"

# Debian's etcd is too old for streaming lists, so that with it clients fall back to lists in
# pages; with that of the Go module there are streaming lists, as in a cluster of today.
ETCD = {"debian": "/usr/bin/etcd", "module": str(TOOLS / "etcd")}

KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: kube
clusters: [{{name: kube, cluster: {{server: "https://127.0.0.1:{port}", certificate-authority: "{ca}"}}}}]
contexts: [{{name: kube, context: {{cluster: kube, user: tester}}}}]
users: [{{name: tester, user: {{token: "{token}"}}}}]
"""

# The accounts that the manifests in deploy/ give what ours need, and nothing else.
CONTROLLER = "system:serviceaccount:kube-system:ebb-controller"
RANKER = "system:serviceaccount:kube-system:ebb-ranker"
SHADOW = "system:serviceaccount:kube-system:ebb-shadow"
WEBHOOK = "system:serviceaccount:ebb-system:ebb-webhook"


def free_port():
    """A port that no program has. It is below those that the kernel gives to clients, or a
    connection that is opened meanwhile could take it."""
    while True:
        with socket.socket() as probe:
            try:
                port = random.randrange(16384, 32768)
                probe.bind(("0.0.0.0", port))
                return port
            except OSError:
                continue


class KubeApiServer:
    real = True

    def __init__(self, folder, etcd="debian", flags=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.kubeconfig = self.folder / "kubeconfig"
        self.controller_kubeconfig = self.folder / "kubeconfig-of-the-controller"
        self.ranker_kubeconfig = self.folder / "kubeconfig-of-the-ranker"
        self.webhook_kubeconfig = self.folder / "kubeconfig-of-the-webhook"
        self.shadow_kubeconfig = self.folder / "kubeconfig-of-shadow-mode"
        self.etcd_program = ETCD[etcd]
        self.flags = flags
        self.port = free_port()
        self.etcd_port = free_port()
        self.etcd = None
        self.server = None
        self.api = None

    def start(self):
        self._start_etcd()
        key = self.folder / "service-account.key"
        subprocess.run(
            ["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True
        )
        token, controller_token, ranker_token, shadow_token, webhook_token = (
            secrets.token_hex(16) for _ in range(5)
        )
        accounts = '"system:serviceaccounts,system:serviceaccounts:kube-system"'
        (self.folder / "tokens.csv").write_text(
            f"{token},tester,tester,system:masters\n"
            f"{controller_token},{CONTROLLER},controller,{accounts}\n"
            f"{ranker_token},{RANKER},ranker,{accounts}\n"
            f"{shadow_token},{SHADOW},shadow,{accounts}\n"
            f"{webhook_token},{WEBHOOK},webhook,"
            '"system:serviceaccounts,system:serviceaccounts:ebb-system"\n'
        )
        self._start_server()
        certificate = self.folder / "certificates" / "apiserver.crt"
        # The key is written after the certificate, so the certificate is complete by then.
        eventually(certificate.with_suffix(".key").exists, timeout=120)
        for path, its_token in (
            (self.kubeconfig, token),
            (self.controller_kubeconfig, controller_token),
            (self.ranker_kubeconfig, ranker_token),
            (self.shadow_kubeconfig, shadow_token),
            (self.webhook_kubeconfig, webhook_token),
        ):
            path.write_text(KUBECONFIG.format(port=self.port, ca=certificate, token=its_token))
        self.api = Api(Access("127.0.0.1", self.port, token, certificate.read_text()))
        self.wait_until_ready()
        return self

    def _start_etcd(self):
        client = f"http://127.0.0.1:{self.etcd_port}"
        self.etcd = Child(
            [
                self.etcd_program,
                f"--data-dir={self.folder}/etcd",
                f"--listen-client-urls={client}",
                f"--advertise-client-urls={client}",
                f"--listen-peer-urls=http://127.0.0.1:{free_port()}",
                "--quota-backend-bytes=8589934592",
            ],
            self.folder / "etcd.log",
        )

    def _start_server(self):
        key = self.folder / "service-account.key"
        self.server = Child(
            [
                str(TOOLS / "kube-apiserver"),
                f"--etcd-servers=http://127.0.0.1:{self.etcd_port}",
                "--bind-address=127.0.0.1",
                f"--secure-port={self.port}",
                f"--cert-dir={self.folder}/certificates",
                f"--token-auth-file={self.folder}/tokens.csv",
                "--authorization-mode=RBAC",
                # New nodes are tainted as not ready until a controller looks at them, which
                # most tests do without.
                "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
                "--service-account-issuer=https://kubernetes.default.svc",
                f"--service-account-key-file={key}",
                f"--service-account-signing-key-file={key}",
                "--service-cluster-ip-range=10.0.0.0/24",
                *self.flags,
            ],
            self.folder / "kube-apiserver.log",
        )

    def wait_until_ready(self, timeout=180):
        try:
            eventually(self._ready, timeout=timeout, interval=0.2)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.server.output()[-3000:]}") from None

    def _ready(self):
        for child in (self.etcd, self.server):
            assert child.running(), child.output()[-3000:]
        try:
            return self.api.request("GET", "/readyz").code == 200 and (
                self.api.request("GET", "/api/v1/namespaces/default").code == 200
            )
        except ssl.SSLCertVerificationError:
            raise  # waiting does not mend a wrong CA
        except OSError:
            return False

    def restart(self):
        """As after a crash: nothing is said to the clients."""
        self.server.kill()
        self._start_server()
        self.wait_until_ready()

    def pause(self, seconds):
        """The store answers nothing for so long, then goes on."""
        self.etcd.process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            self.etcd.process.send_signal(signal.SIGCONT)
        self.wait_until_ready()

    def stop(self):
        for child in (self.server, self.etcd):
            if child:
                child.kill()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()
