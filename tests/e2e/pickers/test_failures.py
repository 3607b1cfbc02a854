"""A picker that fails: the scale-down continues in time, and the outcome is reported as a word of
a fixed list.
"""

import base64
import time

import pytest
from support.pickers import ExamplePicker, RecordingPicker

pytestmark = pytest.mark.ebb_only

TOKEN = "Bearer only-in-the-secret"


def with_token(picker, **reference):
    source = {"secretKeyRef": {"name": "picker", "key": "authorization", **reference}}
    return picker.http(httpHeaders=[{"name": "Authorization", "valueFrom": source}])


def test_a_killed_picker_leaves_the_default_order(workload, pickers, tmp_path):
    picker = pickers(ExamplePicker("java-game-shards", tmp_path))
    workload.create(4, {**picker.http(), "timeoutSeconds": 2})
    picker.kill()
    began = time.monotonic()
    assert len(workload.scale(2)) == 2
    assert time.monotonic() - began < 8
    workload.wait_event("PickerFailed", "refused")
    assert len(workload.events("DownscaleDecision")) == 1
    # It is asked again as soon as it is back.
    picker.start()
    workload.scale(4)
    workload.scale(3)
    assert "wanted=1" in picker.child.output()


def test_a_picker_that_never_answers_costs_its_time_and_no_more(workload, pickers):
    picker = pickers(RecordingPicker(lambda _: time.sleep(6) or (200, {})))
    workload.create(3, {**picker.http(), "timeoutSeconds": 1})
    began = time.monotonic()
    assert len(workload.scale(1)) == 2
    assert 1 <= time.monotonic() - began < 6
    workload.wait_event("PickerFailed", "timeout")


def test_a_picker_that_keeps_failing_is_left_alone_for_a_while(workload, pickers):
    picker = pickers(RecordingPicker(lambda _: (500, {})))
    workload.create(8, {**picker.http(), "maxRetries": 0})
    for replicas in (7, 6, 5, 4, 3):
        workload.scale(replicas)
    assert len(picker.requests) == 5
    workload.wait_event("PickerBreakerOpen", "")
    workload.scale(2)
    assert len(picker.requests) == 5


@pytest.mark.parametrize("example", ["python-airflow", "java-game-shards", "typescript-regions"])
def test_the_token_comes_from_a_secret(workload, pickers, tmp_path, example):
    """Each example refuses a wrong token, and takes the right one."""
    picker = pickers(ExamplePicker(example, tmp_path, PICKER_AUTHORIZATION=TOKEN))
    workload.create(4, {**with_token(picker), "context": "full"})
    workload.scale(3)
    workload.wait_event("PickerFailed", "secret missing")
    workload.add_secret("picker", authorization="Bearer wrong")
    workload.scale(2)
    workload.wait_event("PickerFailed", "status code")
    # A newline at the end, as editors leave it, is not part of it.
    right = base64.b64encode(f"{TOKEN}\n".encode()).decode()
    workload.api.patch(f"{workload.core}/secrets/picker", {"data": {"authorization": right}})
    workload.scale(4)
    told = len(workload.events("PickerFailed"))
    if example == "python-airflow":  # has no database here, and says so with a 503
        workload.scale(3)
        assert "does not answer" in picker.child.output() or "cannot read" in picker.child.output()
    else:
        workload.scale(3)
        assert len(workload.events("PickerFailed")) == told
    everything = str(workload.api.get(f"{workload.core}/events"))
    assert "only-in-the-secret" not in everything and "Bearer wrong" not in everything


def test_a_secret_that_may_be_missing(workload, pickers):
    picker = pickers(RecordingPicker())
    workload.create(3, with_token(picker, optional=True))
    workload.scale(2)
    ((headers, _),) = picker.requests
    assert "authorization" not in headers
    assert workload.events("PickerFailed") == []


def test_a_picker_over_grpc_gets_its_metadata_from_a_secret(workload, pickers, tmp_path):
    (tmp_path / "loads.json").write_text("{}", encoding="utf-8")
    picker = pickers(
        ExamplePicker(
            "python-grpc",
            tmp_path,
            LOADS=str(tmp_path / "loads.json"),
            PICKER_AUTHORIZATION=TOKEN,
        )
    )
    source = {"secretKeyRef": {"name": "picker", "key": "authorization"}}
    settings = picker.grpc(metadata=[{"name": "authorization", "valueFrom": source}])
    workload.add_secret("picker", authorization="Bearer wrong")
    names = workload.create(4, settings)
    workload.scale(3)
    workload.wait_event("PickerFailed", "status code")
    right = base64.b64encode(TOKEN.encode()).decode()
    workload.api.patch(f"{workload.core}/secrets/picker", {"data": {"authorization": right}})
    left = sorted(set(names) & set(workload.pods()))
    loads = {left[0]: 5, left[1]: 0, left[2]: 5}
    (tmp_path / "loads.json").write_text(str(loads).replace("'", '"'), encoding="utf-8")
    assert workload.scale(2) == {left[1]}
