"""Our custom kinds on a real API server, as deploy/crds.yaml has them."""

import yaml
from support.kube_api_server import REPOSITORY
from support.process import eventually

PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def definitions():
    text = (REPOSITORY / "deploy" / "crds.yaml").read_text(encoding="utf-8")
    return [thing for thing in yaml.safe_load_all(text) if thing]


def installed(api):
    names = {d["metadata"]["name"] for d in definitions()}
    return names & {d["metadata"]["name"] for d in api.get(PATH)["items"]}


def install(api):
    for definition in definitions():
        if definition["metadata"]["name"] not in installed(api):
            api.create(PATH, definition, fieldValidation="Strict")

    def served():
        for definition in definitions():
            status = api.get(f"{PATH}/{definition['metadata']['name']}").get("status", {})
            conditions = {c["type"]: c["status"] for c in status.get("conditions", [])}
            assert conditions.get("Established") == "True", status
        return api.request("GET", "/apis/ebb.dev/v1alpha1/downscalepolicies").code == 200

    eventually(served, timeout=30)


def remove(api):
    """With all objects of these kinds."""
    for name in installed(api):
        api.delete(f"{PATH}/{name}")
    eventually(lambda: not installed(api), timeout=60)
