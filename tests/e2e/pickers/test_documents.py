"""The commands and examples in docs/writing-a-picker.md and in the READMEs of the examples work."""

import json
import subprocess
import sys

import pytest
import yaml
from support.ebb import BINARY
from support.kube_api_server import free_port
from support.pickers import (
    EXAMPLES,
    REPOSITORY,
    AirflowDatabase,
    ExamplePicker,
    RecordingPicker,
    blocks,
)
from support.process import Child, eventually

pytestmark = pytest.mark.ebb_only

GUIDE = REPOSITORY / "docs" / "writing-a-picker.md"
DOCUMENTS = [GUIDE, *sorted(EXAMPLES.glob("*/README.md"))]
NOT_SERVED = {"NetworkPolicy"}  # by `ebb up`


def paths(thing, namespace):
    group = "/api/v1" if thing["apiVersion"] == "v1" else f"/apis/{thing['apiVersion']}"
    plural = thing["kind"].lower().removesuffix("y")
    plural += "ies" if thing["kind"].endswith("y") else "s"
    return f"{group}/namespaces/{namespace}/{plural}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_manifest_is_accepted(api, namespace, document):
    things = [
        thing
        for block in blocks(document, "yaml")
        for thing in yaml.safe_load_all(block)
        if thing["kind"] not in NOT_SERVED
    ]
    assert {"DownscalePolicy", "Deployment"} <= {thing["kind"] for thing in things}
    for thing in things:
        thing["metadata"]["namespace"] = namespace
        api.create(
            paths(thing, namespace), thing, fieldValidation="Strict", dryRun="All"
        )


def test_the_first_picker_of_the_guide_works(workload, tmp_path):
    port = free_port()
    program = tmp_path / "picker.py"
    (text,) = blocks(GUIDE, "python")
    assert "8080" in text
    program.write_text(text.replace("8080", str(port)), encoding="utf-8")
    picker = Child([sys.executable, str(program)], tmp_path / "log")
    try:
        url = f"http://127.0.0.1:{port}/pick"
        eventually(lambda: check(url).returncode == 0, timeout=20, interval=0.5)
        (manifest,) = [
            thing
            for block in blocks(GUIDE, "yaml")
            for thing in yaml.safe_load_all(block)
            if thing["kind"] == "Deployment"
        ]
        settings = manifest["spec"]["downscalePodPicker"]
        assert settings["http"].pop("port") == 8080
        settings["http"]["port"] = port
        names = workload.create(manifest["spec"]["replicas"], settings)
        assert workload.scale(4) == set(sorted(names, key=lambda name: name[::-1])[:-4])
    finally:
        picker.kill()


def check(url, *options):
    return subprocess.run(
        [BINARY, "picker-check", url, *options],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "example, scheme, options",
    [
        ("python-airflow", "http", ()),
        ("java-game-shards", "http", ()),
        ("typescript-regions", "http", ("--context=full",)),
        ("python-grpc", "grpc", ()),
    ],
)
def test_the_check_has_nothing_against_the_examples(pickers, tmp_path, example, scheme, options):
    (tmp_path / "loads.json").write_text("{}", encoding="utf-8")
    picker = pickers(
        ExamplePicker(
            example,
            tmp_path,
            AIRFLOW_DB=str(AirflowDatabase(tmp_path).path),
            LOADS=str(tmp_path / "loads.json"),
        )
    )
    path = "/pick" if scheme == "http" else ""
    # The first answer of a cold JVM can take longer than the second that is usual.
    done = check(f"{scheme}://127.0.0.1:{picker.port}{path}", "--timeout=10s", *options)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_exchanges_in_the_guide_are_real(workload, pickers):
    """The requests have the keys of real ones, and the answers are understood."""
    request, answer, full = (json.loads(text) for text in blocks(GUIDE, "json"))
    picker = pickers(RecordingPicker())
    workload.create(4, {**picker.http(), "context": "full"})
    workload.scale(3)
    ((_, body),) = picker.requests
    assert full.keys() == body.keys()
    assert request.keys() == body.keys() - {"candidates"}
    assert full["candidates"][0].keys() == body["candidates"][0].keys()
    assert answer.keys() == {"chosen_pods", "tied_pods"}
