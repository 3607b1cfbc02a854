"""`ebb up` as a process of the tests."""

import os
import pathlib
import time

from support.api import Access, Api
from support.process import Child

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("EBB_BINARY", str(REPOSITORY / "build" / "ebb"))

# Pods get ready and go quickly, so that tests do not wait for what they do not test.
QUICK = ("--pod-start-delay=50ms", "--pod-ready-delay=50ms", "--pod-termination-delay=50ms")


class EbbCluster:
    """One `ebb up`. It can be killed and started again; with a data folder it continues."""

    real = False

    def __init__(self, folder, *flags, data_dir=None, port=0):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.flags = flags
        self.data_dir = data_dir
        self.port = port
        self.kubeconfig = self.folder / "kubeconfig"
        self.child = None
        self.api = None

    def start(self, timeout=20.0):
        command = [BINARY, "up", f"--port={self.port}", f"--write-kubeconfig={self.kubeconfig}"]
        if self.data_dir:
            command.append(f"--data-dir={self.data_dir}")
        log = self.folder / "log"
        log.write_text("", encoding="utf-8")
        self.child = Child([*command, *self.flags], log)
        deadline = time.monotonic() + timeout
        while "ready" not in self.child.output().split("\n"):
            assert self.child.running(), f"ebb up ended:\n{self.child.output()}"
            assert time.monotonic() < deadline, f"not ready in {timeout} s:\n{self.child.output()}"
            time.sleep(0.01)
        access = Access.from_kubeconfig(self.kubeconfig)
        self.port = access.port
        self.api = Api(access)
        return self

    def stop(self):
        return self.child.stop()

    def kill(self):
        self.child.kill()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.child and self.child.running():
            self.stop()


def start_controller(cluster, folder, *flags):
    """`ebb controller` on the cluster; the caller kills it. Its log is in the folder."""
    command = [BINARY, "controller", f"--kubeconfig={cluster.kubeconfig}", *flags]
    return Child(command, pathlib.Path(folder) / "controller.log")
