import { listSigningKeys } from '@millwright/accounts/signing-keys';
import { createRateLimiter } from '@millwright/rate-limit';
import { z } from 'zod';
import type { Config } from '../config.js';
import { readJson } from '../read-json.js';
import type { CliSession } from '../session.js';
import { failed, ok, skipped, warning, type Check, type Finding } from './check.js';
import { clockFinding } from './database-checks.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1_048_576;
const isLoopback = (url: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);

/** Public paths of the services. Two of them publish keys, which prove that the address reaches this installation. */
const SERVICES = [
  { name: 'admin-auth', setting: 'BASE_URL', path: '/admin/.well-known/jwks.json', issuer: 'admin-auth' },
  { name: 'platform API', setting: 'BASE_URL', path: '/api/v1/agents' },
  { name: 'runtime API', setting: 'RUNTIME_URL', path: '/.well-known/jwks.json', issuer: 'runtime-api' },
  { name: 'prompt API', setting: 'PROMPT_API_URL', path: '/v1/prompt' },
] as const;
type Service = (typeof SERVICES)[number];

const Jwks = z.object({ keys: z.array(z.object({ kid: z.string() })) });

/** Checks that a service answers at its address: with its own keys, or by refusing a request without a credential. */
async function checkService(session: CliSession, service: Service): Promise<Finding[]> {
  const base = session.config[service.setting];
  if (base === undefined) return [skipped(service.setting)];
  const url = `${base}${service.path}`;
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = await readJson(answer, MAX_BYTES);
  const next = `Check what ${service.setting} leads to: gateway, Ingress, DNS.`;
  const findings = [await identityOf(session, service, { url, status: answer.status, body, next })];
  const [row] = await session.db.prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const date = Date.parse(answer.headers.get('date') ?? '');
  // The time in the header is in whole seconds. With half a second added, it is the best estimate of the service's clock.
  if (!Number.isNaN(date)) findings.push(clockFinding('Its clock', (date + 500 - Number(row?.now)) / 1_000));
  return findings;
}

interface ServiceAnswer {
  url: string;
  status: number;
  body: unknown;
  next: string;
}

async function identityOf({ db }: CliSession, service: Service, { url, status, body, next }: ServiceAnswer) {
  if (!('issuer' in service))
    return status === 401 ? ok(`${url} answers`) : failed(`${url} answers ${status}, not 401 as it should`, next);
  const published = Jwks.safeParse(body).data?.keys.map(({ kid }) => kid) ?? [];
  if (status !== 200 || published.length === 0) return failed(`${url} answers ${status} without keys`, next);
  const known = new Set((await listSigningKeys(db)).map(({ kid }) => kid));
  return published.every((kid) => known.has(kid))
    ? ok(`${url} answers with keys of this installation`)
    : failed(`${url} belongs to another installation: its keys are not in this database`, next);
}

/** Checks that public addresses use https, except on this machine, and differ from each other. */
function addressFindings(config: Config): Finding[] {
  const given = (['BASE_URL', 'RUNTIME_URL', 'PROMPT_API_URL'] as const).flatMap((setting) => {
    const text = config[setting];
    return text === undefined ? [] : [{ setting, url: new URL(text) }];
  });
  const findings = given.map(({ setting, url }) =>
    url.protocol === 'https:' || isLoopback(url)
      ? ok(`${setting} is ${url.origin}`)
      : failed(`${setting} is ${url.origin}: passkeys and tokens need TLS`, 'Serve it by https.'),
  );
  if (new Set(given.map(({ url }) => url.origin)).size < given.length)
    findings.push(failed('Two services have the same address', 'Give each service an address of its own.'));
  return findings;
}

/** Time limit in milliseconds for an answer of Redis. */
const REDIS_MS = 5_000;

async function redisFindings(redisUrl: string | undefined): Promise<Finding[]> {
  if (redisUrl === undefined)
    return [
      warning(
        'REDIS_URL is not set here: each process counts its limits alone',
        'Set it as for the services, if a service has more than one replica.',
      ),
    ];
  const first = new Promise<{ backend: string; cause?: string | undefined }>((resolve) => {
    const timer = setTimeout(() => resolve({ backend: 'memory', cause: 'no answer' }), REDIS_MS);
    const limiter = createRateLimiter({
      redisUrl,
      onBackend: (backend, cause) => {
        clearTimeout(timer);
        setImmediate(() => void limiter.close());
        resolve({ backend, cause });
      },
    });
  });
  const { backend, cause } = await first;
  if (backend === 'redis') return [ok('Redis answers: all replicas share their limits')];
  return [
    failed(
      `Redis does not answer (${cause ?? 'no answer'}): each process counts its limits alone`,
      'Check REDIS_URL, the network and the server.',
    ),
  ];
}

export const serviceChecks: readonly Check[] = [
  {
    name: 'public addresses',
    next: 'Correct BASE_URL, RUNTIME_URL and PROMPT_API_URL.',
    run: ({ config }) => Promise.resolve(addressFindings(config)),
  },
  ...SERVICES.map((service): Check => ({
    name: service.name,
    next: `Check that the service runs and that ${service.setting} leads to it.`,
    run: (session) => checkService(session, service),
  })),
  { name: 'limits', next: 'Check REDIS_URL.', run: ({ config }) => redisFindings(config.REDIS_URL) },
];
