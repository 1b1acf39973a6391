import { EgressError, type EgressFailure, type EgressFetch } from '@millwright/egress';
import { CURSOR_CHARACTERS, type FoundEntries, type RegistryQuery } from './mcp-registry.contract.js';
import { readEntry, RegistryPage } from './registry-entries.js';

/** Limits of one answer of the registry. */
const PROFILE = { timeoutMs: 5_000, maxBytes: 2 * 1024 * 1024 };

const FAILURES: Readonly<Record<EgressFailure | 'status' | 'form', string>> = {
  refused: 'The registry redirects, or may not be called by the rules for outgoing calls.',
  unresolvable: "The registry's host name does not resolve.",
  busy: 'Too many calls of the registry are under way.',
  timeout: 'The registry did not answer in time.',
  too_large: 'The answer of the registry is larger than allowed.',
  network: 'The registry cannot be reached.',
  status: 'The registry answered with an error.',
  form: 'The registry did not answer in the form of an MCP registry.',
};

/** Returns the result for a failure. It contains no text of the registry's answer. */
const failed = (failure: keyof typeof FAILURES): FoundEntries => ({
  ...{ items: [], skipped: 0, next_cursor: null },
  error: FAILURES[failure],
});

/** Reads pages of the official MCP registry's API (v0.1) at a base address. */
export function createRegistryReader(fetch: EgressFetch, base: string) {
  async function answerOf({ search, cursor, limit }: RegistryQuery, share: string): Promise<string | undefined> {
    const parameters = new URLSearchParams({
      ...{ version: 'latest', limit: String(limit) },
      ...(search !== undefined && { search }),
      ...(cursor !== undefined && { cursor }),
    });
    const response = await fetch(`${base}/v0.1/servers?${parameters.toString()}`, {
      headers: { accept: 'application/json' },
      ...{ kind: 'mcp', share, profile: PROFILE },
    });
    if (response.status === 200) return response.text();
    await response.body?.cancel();
    return undefined;
  }

  /** @param share the owner of the request, such as a project. Each owner has a share of the connections. */
  return async (query: RegistryQuery, share: string): Promise<FoundEntries> => {
    try {
      const answer = await answerOf(query, share);
      return answer === undefined ? failed('status') : readPage(answer);
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return failed(error.kind);
    }
  };
}

function readPage(answer: string): FoundEntries {
  const { data } = RegistryPage.safeParse(parsed(answer));
  if (!data) return failed('form');
  const entries = (data.servers ?? []).map(readEntry);
  const next = data.metadata?.nextCursor;
  return {
    items: entries.filter((entry) => typeof entry !== 'string'),
    skipped: entries.filter((entry) => entry === 'malformed').length,
    next_cursor: next === undefined || next === '' || next.length > CURSOR_CHARACTERS ? null : next,
    error: null,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
