import fc from 'fast-check';
import type { ApiDocument } from '../reference/document.js';
import { createHttpClient, type ClientAnswer } from '../sweep/index.js';
import { createAnswerCheck } from './check-answer.js';
import { withExamples, type Examples } from './examples.js';
import { endpointsOf, requestsTo, type FuzzRequest } from './requests.js';
import { KNOWN_ID } from './values.js';

export interface FuzzTarget {
  /** The area's OpenAPI document, as it serves it. */
  document: object;
  /** Without a slash at its end. */
  baseUrl: string;
  /** Headers of a credential that may do everything. */
  credential: Readonly<Record<string, string>>;
  /** How many requests are sent, spread over all operations. */
  requests: number;
  /** Decides what is generated. */
  seed: number;
  /** Ids to begin with, by the path of their collection. */
  known?: Readonly<Record<string, readonly string[]>>;
  /** Where the service asks for more than its document can say. */
  examples?: Examples;
}

export interface FuzzReport {
  sent: number;
  operations: number;
  /** Answers by kind of request and status class: `valid 2xx`. */
  answers: Record<string, number>;
  /** Operations that no request of the kind `valid` succeeded at. */
  neverSucceeded: string[];
}

/**
 * Sends generated requests to every operation of a document: valid, nearly valid and hostile ones. Ids that answers give are
 * used by later requests.
 *
 * @throws Error with the first request whose answer is a server error or differs from the document.
 */
export async function fuzzArea({
  document,
  baseUrl,
  credential,
  requests,
  seed,
  known = {},
  examples = {},
}: FuzzTarget): Promise<FuzzReport> {
  const api = withExamples(document as ApiDocument, examples);
  const endpoints = endpointsOf(api);
  const faultsOf = createAnswerCheck(api);
  const ids = createIdPool(known);
  const anonymous = createHttpClient(baseUrl);
  const client = createHttpClient(baseUrl, credential);
  const succeeded = new Set<string>();
  const report = { sent: 0, operations: endpoints.length, answers: {} as Record<string, number> };

  const check = async (request: FuzzRequest) => {
    const { endpoint, headers, kind } = request;
    const path = ids.fill(request.path);
    const body = request.body === undefined ? undefined : ids.fill(request.body);
    const answer = await (request.anonymous ? anonymous : client)(endpoint.method, path, { body, headers });
    report.sent += 1;
    const outcome = `${kind} ${Math.floor(answer.status / 100)}xx`;
    report.answers[outcome] = (report.answers[outcome] ?? 0) + 1;
    if (kind === 'valid' && answer.status < 300) succeeded.add(endpoint.operation.operationId);
    ids.learn(endpoint.method, path, answer);
    const faults = faultsOf(endpoint, request, answer);
    if (faults.length > 0)
      throw new Error(
        `${endpoint.method} ${path} ${JSON.stringify(headers)} ${body?.slice(0, 2_000) ?? ''}\n${faults.join('\n')}\nseed ${seed}`,
      );
  };

  // Each operation gets its share; what the first rounds create, the others use.
  const round = fc.tuple(...endpoints.map((endpoint) => requestsTo(api, endpoint)));
  for (let n = 0; n < Math.ceil(requests / endpoints.length); n += 1) {
    for (const request of fc.sample(round, { numRuns: 1, seed: seed + n }).flat()) await check(request);
  }
  return {
    ...report,
    neverSucceeded: endpoints.map(({ operation }) => operation.operationId).filter((id) => !succeeded.has(id)),
  };
}

/** Ids by the path of their collection, as `Location` and list items tell them. */
function createIdPool(known: FuzzTarget['known']) {
  const pools = new Map(Object.entries(known ?? {}).map(([path, ids]) => [path, [...ids]]));
  const pick = (collection: string, kind: string, n: number): string => {
    const ofKind = [...pools].find(([path]) => path.endsWith(`/${kind}s`))?.[1];
    // One in eight is an id of any kind.
    const own = n % 8 === 0 ? undefined : (pools.get(collection) ?? ofKind);
    const from = own ?? [...pools.values()].flat();
    return from[n % Math.max(from.length, 1)] ?? 'none';
  };
  return {
    learn(method: string, sentTo: string, { status, headers }: ClientAnswer): void {
      if (method === 'DELETE' && status < 300) {
        const gone = sentTo.split('?', 1)[0]?.split('/').at(-1);
        for (const [collection, kept] of pools)
          pools.set(
            collection,
            kept.filter((id) => id !== gone),
          );
      }
      const path = headers.get('location');
      if (status !== 201 || path === null) return;
      const collection = path.slice(0, path.lastIndexOf('/'));
      pools.set(collection, [...(pools.get(collection) ?? []), path.slice(path.lastIndexOf('/') + 1)].slice(-50));
    },
    fill: (text: string) =>
      text.replaceAll(KNOWN_ID, (_marker, kind: string, n: string, at: number, whole: string) => {
        const collection = whole.startsWith('/') ? whole.slice(0, whole.lastIndexOf('/', at)) : '';
        return pick(collection, kind, Number(n));
      }),
  };
}
