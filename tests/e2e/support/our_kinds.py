"""The kinds of ebb.dev on an API server that does not have them built in."""

import yaml
from support.kube_api_server import REPOSITORY
from support.process import eventually

GROUP = "/apis/ebb.dev/v1alpha1"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def serve_our_kinds(server):
    """Applies deploy/crds.yaml, unless it is applied, and waits until the kinds are served."""
    if not server.real:
        return
    text = (REPOSITORY / "deploy" / "crds.yaml").read_text(encoding="utf-8")
    for definition in yaml.safe_load_all(text):
        answer = server.api.request("POST", DEFINITIONS, definition)
        assert answer.code in (201, 409), answer.body.decode()
        plural = definition["spec"]["names"]["plural"]
        eventually(
            lambda plural=plural: server.api.request("GET", f"{GROUP}/{plural}").code == 200,
            timeout=30,
        )


def take_our_kinds_away(server):
    """With all objects of these kinds."""
    plurals = ("downscaledecisions", "downscalepolicies", "podgroupcosts")
    ours = {f"{plural}.ebb.dev" for plural in plurals}

    def left():
        return ours & {d["metadata"]["name"] for d in server.api.get(DEFINITIONS)["items"]}

    for name in left():
        server.api.delete(f"{DEFINITIONS}/{name}")
    eventually(lambda: not left(), timeout=60)
