import { setTimeout as sleep } from 'node:timers/promises';
import { traceHeaders, traceHeadersForStrangers, type UpstreamKind } from '@millwright/telemetry';
import { createConnectionShares } from './connection-shares.js';
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
import { exchange, type EgressAnswer, type Enter, type Profile } from './transport.js';

export interface EgressOptions extends PolicyOptions {
  /** PEM file with certificate authorities that are trusted in addition to those of Node. */
  caFile?: string;
  /** An http(s) proxy for targets outside the installation. Proxy variables of the environment are ignored. */
  proxy?: string;
  /** Function that resolves names, for tests. Default: the operating system's resolver. */
  resolve?: ResolveName;
}

export type TrustedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
export type EgressFetch = (url: string | URL, init?: EgressInit) => Promise<Response>;
/** The part of `EgressFetch` that most callers need. A `fetch` function has this type too. */
export type EgressRequest = (url: string | URL, init?: EgressInit) => Promise<EgressAnswer>;

export interface EgressInit extends RequestInit {
  profile?: Partial<Profile>;
  /** Kind of the upstream, for metrics. */
  kind?: UpstreamKind;
  /** The owner of the call, such as a project. Each owner has a share of the connections to an origin. */
  share?: string;
  /** Whether the answer is an endless stream. Streams do not count against a share: the caller limits their number. */
  stream?: boolean;
}

export interface TrustedOptions extends Partial<Profile> {
  /** Maximum number of concurrent connections to one origin. Default: 256. */
  connections?: number;
}

export interface Egress {
  /**
   * Calls an address that came from a user or an upstream. The limits are 5 s and 1 MiB unless `profile` sets others,
   * and 64 concurrent calls to an origin for each `share`. Further calls wait for at most 2 s. A redirect is refused,
   * or returned as the answer with `redirect: 'manual'`.
   *
   * @throws EgressError, or the signal's reason. Reading the body throws the same.
   */
  fetch: EgressFetch;
  /** Sends a request by the same rules as `fetch`. Costs half as much as `fetch`, because it uses neither `Response` nor web streams. */
  request: EgressRequest;
  /** Checks scheme, user and literal address of a URL, without using the network. @throws EgressRefused when the policy does not allow them */
  checkUrl(url: string | URL): URL;
  /**
   * Checks a URL at its registration: by `checkUrl`, by the present addresses of its name, and by a HEAD request that
   * must not be redirected. A URL whose server does not answer is accepted. Each connection of each later call is
   * checked again, so this check only gives early feedback.
   *
   * @throws EgressError refused when a check fails, unresolvable when the name cannot be resolved
   */
  checkReachable(url: string | URL): Promise<void>;
  /**
   * Makes a fetch with its own pool, for endpoints that the operator configured. It filters no addresses, and has no
   * limits unless they are given.
   */
  trusted(options?: TrustedOptions): TrustedFetch;
  /** Closes every connection; calls in progress fail. */
  close(): Promise<void>;
}

/** Limits of one share at one origin: `most` concurrent calls, and `waitMs` milliseconds to wait for a place. */
const SHARE = { most: 64, waitMs: 2_000 };
const defaultProfile: Profile = { timeoutMs: 5_000, maxBytes: 1024 * 1024 };

/** Time after which a name is treated as unresolvable. */
const RESOLVE_TIMEOUT_MS = 3_000;
const HEAD_PROFILE: Profile = { timeoutMs: 2_000, maxBytes: 64 * 1024 };

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;

/** @throws `late` when `work` takes longer; the failure of `work`, as an EgressError, when `work` fails. */
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

/** Creates the only fetch for calls to servers outside the installation. @throws ConfigError for an unreadable `caFile`. */
export function createEgress(options: EgressOptions): Egress {
  const policy = createPolicy(options);
  const trust = loadTrust(options.caFile);
  const checked = createCheckedDispatcher(policy, trust, options.resolve ?? resolveName);
  const proxied = options.proxy === undefined ? undefined : createProxyDispatcher(options.proxy, trust);
  const owned = [checked, ...(proxied ? [proxied] : [])];

  const resolveHost = options.resolve ?? resolveName;
  const isProxied = (url: URL) => proxied !== undefined && !policy.isInHouse(targetOf(url));

  const enterShare = createConnectionShares(SHARE);

  const request = (input: string | URL, { profile, kind, share = '', stream = false, ...init }: EgressInit = {}) =>
    observeCall(input, init, kind, () => {
      const url = policy.checkUrl(input);
      const enter = stream ? undefined : (signal: AbortSignal) => enterShare(`${url.origin} ${share}`, signal);
      return send(url, init, profile, enter);
    });
  const fetch: EgressFetch = async (input, init) => (await request(input, init)).toResponse();

  async function send(url: URL, init: RequestInit, profile: Partial<Profile> | undefined, enter: Enter | undefined) {
    const dispatcher = proxied && isProxied(url) ? proxied : checked;
    const limits = { ...defaultProfile, ...profile };
    const response = await exchange(dispatcher, url, init, limits, { headers: traceHeadersForStrangers(), enter });
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
      // A proxy resolves names itself, and a literal address in a URL is checked already.
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
          exchange(dispatcher, url, init, { timeoutMs, maxBytes }, { headers: traceHeaders() }),
        );
        return answer.toResponse();
      };
    },

    async close() {
      await Promise.all(owned.map((dispatcher) => dispatcher.destroy()));
    },
  };
}
