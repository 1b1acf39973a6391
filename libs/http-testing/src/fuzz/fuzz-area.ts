import fc from 'fast-check';
import { inlineSchemas, type ApiDocument } from '@millwright/http/reference';
import { createHttpClient, type ClientAnswer } from '@millwright/testing';
import { createAnswerCheck } from './check-answer.js';
import { withExamples, type Examples } from './examples.js';
import { endpointsOf, requestsTo, type FuzzRequest } from './requests.js';
import { KNOWN_ID } from './values.js';

export interface FuzzTarget {
  /** The OpenAPI document that the service serves. */
  document: object;
  /** URL of the service, without a slash at its end. */
  baseUrl: string;
  /** Headers of a credential that has every right. */
  credential: Readonly<Record<string, string>>;
  /** Number of requests, spread over all operations. */
  requests: number;
  /** The seed of the generated values. */
  seed: number;
  /** Ids that are known at the start, by the path of their collection. */
  known?: Readonly<Record<string, readonly string[]>>;
  /** Example values for fields with rules that a schema cannot express. */
  examples?: Examples;
}

export interface FuzzReport {
  sent: number;
  operations: number;
  /** Number of answers, by kind of request and status. */
  answers: Record<string, number>;
  /** Operations for which no request of the kind `valid` succeeded. */
  neverSucceeded: string[];
}

/**
 * Sends generated requests to every operation of a document: valid, nearly valid and hostile requests. Later requests
 * use ids from earlier answers.
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
  const api = withExamples(inlineSchemas(document) as ApiDocument, examples);
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

  // Each operation gets the same number of requests. Later rounds use the records that earlier rounds create.
  const round = fc.tuple(...endpoints.map((endpoint) => requestsTo(api, endpoint)));
  for (let n = 0; n < Math.ceil(requests / endpoints.length); n += 1) {
    for (const request of fc.sample(round, { numRuns: 1, seed: seed + n }).flat()) await check(request);
  }
  return {
    ...report,
    neverSucceeded: endpoints.map(({ operation }) => operation.operationId).filter((id) => !succeeded.has(id)),
  };
}

/** Ids by the path of their collection, read from `Location` headers and from created records. */
function createIdPool(known: FuzzTarget['known']) {
  const pools = new Map(Object.entries(known ?? {}).map(([path, ids]) => [path, [...ids]]));
  const pick = (collection: string, kind: string, n: number): string => {
    const ofKind = [...pools].find(([path]) => path.endsWith(`/${kind}s`))?.[1];
    // One request in eight uses an id of any kind of record.
    const own = n % 8 === 0 ? undefined : (pools.get(collection) ?? ofKind);
    const from = own ?? [...pools.values()].flat();
    return from[n % Math.max(from.length, 1)] ?? 'none';
  };
  return {
    learn(method: string, sentTo: string, { status, headers, body }: ClientAnswer): void {
      if (method === 'DELETE' && status < 300) {
        const gone = sentTo.split('?', 1)[0]?.split('/').at(-1);
        for (const [collection, kept] of pools)
          pools.set(
            collection,
            kept.filter((id) => id !== gone),
          );
      }
      if (status !== 201) return;
      // An answer that only assigns a record to another record has no `Location` header. The path then consists of the
      // path of the request and the id in the answer.
      const path =
        headers.get('location') ?? `${sentTo.split('?', 1)[0]}/${(body as { id?: string } | undefined)?.id ?? ''}`;
      const [collection, id] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
      if (id !== '') pools.set(collection, [...(pools.get(collection) ?? []), id].slice(-50));
    },
    /**
     * Replaces the placeholders of a text by ids. In a path, the text before a placeholder names the collection from
     * which the id is taken, so placeholders are replaced from left to right.
     */
    fill(text: string): string {
      let filled = '';
      let end = 0;
      for (const { 0: marker, 1: kind = '', 2: n, index } of text.matchAll(KNOWN_ID)) {
        filled += text.slice(end, index);
        const collection = text.startsWith('/') ? filled.slice(0, filled.lastIndexOf('/')) : '';
        filled += pick(collection, kind, Number(n));
        end = index + marker.length;
      }
      return filled + text.slice(end);
    },
  };
}
