"""A pod picker over gRPC: the pods with the lowest load go first.

The loads are in a JSON file, {"pod name": number}; a pod that is not in it has load 0. The file is
read for every request, and no state is kept: the same loads give the same answer.
"""

import concurrent.futures
import hmac
import json
import os
import pathlib
import sys

import grpc

# At the start, grpcio-tools generates the code for the messages from api/picker/v1/picker.proto. It
# looks for the file in the folders of sys.path.
PROTO = pathlib.Path(__file__).resolve().parents[3] / "api" / "picker" / "v1" / "picker.proto"
sys.path.append(os.environ.get("PROTO_FOLDER", str(PROTO.parent)))
messages, services = grpc.protos_and_services(PROTO.name)

LOADS = os.environ.get("LOADS", "loads.json")
# The expected value of the metadata `authorization` ("Bearer ..."). If empty, all clients are admitted.
AUTHORIZATION = os.environ.get("PICKER_AUTHORIZATION", "").strip()


class Picker(services.PodPickerServicer):
    def Pick(self, request, context):
        given = dict(context.invocation_metadata()).get("authorization", "")
        if AUTHORIZATION and not hmac.compare_digest(given.encode(), AUTHORIZATION.encode()):
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "wrong or no authorization")
        try:
            loads = json.loads(pathlib.Path(LOADS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            # Report the failure rather than guess: ebb retries, then uses the default order.
            context.abort(grpc.StatusCode.UNAVAILABLE, "the loads cannot be read")
        load = {pod: loads.get(pod, 0) for pod in request.candidate_pods}
        wanted = min(request.number_of_pods_requested, len(load))
        if wanted < 1:
            return messages.PickResponse()
        limit = sorted(load.values())[wanted - 1]
        # All pods below the limit have to go. Of those at the limit only some, whichever they are.
        return messages.PickResponse(
            chosen_pods=[pod for pod in load if load[pod] < limit],
            tied_pods=[pod for pod in load if load[pod] == limit],
        )


if __name__ == "__main__":
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=8))
    services.add_PodPickerServicer_to_server(Picker(), server)
    host, port = os.environ.get("HOST", "0.0.0.0"), os.environ.get("PORT", "50051")
    server.add_insecure_port(f"{host}:{port}")
    server.start()
    server.wait_for_termination()
