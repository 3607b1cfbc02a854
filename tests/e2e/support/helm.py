"""Runs Helm against a server and a namespace."""

import json
import os
import pathlib
import subprocess

from support.kube_api_server import TOOLS
from support.kubectl import Result

CHART = pathlib.Path(__file__).resolve().parents[1] / "programs" / "chart"


class Helm:
    def __init__(self, kubeconfig, namespace, folder):
        self.kubeconfig = kubeconfig
        self.namespace = namespace
        self.folder = folder

    def run(self, *words):
        command = [
            str(TOOLS / "helm"),
            f"--kubeconfig={self.kubeconfig}",
            f"--namespace={self.namespace}",
            *words,
        ]
        # Nothing of the person who runs the tests: no repositories, no plug-ins.
        parts = ("CACHE", "CONFIG", "DATA")
        homes = {f"HELM_{part}_HOME": str(self.folder / part) for part in parts}
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), **homes},
        )
        return Result(" ".join(words), done.returncode, done.stdout, done.stderr)

    def __call__(self, *words):
        result = self.run(*words)
        assert result.code == 0, str(result)
        return result.out

    def fails(self, *words):
        """What it says when it refuses."""
        result = self.run(*words)
        assert result.code != 0, str(result)
        return result.err

    def json(self, *words):
        return json.loads(self(*words, "--output=json"))
