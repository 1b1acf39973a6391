import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { isFullRun } from './config.js';

/** Number of clients, smaller during `npm test`, because other tests use the machine at the same time. */
const CLIENTS = isFullRun ? 50 : 16;
const READS_OF_TEN = 7;
/** Pause of a client between two requests, in milliseconds, so that processor time is left for starting pods. */
const PACE_MS = 400;
/** Time in milliseconds over which the clients' first requests are spread. */
const ARRIVING_MS = 3_000;

export type Area = 'admin' | 'platform' | 'runtime' | 'prompt';
/** The services under load. */
const AREAS: readonly Area[] = isFullRun ? ['admin', 'platform', 'runtime', 'prompt'] : ['platform'];

export interface Failed {
  area: Area;
  kind: 'read' | 'write';
  /** The status of the answer, or the failure of the connection. */
  why: string;
  status: number | undefined;
  retryAfter: string | undefined;
  atMs: number;
}

export interface Load {
  readonly sent: number;
  /** A failure that the client detects: a connection error, a 5xx, a wrong status or a wrong body. */
  readonly failed: readonly Failed[];
  everyoneIsThere: Promise<void>;
  stop(): Promise<void>;
}

interface Asked {
  host: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Expected status of the answer. */
  status: number;
  contains: string;
}

/** An installation under load: the address for connections, and the hosts that requests name. */
export interface Target {
  url: string;
  hosts: Record<'base' | 'runtime' | 'prompt', string>;
  /** The origin of the console's pages. */
  origin: string;
  apiKey: string;
  client: { client_id: string; client_secret: string };
}

export type Requests = Record<'read' | 'write', (area: Area) => Asked>;

/** Prepares a read and a write for each service, and creates the records that are read. */
export async function prepareRequests({ url, hosts, origin, apiKey, client }: Target): Promise<Requests> {
  const getToken = () =>
    send<{ access_token: string }>(url, {
      host: hosts.runtime,
      path: '/oauth/token',
      body: { grant_type: 'client_credentials', ...client },
      status: 200,
      contains: 'access_token',
    });
  const token = AREAS.includes('runtime') ? await getToken() : { access_token: '' };
  const platform = { host: hosts.base, headers: { authorization: `Bearer ${apiKey}` } };
  const runtime = { host: hosts.runtime, headers: { authorization: `Bearer ${token.access_token}` } };
  const prompt = { host: hosts.prompt, headers: { 'api-key': apiKey } };
  let n = 0;
  const write: Record<Area, () => Asked> = {
    admin: () => ({
      host: hosts.base,
      headers: { origin },
      path: '/admin/api/passkey/login/start',
      body: { authorization: `?${String(authorizationRequest(origin))}` },
      status: 200,
      contains: 'challenge',
    }),
    platform: () => {
      const name = `Skill ${n++}`;
      return {
        ...platform,
        path: '/api/v1/skills',
        body: { name, description: '', instructions: 'Go on.' },
        status: 201,
        contains: name,
      };
    },
    runtime: () => {
      const title = `Note ${n++}`;
      return { ...runtime, path: '/api/v1/content', body: { title, content: 'Kept.' }, status: 201, contains: title };
    },
    prompt: () => {
      const prefix = `block_${String(n++).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
      return {
        ...prompt,
        path: '/v1/block',
        body: { prefix, content: 'Kept.', metadata: {} },
        status: 201,
        contains: prefix,
      };
    },
  };
  /** Writes a record and returns the request that reads the record. For admin-auth, returns the request that reads its public keys. */
  async function readOf(area: Area): Promise<Asked> {
    if (area === 'admin')
      return { host: hosts.base, path: '/admin/.well-known/jwks.json', status: 200, contains: '"keys"' };
    const { body, path, ...asked } = write[area]();
    const { id } = await send<{ id: string }>(url, { ...asked, path, body });
    return { ...asked, path: `${path}/${id}`, status: 200 };
  }
  const reads = new Map<Area, Asked>();
  for (const area of AREAS) reads.set(area, await readOf(area));
  return { read: (area) => reads.get(area) as Asked, write: (area) => write[area]() };
}

/** Returns the query of the request that starts a console sign-in. This request stores a row in the database. */
function authorizationRequest(baseUrl: string): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: 'marketplace-admin',
    redirect_uri: `${baseUrl}/admin/login`,
    scope: 'user',
    state: randomBytes(16).toString('base64url'),
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  });
}

async function answerTo(url: string, { host, path, headers, body }: Asked, dispatcher?: Agent) {
  const isForm = path === '/oauth/token';
  const answer = await request(`${url}${path}`, {
    dispatcher,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      host,
      ...(body !== undefined && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...headers,
    },
    body:
      body === undefined
        ? null
        : isForm
          ? String(new URLSearchParams(body as Record<string, string>))
          : JSON.stringify(body),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

async function send<Body>(url: string, asked: Asked): Promise<Body> {
  const { status, text } = await answerTo(url, asked);
  if (status !== asked.status) throw new Error(`${asked.path} answered ${status}: ${text}`);
  return JSON.parse(text) as Body;
}

/**
 * Sends a request, and repeats it after a 503 with `Retry-After`, but not in the full run, which does not allow a 503. During `npm test` a service
 * answers 503 even without an update when its database is busy. The gateway's log proves that no request was lost.
 */
async function patiently<Answer extends { status: number; headers: Record<string, unknown> }>(
  ask: () => Promise<Answer>,
) {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (isFullRun || answer.status !== 503 || answer.headers['retry-after'] === undefined || tries === 10)
      return answer;
    await delay(1_000);
  }
}

/** Starts clients with one connection each. They send requests to the services under load, 70 % of them reads, until they are stopped. */
export function startLoad(url: string, requests: Requests, count = CLIENTS): Load {
  const failed: Failed[] = [];
  const began = performance.now();
  let sent = 0;
  let running = true;

  async function one(dispatcher: Agent, turn: number) {
    const area = AREAS[turn % AREAS.length] as Area;
    const kind = turn % 10 < READS_OF_TEN ? 'read' : 'write';
    const asked = requests[kind](area);
    const wrong = (why: string, status?: number, retryAfter?: unknown) =>
      failed.push({
        area,
        kind,
        why,
        status,
        retryAfter: retryAfter as string | undefined,
        atMs: Math.round(performance.now() - began),
      });
    sent += 1;
    try {
      const { status, headers, text } = await patiently(() => answerTo(url, asked, dispatcher));
      if (status !== asked.status || !text.includes(asked.contains))
        wrong(text.slice(0, 300), status, headers['retry-after']);
    } catch (failure) {
      wrong(String(failure));
    }
  }

  async function runClient(index: number) {
    const dispatcher = new Agent({ connections: 1, pipelining: 1 });
    await delay((ARRIVING_MS * index) / count);
    // The step 3 has no common factor with 4 (services) and 10 (the turns of which seven are reads), so every client reads and writes at every
    // service.
    for (let turn = index; running; turn += 3) {
      const next = delay(PACE_MS);
      await one(dispatcher, turn);
      await next;
    }
    await dispatcher.close();
  }

  const clients = Array.from({ length: count }, (_none, index) => runClient(index));
  return {
    get sent() {
      return sent;
    },
    failed,
    everyoneIsThere: delay(ARRIVING_MS),
    async stop() {
      running = false;
      await Promise.all(clients);
    },
  };
}
