// A pod picker that keeps the regions of a service within their shares: pods go where there are
// too many, and the last pod of a region goes last.
//
// With `context: full` the question says where each candidate runs, so this needs no access to the
// cluster. It keeps nothing: the same question has the same answer, however often it is asked.

import { timingSafeEqual } from "node:crypto";
import { createServer, IncomingMessage, ServerResponse } from "node:http";

// By the beginning of the zone: {"eu-": 2, "us-": 1} wants twice as many pods in eu-west-1a,
// eu-north-1b, ... as in us-east-1a, ...
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

// Pods of a zone that stands nowhere belong to region "", whose share is nothing.
function regionOf(zone: string, shares: Shares): string {
  return Object.keys(shares).find((prefix) => zone.startsWith(prefix)) ?? "";
}

export function pick(wanted: number, candidates: Candidate[], shares: Shares): Answer {
  const regions = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const region = regionOf(candidate.zone, shares);
    regions.set(region, [...(regions.get(region) ?? []), candidate]);
  }
  // Within a region the oldest pods stay: their caches are warm. The name makes it one order.
  for (const pods of regions.values()) {
    pods.sort((a, b) => b.age_seconds - a.age_seconds || (a.name < b.name ? -1 : 1));
  }

  // One by one from the region that would still have the most for its share without that pod; of
  // regions that would have nothing, from the one with the smallest share. Nothing is tied: any pod
  // of a tie could be of another region than was counted on.
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
// What the header Authorization has to be, all of it ("Bearer ..."). Empty: everybody may ask.
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
  if (request.method !== "POST") return respond(response, 405, { error: "POST a question" });
  if (!authorized(request)) return respond(response, 401, { error: "wrong or no Authorization" });
  let question: any;
  try {
    question = JSON.parse(body);
  } catch {
    return respond(response, 400, { error: "not JSON" });
  }
  if (!Array.isArray(question?.candidates)) {
    // Refused, not guessed: 400 is not asked again, and shows in the decision record.
    return respond(response, 400, { error: "no candidates; is `context: full` set?" });
  }
  const result = pick(Number(question.number_of_pods_requested) || 0, question.candidates, shares);
  console.log(`${question.number_of_pods_requested} wanted: ${result.chosen_pods}`);
  respond(response, 200, result);
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
}).listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? "0.0.0.0");
