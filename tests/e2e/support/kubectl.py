"""Runs a kubectl of a given version against a server and a namespace."""

import dataclasses
import json
import os
import re
import shlex
import subprocess

from support.process import LineReader, die_with_parent


@dataclasses.dataclass
class Result:
    command: str
    code: int
    out: str
    err: str

    @property
    def lines(self):
        return self.out.splitlines()

    def table(self):
        """The rows of a printed table, each a dict by column heading. Columns are cut where
        the headings start, so cells may hold single spaces and be empty."""
        if not self.lines:
            return []
        heading = self.lines[0]
        starts = [m.start() for m in re.finditer(r"(?:^|(?<=  )|(?<=\t))\S", heading)]
        bounds = list(zip(starts, [*starts[1:], None]))
        names = [heading[a:b].strip() for a, b in bounds]
        return [dict(zip(names, (line[a:b].strip() for a, b in bounds))) for line in self.lines[1:]]

    def __str__(self):
        return f"$ {self.command}\nexit {self.code}\n{self.out}{self.err}"


class Kubectl:
    def __init__(self, binary, version, kubeconfig, cache, namespace=None):
        self.binary = binary
        self.version = version
        self.kubeconfig = kubeconfig
        self.cache = cache
        self.namespace = namespace

    def within(self, namespace):
        return Kubectl(self.binary, self.version, self.kubeconfig, self.cache, namespace)

    def command(self, args):
        words = []
        for arg in args:
            words += shlex.split(arg) if " " in arg and len(args) == 1 else [arg]
        fixed = [self.binary, f"--kubeconfig={self.kubeconfig}", f"--cache-dir={self.cache}"]
        if self.namespace:
            fixed.append(f"--namespace={self.namespace}")
        return fixed + words

    def environment(self, more=None):
        # Nothing of the person who runs the tests: no kubeconfig, no plug-ins, no kuberc.
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.cache),
            "KUBERC": "off",
            **(more or {}),
        }

    def run(self, *args, stdin=None, env=None, timeout=60):
        """Runs it. One argument with spaces in it is split as a shell would."""
        command = self.command(args)
        done = subprocess.run(
            command,
            input=stdin if stdin is not None else "",
            capture_output=True,
            text=True,
            env=self.environment(env),
            timeout=timeout,
            check=False,
        )
        return Result(
            "kubectl " + shlex.join(command[1:]), done.returncode, done.stdout, done.stderr
        )

    def __call__(self, *args, **options):
        """Runs it and wants success."""
        result = self.run(*args, **options)
        assert result.code == 0, str(result)
        return result

    def fails(self, *args, **options):
        """Runs it and wants failure."""
        result = self.run(*args, **options)
        assert result.code != 0, str(result)
        return result

    def json(self, *args, **options):
        return json.loads(self(*args, "-o", "json", **options).out)

    def apply(self, thing, *more):
        return self(
            "apply", "-f", "-", *more, stdin=thing if isinstance(thing, str) else json.dumps(thing)
        )

    def create(self, thing, *more):
        return self(
            "create", "-f", "-", *more, stdin=thing if isinstance(thing, str) else json.dumps(thing)
        )

    def start(self, *args):
        return Running(self.command(args), self.environment())


class Running:
    """A kubectl that goes on: a watch, a wait."""

    def __init__(self, command, env):
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            env=env,
            preexec_fn=die_with_parent,
        )
        self.out = LineReader(self.process.stdout)
        self.err = LineReader(self.process.stderr)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(10)
