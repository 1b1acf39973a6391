import { setTimeout as sleep } from 'node:timers/promises';
import { traceHeaders, traceHeadersForStrangers, type UpstreamKind } from '@millwright/telemetry';
import {
  createCheckedDispatcher,
  createDirectDispatcher,
  createProxyDispatcher,
  loadTrust,
  resolveChecked,
  resolveName,
  type ResolveName,
} from './dispatchers.js';
import { EgressError, EgressRefused, toEgressError } from './egress-error.js';
import { parseAddress } from './addresses.js';
import { createPolicy, targetOf, type PolicyOptions } from './policy.js';
import { observeCall } from './observe-call.js';
import { exchange, type EgressAnswer, type Profile } from './transport.js';

export interface EgressOptions extends PolicyOptions {
  /** PEM file with certificate authorities besides Node's own. */
  caFile?: string;
  /** An http(s) proxy for what is not in house. Proxies named in the environment are never used. */
  proxy?: string;
  /** For tests. Default: the operating system's resolver. */
  resolve?: ResolveName;
}

export type TrustedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
export type EgressFetch = (url: string | URL, init?: EgressInit) => Promise<Response>;
/** As EgressFetch, for who needs no more than this of the answer. A `fetch` is one. */
export type EgressRequest = (url: string | URL, init?: EgressInit) => Promise<EgressAnswer>;

export interface EgressInit extends RequestInit {
  profile?: Partial<Profile>;
  /** What the call is for: counted by it. */
  kind?: UpstreamKind;
}

export interface TrustedOptions extends Partial<Profile> {
  /** To one origin, at a time. Default 256. */
  connections?: number;
}

export interface Egress {
  /**
   * Calls an address that came from a user or an upstream. Limits: 5 s and 1 MiB unless `profile` says otherwise. A redirect
   * is refused, or handed over as it is with `redirect: 'manual'`.
   *
   * @throws EgressError, or the signal's reason. Reading the body throws the same.
   */
  fetch: EgressFetch;
  /** The same call by the same rules at half its cost: `Response` and web streams are left out. */
  request: EgressRequest;
  /** Refuses before any network what can be refused by looking: scheme, user, literal address. @throws EgressRefused */
  checkUrl(url: string | URL): URL;
  /**
   * Whether a URL that someone registers leads where calls may go: what `checkUrl` says, where its name leads now, and that its
   * server does not redirect, which a HEAD request finds out. A server that does not answer passes. This is for telling people
   * early; each connection of each call is checked again.
   *
   * @throws EgressError refused or unresolvable
   */
  checkReachable(url: string | URL): Promise<void>;
  /** A fetch with its own pool for endpoints the operator configured: no address filter, no limits unless given. */
  trusted(options?: TrustedOptions): TrustedFetch;
  /** Ends every connection; calls under way fail. */
  close(): Promise<void>;
}

const defaultProfile: Profile = { timeoutMs: 5_000, maxBytes: 1024 * 1024 };

/** A name that takes longer than this is as good as none. */
const RESOLVE_TIMEOUT_MS = 3_000;
const HEAD_PROFILE: Profile = { timeoutMs: 2_000, maxBytes: 64 * 1024 };

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

/** @throws `late` when `work` takes longer, else what `work` throws, as an EgressError. */
async function within(milliseconds: number, work: Promise<unknown>, late: EgressError): Promise<void> {
  const timer = new AbortController();
  const timeout = sleep(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw late;
  });
  try {
    await Promise.race([work, timeout]);
  } catch (error) {
    throw toEgressError(error);
  } finally {
    timer.abort();
    timeout.catch(() => undefined);
  }
}

/** The one way out of the platform: whoever calls another server gets its fetch from here. @throws ConfigError for an unreadable `caFile`. */
export function createEgress(options: EgressOptions): Egress {
  const policy = createPolicy(options);
  const trust = loadTrust(options.caFile);
  const checked = createCheckedDispatcher(policy, trust, options.resolve ?? resolveName);
  const proxied = options.proxy === undefined ? undefined : createProxyDispatcher(options.proxy, trust, 64);
  const owned = [checked, ...(proxied ? [proxied] : [])];

  const resolveHost = options.resolve ?? resolveName;
  const isProxied = (url: URL) => proxied !== undefined && !policy.isInHouse(targetOf(url));

  const request = (input: string | URL, { profile, kind, ...init }: EgressInit = {}) =>
    observeCall(input, init, kind, () => send(policy.checkUrl(input), init, profile));
  const fetch: EgressFetch = async (input, init) => (await request(input, init)).toResponse();

  async function send(url: URL, init: RequestInit, profile: Partial<Profile> | undefined) {
    const dispatcher = proxied && isProxied(url) ? proxied : checked;
    const response = await exchange(
      dispatcher,
      url,
      init,
      { ...defaultProfile, ...profile },
      traceHeadersForStrangers(),
    );
    if (!isRedirect(response.status) || init.redirect === 'manual') return response;
    await response.body?.cancel();
    throw new EgressRefused('The answer is a redirect, and redirects are not followed.');
  }

  async function checkName(url: URL): Promise<void> {
    const late = new EgressError('unresolvable', `${url.hostname} was not resolved in ${RESOLVE_TIMEOUT_MS} ms.`);
    await within(RESOLVE_TIMEOUT_MS, resolveChecked(targetOf(url), targetOf(url).host, policy, resolveHost), late);
  }

  return {
    checkUrl: (url) => policy.checkUrl(url),
    fetch,
    request,

    async checkReachable(input) {
      const url = policy.checkUrl(input);
      // A proxy resolves names itself; the address in a URL is checked already.
      if (!isProxied(url) && !parseAddress(targetOf(url).host)) await checkName(url);
      try {
        await fetch(url, { method: 'HEAD', kind: 'reachability', profile: HEAD_PROFILE });
      } catch (error) {
        const { kind } = toEgressError(error);
        if (kind === 'refused' || kind === 'unresolvable') throw error;
      }
    },

    trusted({ connections = 256, timeoutMs = Infinity, maxBytes = Infinity } = {}) {
      const direct = createDirectDispatcher(trust, connections);
      const proxy = options.proxy === undefined ? undefined : createProxyDispatcher(options.proxy, trust, connections);
      owned.push(direct, ...(proxy ? [proxy] : []));
      return async (input, init = {}) => {
        const url = new URL(input);
        const dispatcher = proxy && !policy.isInHouse(targetOf(url)) ? proxy : direct;
        const answer = await observeCall(url, init, undefined, () =>
          exchange(dispatcher, url, init, { timeoutMs, maxBytes }, traceHeaders()),
        );
        return answer.toResponse();
      };
    },

    async close() {
      await Promise.all(owned.map((dispatcher) => dispatcher.destroy()));
    },
  };
}
