"""kube-apiserver with deploy/crds.yaml accepts and refuses the same policies as `ebb up`."""

import base64

import pytest
from support.our_kinds import GROUP, serve_our_kinds
from support.api import MERGE_PATCH, TABLE
from support.process import eventually

pytestmark = pytest.mark.systems("ebb", "up")

PEM = base64.b64encode(
    b"-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n"
).decode()
SECRET = {"secretKeyRef": {"name": "picker", "key": "token"}}


@pytest.fixture
def policies(place):
    serve_our_kinds(place.system.server)
    return f"{GROUP}/namespaces/{place.namespace}/downscalepolicies"


def policy(spec):
    spec = {"targetRef": {"kind": "Deployment", "name": "web"}, **spec}
    return {
        "apiVersion": "ebb.dev/v1alpha1",
        "kind": "DownscalePolicy",
        "metadata": {"generateName": "p-"},
        "spec": {name: value for name, value in spec.items() if value is not None},
    }


def http(**fields):
    return {"podPicker": {"http": {"host": "picker.shop.svc", **fields}}}


def grpc(**fields):
    return {"podPicker": {"grpc": {"host": "picker.shop.svc", **fields}}}


def header(**fields):
    return http(httpHeaders=[{"name": "authorization", **fields}])


def metadata(name):
    return grpc(metadata=[{"name": name, "value": "v"}])


def strategy(name, args=None, **ranking):
    one = {"name": name} if args is None else {"name": name, "args": args}
    return {"ranking": {"strategies": [one], **ranking}}


RANKING = {"ranking": {"preset": "keep-zones-balanced"}}
TOO_LONG = "g" * 254 + "/" + "v" * 63


def target(kind="Deployment", api_version="apps/v1"):
    return {**RANKING, "targetRef": {"apiVersion": api_version, "kind": kind, "name": "web"}}


GOOD = [
    http(),
    grpc(),
    RANKING,
    {**http(), **RANKING},
    *(http(host=host) for host in ("p", "Picker.Example", "10.0.0.1", "fd00::1", "1.2.3.4.example")),
    *(http(port=port) for port in (1, 65535, "443")),
    *(http(scheme=scheme) for scheme in ("http", "HTTPS", "Https")),
    *(http(path=path) for path in ("/", "/pick?a=b&c=%20", "/~a")),
    header(value="Bearer x"),
    header(value=""),
    header(valueFrom=SECRET),
    header(value="", valueFrom=SECRET),
    header(valueFrom={"secretKeyRef": {**SECRET["secretKeyRef"], "optional": True}}),
    http(httpHeaders=[{"name": "a", "value": "v"}] * 64),
    http(
        scheme="HTTPS",
        caBundle=PEM,
        serverName="picker.example",
        clientCertificate={"secretRef": {"name": "picker-tls"}},
    ),
    grpc(tls=True, serverName="picker.example", caBundle=PEM, port=50051),
    metadata("x-tenant"),
    *({"podPicker": {**http()["podPicker"], **fields}} for fields in (
        {"timeoutSeconds": 30, "maxRetries": 0, "context": "full"},
        {"timeoutSeconds": 1, "maxRetries": 10, "context": "names"},
    )),
    *({"ranking": {"preset": preset}} for preset in ("empty-nodes", "cheapest-first")),
    *({"ranking": {"preset": "empty-nodes", "waitSeconds": seconds}} for seconds in (0, 3600)),
    {"ranking": {"strategies": [{"name": "TopologySpread", "weight": 1000000, "threshold": 0}] * 16}},
    {"ranking": {"strategies": [{"name": "Oldest", "weight": 0}], "publish": "PodDeletionCost"}},
    *(strategy(name) for name in ("AntiAffinity", "Youngest", "Pack", "NodeLeaving", "TopologySpread")),
    strategy("TopologySpread", {"topologyKey": "kubernetes.io/hostname"}),
    strategy("UntoleratedTaints", {"count": "preferred"}),
    strategy("NodeCost", {"label": "ebb.dev/price"}),
    strategy("NodeCost", {"prices": {"m5.large": 0.096, "m5.xlarge": 1}}),
    strategy("Weight", {"annotation": "shop/weight"}),
    strategy("AntiAffinity", publish="Annotation", exact=True),
    {**RANKING, "targetRef": {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1"}},
    *(target(api_version=version) for version in ("v1", "argoproj.io/v1alpha1", "a/b-c", "1.a/v1")),
    *(target(kind=kind) for kind in ("Rollout", "a", "My-Kind2", "K" * 63)),
]

BAD = [
    {},
    {"podPicker": {}},
    {"podPicker": {"http": {"host": "p"}, "grpc": {"host": "p"}}},
    {"podPicker": {"http": {}}},
    {**RANKING, "targetRef": None},
    {**RANKING, "targetRef": {"kind": "Deployment"}},
    {**RANKING, "targetRef": {"kind": "Deployment", "name": "Web"}},
    *(
        target(api_version=version)
        for version in ("/v1", "apps/", "a/b/v1", "Apps/v1", "apps/V1", "1", "v1-", TOO_LONG)
    ),
    *(target(kind=kind) for kind in ("", "1Kind", "-Kind", "Kind-", "My Kind", "a.b", "K" * 64)),
    *(
        http(host=host)
        for host in (
            "",
            "http://p",
            "p:80",
            "p/x",
            "p q",
            "user@p",
            "[::1]",
            "fe80::1%eth0",
            "a..b",
            "-a",
            "0177.0.0.1",
            "0x7f.1",
            "0x7f000001",
            "2130706433",
            "127.1",
            "256.1.1.1",
            "127.0.0.1.",
            "höhe.example",
        )
    ),
    *(http(port=port) for port in (0, 65536, -1, "0", "http", "", "080", "99999999")),
    http(scheme="ftp"),
    *(http(path=path) for path in ("pick", "/a b", "/a#b", "/a\r\nb", "/ö", "/" + "a" * 2048)),
    header(),
    header(value="v", valueFrom=SECRET),
    header(value="a\r\nb"),
    header(value="ö"),
    header(valueFrom={}),
    header(valueFrom={"secretKeyRef": {"name": "picker"}}),
    header(valueFrom={"secretKeyRef": {"name": "../x", "key": "token"}}),
    header(valueFrom={"secretKeyRef": {"name": "picker", "key": "a/b"}}),
    *(
        http(httpHeaders=[{"name": name, "value": "v"}])
        for name in (
            "",
            "a b",
            "a:",
            "Host",
            "CONTENT-LENGTH",
            "transfer-encoding",
            "Connection",
            "te",
            "Upgrade",
            "Expect",
            "Proxy-Authorization",
            "Content-Type",
            "Idempotency-Key",
            "User-Agent",
            "Accept-Encoding",
        )
    ),
    http(httpHeaders=[{"name": "a", "value": "v"}] * 65),
    http(serverName="q"),
    http(caBundle=PEM),
    http(clientCertificate={"secretRef": {"name": "picker-tls"}}),
    http(scheme="https", clientCertificate={"secretRef": {}}),
    http(scheme="https", serverName="10.0.0.1"),
    http(scheme="https", caBundle="%%%"),
    grpc(serverName="q"),
    grpc(tls=False, caBundle=PEM),
    *(metadata(name) for name in ("Authorization", "grpc-timeout", "trace-bin", ":path", "te")),
    *({"podPicker": {**http()["podPicker"], **fields}} for fields in (
        {"timeoutSeconds": 0},
        {"timeoutSeconds": 31},
        {"maxRetries": -1},
        {"maxRetries": 11},
        {"context": "all"},
    )),
    {"ranking": {}},
    {"ranking": {"strategies": []}},
    {"ranking": {"preset": "zones"}},
    {"ranking": {"preset": "empty-nodes", "strategies": [{"name": "Pack"}]}},
    *({"ranking": {"strategies": [{"name": "Pack", "weight": w}]}} for w in (-1, 1000001)),
    {"ranking": {"strategies": [{"name": "Pack", "threshold": -1}]}},
    {"ranking": {"strategies": [{"name": "Pack"}] * 17}},
    {"ranking": {"preset": "empty-nodes", "publish": "Letter"}},
    *({"ranking": {"preset": "empty-nodes", "waitSeconds": seconds}} for seconds in (-1, 3601)),
    *(strategy(name) for name in ("Taints", "pack", "", "NodeCost", "Weight")),
    strategy("TopologySpread", {"topologyKey": "a b"}),
    strategy("TopologySpread", {"topologyKey": ""}),
    strategy("TopologySpread", {"count": "all"}),
    strategy("UntoleratedTaints", {"count": "some"}),
    strategy("Pack", {"label": "a"}),
    strategy("NodeCost", {}),
    strategy("NodeCost", {"prices": {}}),
    strategy("NodeCost", {"prices": {"a": -1}}),
    strategy("NodeCost", {"prices": {"a": "1"}}),
    strategy("Weight", {"label": "a", "annotation": "b"}),
    strategy("AntiAffinity", publish="PodDeletionCost"),
    {
        "ranking": {
            "strategies": [{"name": "Pack"}, {"name": "AntiAffinity"}],
            "publish": "StatusField",
            "exact": False,
        }
    },
]


def test_good_policies_are_accepted(policies, api):
    refused = []
    for spec in GOOD:
        answer = api.request("POST", policies, policy(spec))
        if answer.code != 201:
            refused.append((spec, answer.body.decode()))
    assert not refused


def test_bad_policies_are_refused(policies, api):
    accepted = [
        spec for spec in BAD if api.request("POST", policies, policy(spec)).code not in (400, 422)
    ]
    assert not accepted


def test_refusals_name_the_place_and_no_values_of_headers(policies, api):
    spec = http(httpHeaders=[{"name": "Host", "value": "s3cret"}])
    answer = api.request("POST", policies, policy(spec)).json
    assert "spec.podPicker.http.httpHeaders[0]" in answer["message"]
    spec = http(port="http")
    answer = api.request("POST", policies, policy(spec)).json
    assert "spec.podPicker.http.port" in answer["message"]


def test_policies_get_their_defaults(policies, api):
    made = api.create(policies, policy({**http(), **RANKING}))
    picker, ranking = made["spec"]["podPicker"], made["spec"]["ranking"]
    assert (picker["context"], picker["timeoutSeconds"], picker["maxRetries"]) == ("names", 1, 3)
    assert (picker["http"]["scheme"], picker["http"]["path"]) == ("http", "/")
    assert ranking["publish"] == "PodGroupCost"
    assert (ranking["exact"], ranking["duringRollouts"]) == (False, False)
    assert "waitSeconds" not in ranking
    assert made["spec"]["targetRef"]["apiVersion"] == "apps/v1"


def test_misspelt_arguments_are_refused_with_strict_validation(policies, api):
    spec = strategy("TopologySpread", {"topologykey": "zone"})
    answer = api.request("POST", f"{policies}?fieldValidation=Strict", policy(spec))
    assert answer.code == 400
    assert "topologykey" in answer.body.decode()


def test_status_is_apart_and_conditions_are_merged_by_type(policies, api):
    made = api.create(policies, {**policy(http()), "status": {"observedGeneration": 7}})
    assert "observedGeneration" not in made.get("status", {})
    path = f"{policies}/{made['metadata']['name']}"
    condition = {
        "type": "Ready",
        "status": "True",
        "reason": "Accepted",
        "message": "in force",
        "lastTransitionTime": "2026-11-01T12:00:00Z",
        "observedGeneration": 1,
    }
    status = {"observedGeneration": 1, "conditions": [condition], "lastDecision": {"id": "x"}}
    changed = api.patch(f"{path}/status", {"status": status}, content_type=MERGE_PATCH)
    assert changed["status"] == status
    assert changed["metadata"]["generation"] == 1

    def change():
        """A controller may have its say in between."""
        bigger = api.get(path)
        bigger["spec"]["podPicker"]["maxRetries"] = 5
        bigger["status"] = {}
        return api.update(path, bigger)

    changed = eventually(change, 30)
    assert changed["status"]["lastDecision"] == {"id": "x"}
    assert changed["metadata"]["generation"] == 2


def test_kubectl_shows_and_explains_them(policies, api, kubectl):
    made = api.create(policies, policy(grpc()))
    name = made["metadata"]["name"]
    ready = {"type": "Ready", "status": "True", "reason": "Accepted", "message": ""}
    ready["lastTransitionTime"] = "2026-11-01T12:00:00Z"
    api.patch(f"{policies}/{name}/status", {"status": {"conditions": [ready]}})
    row = kubectl("get", "dsp", name).out
    assert "picker.shop.svc" in row
    assert "True" in row
    assert "web" in row
    assert "host" in kubectl("explain", "downscalepolicy.spec.podPicker.http").out
    table = api.get(f"{policies}/{name}", accept=TABLE)
    columns = {column["name"] for column in table["columnDefinitions"]}
    assert {"Name", "Target", "Picker", "Ranking", "Ready", "Ranked", "Age", "Publish"} <= columns


def test_ranks_are_numbers_of_32_bits(policies, api, place):
    path = f"{GROUP}/namespaces/{place.namespace}/podgroupcosts"

    def create(name, costs, **spec):
        spec = {"owner": {"kind": "ReplicaSet", "name": "web-1", "uid": "u"}, "costs": costs, **spec}
        body = {"apiVersion": "ebb.dev/v1alpha1", "kind": "PodGroupCost", "spec": spec}
        return api.request("POST", path, {**body, "metadata": {"name": name}}).code

    assert create("good", {"web-1-a": 2147483647, "web-1-b": -2147483648}) == 201
    assert create("none", {}) == 201
    assert create("high", {"web-1-a": 2147483648}) in (400, 422)
    assert create("text", {"web-1-a": "5"}) in (400, 422)
    assert create("orphan", {}, owner={"kind": "Pod", "name": "a"}) == 422
