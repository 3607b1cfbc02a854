// A pod picker that keeps the shares of a service's regions: regions with too many pods lose pods
// first, and the last pod of a region goes last.
//
// With `context: full` the request contains the zone of each candidate, so the picker needs no access
// to the cluster. It keeps no state: the same request always has the same answer.

import { timingSafeEqual } from "node:crypto";
import { createServer, IncomingMessage, ServerResponse } from "node:http";

// The share of each region, by the prefix of its zones: {"eu-": 2, "us-": 1} asks for twice as many
// pods in eu-west-1a, eu-north-1b, ... as in us-east-1a, ...
type Shares = Record<string, number>;

interface Candidate {
  name: string;
  zone: string;
  age_seconds: number;
}

interface Answer {
  chosen_pods: string[];
  tied_pods: string[];
}

// Pods in a zone without a share belong to region "", whose share is 0.
function regionOf(zone: string, shares: Shares): string {
  return Object.keys(shares).find((prefix) => zone.startsWith(prefix)) ?? "";
}

export function pick(wanted: number, candidates: Candidate[], shares: Shares): Answer {
  const regions = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const region = regionOf(candidate.zone, shares);
    regions.set(region, [...(regions.get(region) ?? []), candidate]);
  }
  // Within a region the oldest pods stay, because their caches are warm. The name breaks ties.
  for (const pods of regions.values()) {
    pods.sort((a, b) => b.age_seconds - a.age_seconds || (a.name < b.name ? -1 : 1));
  }

  // Choose one pod at a time: from the region that, without the pod, would still have the most pods
  // for its share; among regions that would have none, from the one with the smallest share. No pods
  // are tied, because the order would then choose among regions.
  const share = (region: string) => shares[region] ?? 0;
  const left = (region: string, pods: Candidate[]) =>
    share(region) > 0 ? (pods.length - 1) / share(region) : Infinity;
  const fuller = (a: [string, Candidate[]], b: [string, Candidate[]]) =>
    left(...a) - left(...b) || share(b[0]) - share(a[0]);
  const chosen: string[] = [];
  while (chosen.length < Math.min(wanted, candidates.length)) {
    const [region, pods] = [...regions].reduce((a, b) => (fuller(b, a) > 0 ? b : a));
    chosen.push(pods.pop()!.name);
    if (pods.length === 0) regions.delete(region);
  }
  return { chosen_pods: chosen, tied_pods: [] };
}

const shares: Shares = JSON.parse(process.env.REGION_SHARES ?? "{}");
// The expected value of the header Authorization ("Bearer ..."). If empty, all clients are admitted.
const authorization = Buffer.from((process.env.PICKER_AUTHORIZATION ?? "").trim());

function authorized(request: IncomingMessage): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  return (
    authorization.length === 0 ||
    (given.length === authorization.length && timingSafeEqual(given, authorization))
  );
}

function respond(response: ServerResponse, code: number, content: object): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(content));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  if (request.url === "/healthz") return respond(response, 200, {});
  if (request.method !== "POST") return respond(response, 405, { error: "POST a picker request" });
  if (!authorized(request)) return respond(response, 401, { error: "wrong or no Authorization" });
  let pickRequest: any;
  try {
    pickRequest = JSON.parse(body);
  } catch {
    return respond(response, 400, { error: "not JSON" });
  }
  if (!Array.isArray(pickRequest?.candidates)) {
    // Refuse rather than guess: ebb does not retry after a 400, and records it.
    return respond(response, 400, { error: "no candidates; is `context: full` set?" });
  }
  const wanted = Number(pickRequest.number_of_pods_requested) || 0;
  const result = pick(wanted, pickRequest.candidates, shares);
  console.log(`${wanted} wanted: ${result.chosen_pods}`);
  respond(response, 200, result);
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
}).listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? "0.0.0.0");
