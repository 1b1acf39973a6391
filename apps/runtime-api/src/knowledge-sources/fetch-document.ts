import { EgressError, type Egress, type EgressAnswer, type EgressFailure } from '@millwright/egress';
import { serviceVersion } from '@millwright/http/process';
import { MAX_FILE_MIB } from '../knowledge/knowledge.contract.js';
import { FETCH_SECONDS, MAX_REDIRECTS, type FetchFailure } from './knowledge-sources.contract.js';
import { isSupportedType, toUtf8 } from './document-type.js';

/**
 * The headers `ETag` and `Last-Modified` of the last answer, and the address that sent them. A server that gets them back reports whether the
 * document has changed.
 */
export interface Validators {
  etag: string | null;
  last_modified: string | null;
  final_url: string | null;
}

export interface FetchedDocument extends Validators {
  bytes: Uint8Array;
  contentType: string;
  /** Last part of the URL's path. Its file extension may name the format. */
  name: string;
}

/** Thrown when a fetch returns no document. */
export class NotFetched extends Error {
  readonly failure: FetchFailure;
  readonly status: number | null;

  constructor(failure: FetchFailure, status: number | null = null) {
    super(`not fetched: ${failure} ${status ?? ''}`);
    this.failure = failure;
    this.status = status;
  }

  /** Whether the same request may soon succeed. */
  get isTransient(): boolean {
    const { status } = this;
    if (status !== null) return status >= 500 || [408, 425, 429].includes(status);
    return ['unresolvable', 'no_answer', 'timed_out'].includes(this.failure);
  }
}

const FAILURES: Readonly<Record<EgressFailure, FetchFailure>> = {
  refused: 'refused',
  unresolvable: 'unresolvable',
  busy: 'no_answer',
  timeout: 'timed_out',
  too_large: 'too_many_bytes',
  network: 'no_answer',
};

const HEADERS = {
  accept:
    'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/pdf;q=0.9, application/vnd.openxmlformats-officedocument.wordprocessingml.document;q=0.9, */*;q=0.1',
  'user-agent': `Millwright/${serviceVersion} (knowledge source)`,
};
/** Limits of stored header values. */
const MAX_ETAG = 500;
const MAX_DATE = 100;
const MAX_URL = 4_000;

export interface FetchOptions {
  request: Egress['request'];
  /** Project whose share of outbound connections the fetch uses. */
  project: string;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  maxBytes?: number;
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);

function redirectTarget(answer: EgressAnswer, from: URL): URL {
  const location = answer.headers.get('location');
  const target = location === null ? null : URL.parse(location, from.href);
  if (!target || target.href.length > MAX_URL) throw new NotFetched('redirects');
  target.hash = '';
  return target;
}

async function readAll(answer: EgressAnswer): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body ?? []) chunks.push(chunk);
  // Copies the bytes, because a small Buffer is a part of a larger one that other code uses too.
  return new Uint8Array(Buffer.concat(chunks));
}

const upTo = (text: string | null, most: number) => (text !== null && text.length <= most ? text : null);

/**
 * Fetches one document. Egress checks the address of each redirect.
 *
 * @returns undefined when the server reports that the document has not changed since `known`
 * @throws NotFetched when the server returns no document; the signal's reason when the signal aborts
 */
export async function fetchDocument(
  address: string,
  known: Validators,
  { request, project, signal, timeoutMs = FETCH_SECONDS * 1_000, maxBytes = MAX_FILE_MIB * 1_048_576 }: FetchOptions,
): Promise<FetchedDocument | undefined> {
  const endsAt = performance.now() + timeoutMs;
  let url = new URL(address);
  try {
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const conditions = url.href === known.final_url ? conditionsOf(known) : {};
      const answer = await request(url, {
        ...{ kind: 'knowledge', share: project, redirect: 'manual', signal: signal ?? null },
        headers: { ...HEADERS, ...conditions },
        profile: { timeoutMs: Math.max(1, endsAt - performance.now()), maxBytes },
      });
      if (isRedirect(answer.status)) {
        await answer.body?.cancel();
        url = redirectTarget(answer, url);
        continue;
      }
      if (answer.status === 304 && Object.keys(conditions).length > 0) return undefined;
      return await documentOf(answer, url);
    }
  } catch (error) {
    if (error instanceof EgressError) throw new NotFetched(FAILURES[error.kind]);
    throw error;
  }
  throw new NotFetched('redirects');
}

const conditionsOf = ({ etag, last_modified }: Validators): Record<string, string> => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(last_modified !== null && { 'if-modified-since': last_modified }),
});

async function documentOf(answer: EgressAnswer, url: URL): Promise<FetchedDocument> {
  const refuse = async (failure: FetchFailure, status: number | null = null): Promise<never> => {
    await answer.body?.cancel();
    throw new NotFetched(failure, status);
  };
  if (answer.status !== 200) return refuse('status', answer.status);
  const contentType = answer.headers.get('content-type') ?? '';
  const name = url.pathname.split('/').at(-1) ?? '';
  if (!isSupportedType(contentType, name)) return refuse('type');
  const bytes = toUtf8(await readAll(answer), contentType);
  return {
    ...{ bytes, contentType, name },
    etag: upTo(answer.headers.get('etag'), MAX_ETAG),
    last_modified: upTo(answer.headers.get('last-modified'), MAX_DATE),
    final_url: url.href,
  };
}
