import { fetchDocument, NotADocument, type DataSourceConfig } from '@millwright/catalog';
import { EgressError, type EgressFetch } from '@millwright/egress';
import { invalidField } from '@millwright/errors';

/** Result of a check, as answers contain it. All texts are constants, so that no answer repeats what an upstream sent. */
export interface Reachability {
  reachable: boolean;
  last_error: string | null;
  last_checked_at: Date;
}

/** The reason is the same for every forbidden address, so that the answer reveals nothing about our network. */
const REFUSED = 'must be an https address on the public internet that does not redirect';

const FAULTS = {
  // A host name may be created after the plugin is installed; each connection checks the address again.
  unresolvable: 'The host name does not resolve.',
  busy: 'Too many calls of the upstream are under way.',
  timeout: 'The upstream did not answer in time.',
  too_large: 'The answer of the upstream is larger than allowed.',
  network: 'The upstream cannot be reached.',
  status: 'The upstream answered with an error.',
  not_json: 'The upstream did not answer with a JSON document.',
  server: 'The MCP server is inactive or cannot be reached.',
} as const;

/**
 * Makes checks that send one request, which changes nothing: HEAD to a tool, GET to a data source.
 * @throws AppError validation_error for `config.url` when the address is not allowed.
 */
export function createReachabilityCheck(fetch: EgressFetch, now: () => Date = () => new Date()) {
  async function check(ask: () => Promise<keyof typeof FAULTS | undefined>): Promise<Reachability> {
    const fault = await ask().catch(faultOf);
    return { reachable: !fault, last_error: fault ? FAULTS[fault] : null, last_checked_at: now() };
  }

  return {
    tool: ({ url, headers }: DataSourceConfig) =>
      check(async () => {
        const { status } = await fetch(url, { method: 'HEAD', kind: 'reachability', ...(headers && { headers }) });
        // An endpoint that accepts only POST refuses HEAD; the refusal proves that the endpoint exists.
        return status < 500 || status === 501 ? undefined : 'status';
      }),

    /** Returns the result for an MCP server from its status, which the last probe has set. */
    server: (status: string) => check(() => Promise.resolve(status === 'active' ? undefined : 'server')),

    dataSource: (config: DataSourceConfig) => check(() => fetchDocument(fetch, config).then(() => undefined)),
  };
}
export type ReachabilityCheck = ReturnType<typeof createReachabilityCheck>;

function faultOf(error: unknown): keyof typeof FAULTS {
  if (error instanceof NotADocument) return error.fault;
  if (!(error instanceof EgressError)) throw error;
  if (error.kind === 'refused') throw invalidField('config.url', REFUSED);
  return error.kind;
}
