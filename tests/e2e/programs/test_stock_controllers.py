"""kube-controller-manager as it is, which speaks protobuf, on `ebb up` without controllers."""

import pytest
from rig.controllers import StockControllers
from rig.place import Place
from rig.systems import UpSystem
from support.names import make_namespace
from support.process import eventually

pytestmark = [pytest.mark.own_system("clients"), pytest.mark.systems("up")]


class StockWithCollector(StockControllers):
    controllers = "replicaset-controller,deployment-controller,garbage-collector-controller"


@pytest.fixture
def place(system_name, request):
    folder = request.config.logs / f"stock-on-{system_name}"
    with UpSystem(folder, controllers="") as system:
        with StockWithCollector(system.server, folder):
            yield Place(system, make_namespace(system.server.api, "stock"))


def test_the_stock_controllers_scale_and_roll_out(place):
    place.deployment("web", 0)
    place.scale("deployments", "web", 50)
    place.wait_complete("web", 50)
    place.set_image("web", "registry.example/web:2")
    eventually(lambda: one_image(place), timeout=120)
    place.wait_complete("web", 50)
    place.scale("deployments", "web", 5)
    place.wait_complete("web", 5)
    assert len(place.active()) == 5

    place.api.delete(f"{place.apps}/deployments/web", propagationPolicy="Foreground")
    eventually(lambda: nothing_left(place), timeout=60)


def one_image(place):
    images = {p["spec"]["containers"][0]["image"] for p in place.active()}
    return images == {"registry.example/web:2"}


def nothing_left(place):
    kinds = ("deployments", "replicasets")
    left = [thing for kind in kinds for thing in place.api.get(f"{place.apps}/{kind}")["items"]]
    return not left and not place.active()
