import type { EgressFetch } from '@millwright/egress';

/** A data source's address, and the headers of each request to it. */
export interface DataSourceConfig {
  url: string;
  headers?: Record<string, string>;
}

/** Limits of the answer. The document becomes part of a conversation, so it must be small and must arrive quickly. */
const PROFILE = { timeoutMs: 5_000, maxBytes: 256 * 1024 };

export type DocumentFault = 'status' | 'not_json';

/** Error for a data source that answered with an error status, or without a JSON document. */
export class NotADocument extends Error {
  readonly fault: DocumentFault;

  constructor(fault: DocumentFault) {
    super('The data source did not answer with a JSON document.');
    this.name = 'NotADocument';
    this.fault = fault;
  }
}

/**
 * Returns the JSON document of a data source.
 *
 * @throws EgressError, NotADocument, or the signal's reason.
 */
export async function fetchDocument(
  fetch: EgressFetch,
  { url, headers }: DataSourceConfig,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    kind: 'plugin',
    headers: { accept: 'application/json', ...headers },
    profile: PROFILE,
    ...(signal && { signal }),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new NotADocument('status');
  }
  const text = await response.text();
  try {
    const document: unknown = JSON.parse(text);
    return document;
  } catch {
    throw new NotADocument('not_json');
  }
}
