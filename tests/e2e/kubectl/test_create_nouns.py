"""kubectl create deployment, namespace, ...: these send protobuf."""

import base64

from support.process import eventually


def test_create_deployment(kubectl):
    told = kubectl("create", "deployment", "web", "--image=registry.example/web:1", "--replicas=3")
    assert told.out == "deployment.apps/web created\n"
    spec = kubectl.json("get", "deployment", "web")["spec"]
    assert spec["replicas"] == 3
    assert spec["selector"]["matchLabels"] == {"app": "web"}
    container = spec["template"]["spec"]["containers"][0]
    assert (container["name"], container["image"]) == ("web", "registry.example/web:1")
    assert container["imagePullPolicy"] == "IfNotPresent"
    assert spec["strategy"]["rollingUpdate"] == {"maxSurge": "25%", "maxUnavailable": "25%"}


def test_create_deployment_with_a_port_and_a_command(kubectl):
    kubectl(
        "create", "deployment", "web", "--image=registry.example/web:1", "--port=8080",
        "--", "run", "fast",
    )  # fmt: skip
    container = kubectl.json("get", "deployment", "web")["spec"]["template"]["spec"]["containers"][
        0
    ]
    assert container["ports"] == [{"containerPort": 8080, "protocol": "TCP"}]
    assert container["command"] == ["run", "fast"]


def test_create_namespace(kubectl, namespace):
    name = f"{namespace}-more"
    assert kubectl("create", "namespace", name).out == f"namespace/{name} created\n"
    assert kubectl.json("get", "namespace", name)["status"] == {"phase": "Active"}
    again = kubectl.fails("create", "namespace", name)
    assert f'namespaces "{name}" already exists' in again.err
    kubectl("delete", "namespace", name, "--wait=false")


def test_create_secret(kubectl):
    kubectl("create", "secret", "generic", "s", "--from-literal=user=é", "--from-literal=empty=")
    stored = kubectl.json("get", "secret", "s")
    assert base64.b64decode(stored["data"]["user"]).decode() == "é"
    assert stored["data"]["empty"] == ""
    assert stored["type"] == "Opaque"
    kubectl(
        "create", "secret", "docker-registry", "r", "--docker-server=registry.example",
        "--docker-username=u", "--docker-password=p",
    )  # fmt: skip
    assert kubectl.json("get", "secret", "r")["type"] == "kubernetes.io/dockerconfigjson"


def test_create_configmap(kubectl, tmp_path):
    (tmp_path / "bytes").write_bytes(b"\x00\xff")
    kubectl("create", "configmap", "c", "--from-literal=a=b", f"--from-file={tmp_path / 'bytes'}")
    stored = kubectl.json("get", "configmap", "c")
    assert stored["data"] == {"a": "b"}
    assert stored["binaryData"] == {"bytes": "AP8="}


def test_create_serviceaccount_and_service(kubectl):
    assert kubectl("create", "serviceaccount", "me").out == "serviceaccount/me created\n"
    kubectl("create", "service", "clusterip", "web", "--tcp=80:8080", "--clusterip=None")
    ports = kubectl.json("get", "service", "web")["spec"]["ports"]
    assert [(p["port"], p["targetPort"]) for p in ports] == [(80, 8080)]


def test_errors_have_the_same_messages(kubectl):
    told = kubectl.fails("create", "configmap", "NO", "--from-literal=a=b")
    assert 'ConfigMap "NO" is invalid: metadata.name: Invalid value: "NO"' in told.err


def test_run_and_expose(kubectl):
    kubectl("run", "one", "--image=registry.example/web:1", "--port=80", "--labels=a=b")
    kubectl("expose", "pod", "one", "--name=svc", "--port=80", "--cluster-ip=None")
    assert kubectl.json("get", "service", "svc")["spec"]["selector"]["a"] == "b"
    eventually(
        lambda: kubectl("wait", "pod/one", "--for=condition=Ready", "--timeout=20s"), timeout=30
    )
