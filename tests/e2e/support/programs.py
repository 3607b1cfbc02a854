"""Programs in Go that scripts/kube-tools builds, run against a server.

They print what they did and saw. programs/told has their output on real Kubernetes;
`EBB_UPDATE_TOLD=1 scripts/test-e2e --against kube tests/e2e/programs` rewrites it.
"""

import difflib
import os
import pathlib
import subprocess

from support.kube_api_server import TOOLS
from support.process import LineReader, die_with_parent

TOLD = pathlib.Path(__file__).resolve().parents[1] / "programs" / "told"


def command(program, kubeconfig, namespace, story):
    """It waits a minute for what has to come, and then says what did not."""
    return [str(TOOLS / program), f"--kubeconfig={kubeconfig}", f"--namespace={namespace}", story]


def run(program, cluster, namespace, story):
    """What it printed, without what it logged."""
    done = subprocess.run(
        command(program, cluster.kubeconfig, namespace, story),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def expect_told(name, text, cluster):
    """That this is what real Kubernetes makes the program print."""
    path = TOLD / f"{name}.txt"
    if os.environ.get("EBB_UPDATE_TOLD") and cluster.real:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    wanted = path.read_text(encoding="utf-8")
    difference = difflib.unified_diff(wanted.split("\n"), text.split("\n"), path.name, "told")
    assert text == wanted, "\n".join(difference)


class Conversation:
    """A program that waits for a line now and then."""

    def __init__(self, words):
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=die_with_parent,
        )
        self.reader = LineReader(self.process.stdout)

    def until(self, line, timeout=30):
        self.reader.until(lambda each: each == line, timeout)

    def answer(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def finish(self, timeout=60):
        """Everything it printed."""
        while self.reader.next(timeout) is not None:
            pass
        assert self.process.wait(timeout) == 0, self.reader.lines
        return "\n".join(self.reader.lines) + "\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(20)
