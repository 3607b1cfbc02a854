"""Signals while a credential plugin hangs: the program and the plugin end soon."""

import os
import signal
import subprocess
import time

import pytest
from support.ebb import BINARY
from support.process import eventually

pytestmark = pytest.mark.ebb_only

KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: c
clusters: [{{name: c, cluster: {{server: "http://127.0.0.1:9"}}}}]
contexts: [{{name: c, context: {{cluster: c, user: u}}}}]
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      interactiveMode: Never
      command: sh
      args: [-c, 'echo $$ >{pid}.new; mv {pid}.new {pid}; sleep 600; true']
"""

CONTROLLER = ("controller", "--controllers=replicaset", "--metrics-port=0")
NODES = ("nodes",)
PLAN = ("plan", "deploy/web", "--replicas=1")


def exists(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


class Hanging:
    """The program, waiting for its plugin."""

    def __init__(self, folder, arguments):
        pid = folder / "pid"
        kubeconfig = folder / "kubeconfig"
        kubeconfig.write_text(KUBECONFIG.format(pid=pid))
        self.process = subprocess.Popen(
            [BINARY, *arguments, f"--kubeconfig={kubeconfig}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        eventually(pid.exists, timeout=20)
        self.plugin = int(pid.read_text())

    def send(self, number):
        self.process.send_signal(number)

    def expect_end(self, code):
        assert self.process.wait(timeout=10) == code, self.process.stdout.read()
        eventually(lambda: not exists(self.plugin), timeout=10)


@pytest.fixture
def hanging(tmp_path):
    started = []

    def start(arguments):
        started.append(Hanging(tmp_path, arguments))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait()


@pytest.mark.parametrize(
    ("arguments", "number", "code"),
    [
        (CONTROLLER, signal.SIGTERM, 0),
        (CONTROLLER, signal.SIGINT, 0),
        (NODES, signal.SIGTERM, 0),
        (NODES, signal.SIGHUP, 0),
        # A command dies of the signal, as shells expect of it.
        (PLAN, signal.SIGINT, -signal.SIGINT),
        (PLAN, signal.SIGTERM, -signal.SIGTERM),
        (PLAN, signal.SIGHUP, -signal.SIGHUP),
    ],
)
def test_a_signal_ends_the_program_and_its_plugin(hanging, arguments, number, code):
    program = hanging(arguments)
    program.send(number)
    program.expect_end(code)


def test_a_hangup_leaves_the_controller_alone(hanging):
    program = hanging(CONTROLLER)
    program.send(signal.SIGHUP)
    time.sleep(0.5)
    assert program.process.poll() is None
    program.send(signal.SIGTERM)
    program.expect_end(0)
