"""A real API server for the tests: etcd and kube-apiserver on loopback.

It can be hurt in the ways a test wants: kube-apiserver killed and started again on the same
port, etcd stopped for a while. What it stores survives both.
"""

import pathlib
import secrets
import signal
import socket
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

# Whom deploy/controller.yaml and deploy/ranker.yaml give what ours need, and nothing else.
CONTROLLER = "system:serviceaccount:kube-system:ebb-controller"
RANKER = "system:serviceaccount:kube-system:ebb-ranker"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class KubeApiServer:
    real = True

    def __init__(self, folder, etcd="debian", flags=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.kubeconfig = self.folder / "kubeconfig"
        self.controller_kubeconfig = self.folder / "kubeconfig-of-the-controller"
        self.ranker_kubeconfig = self.folder / "kubeconfig-of-the-ranker"
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
        token, controller_token, ranker_token = (secrets.token_hex(16) for _ in range(3))
        accounts = '"system:serviceaccounts,system:serviceaccounts:kube-system"'
        (self.folder / "tokens.csv").write_text(
            f"{token},tester,tester,system:masters\n"
            f"{controller_token},{CONTROLLER},controller,{accounts}\n"
            f"{ranker_token},{RANKER},ranker,{accounts}\n"
        )
        self._start_server()
        certificate = self.folder / "certificates" / "apiserver.crt"
        eventually(certificate.exists, timeout=60)
        for path, its_token in (
            (self.kubeconfig, token),
            (self.controller_kubeconfig, controller_token),
            (self.ranker_kubeconfig, ranker_token),
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

    def wait_until_ready(self, timeout=90):
        eventually(self._ready, timeout=timeout, interval=0.2)

    def _ready(self):
        for child in (self.etcd, self.server):
            assert child.running(), child.output()[-3000:]
        try:
            return self.api.request("GET", "/readyz").code == 200 and (
                self.api.request("GET", "/api/v1/namespaces/default").code == 200
            )
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
