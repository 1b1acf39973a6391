// @ts-check

/**
 * The goal for one figure of a row. `most` is the upper bound or `least` the lower bound of the figure, and `aim` is a better value in the same
 * direction. A figure without a bound is only reported.
 *
 * @typedef {{ name: string, most?: number, least?: number, aim?: number, unit?: string }} Goal
 * @typedef {{ work: string, goals: Record<string, Goal> }} Row
 */

const SERVICES = ['admin-auth', 'platform-api', 'runtime-api', 'prompt-api'];

/** The rows of the benchmark. @type {Record<string, Row>} */
export const ROWS = {
  P1: {
    work: 'GET /api/v1/skills/{id}: key, scope, limit headers, log; 32 clients, random ids',
    goals: {
      cpu: { name: 'CPU beside bare node:http and pg with the same two queries', most: 3, aim: 1.8, unit: '×' },
    },
  },
  P2: {
    work: 'the same',
    goals: {
      cpu: { name: 'CPU beside parse-server 9', most: 0.8, aim: 0.4, unit: '×' },
      perSecond: { name: 'requests a second beside parse-server 9', least: 1.25, aim: 2.5, unit: '×' },
    },
  },
  P3: {
    work: 'get one, list 20 with total',
    goals: {
      one: { name: 'CPU of one beside Directus 11', most: 0.25, aim: 0.15, unit: '×' },
      list: { name: 'CPU of a list beside Directus 11', most: 0.25, aim: 0.15, unit: '×' },
    },
  },
  P4: {
    work: 'list page 1 with total at 1,000,000 rows',
    goals: { p50: { name: 'p50 beside 1,000 rows', most: 2, aim: 1.3, unit: '×' } },
  },
  P5: {
    work: 'list at 1,000,000 rows',
    goals: {
      search: { name: 'p50 with a selective search', most: 50, aim: 20, unit: ' ms' },
      deep: { name: 'p50 of page 10,000', most: 40, aim: 20, unit: ' ms' },
    },
  },
  P6: {
    work: 'gateway: a GET of 600 bytes, 64 clients',
    goals: {
      cpu: { name: 'CPU beside one nginx worker', most: 10, aim: 3, unit: '×' },
      perSecond: { name: 'throughput beside one nginx worker', least: 0.2, aim: 0.6, unit: '×' },
    },
  },
  P7: {
    work: 'gateway beside the service itself',
    goals: {
      added: { name: 'added p50 at one client', most: 0.3, aim: 0.15, unit: ' ms' },
      event: { name: 'first server-sent event', most: 15, unit: ' ms' },
      byte: { name: 'first byte of an upload', most: 30, unit: ' ms' },
      memory: { name: 'memory over an upload of 1 GiB', most: 30, unit: ' MiB' },
    },
  },
  P8: {
    work: 'POST /v1/prompt/{id}/openai with storage, one client, a model that answers at once',
    goals: { added: { name: 'p50 added to the model', most: 3, aim: 1.5, unit: ' ms' } },
  },
  P9: {
    work: 'the model-call layer alone',
    goals: { cpu: { name: 'CPU beside Portkey gateway 1.15', most: 0.6, aim: 0.25, unit: '×' } },
  },
  P10: {
    work: 'POST /oauth/token with a stored refresh token, ES256',
    goals: {
      refresh: { name: 'CPU of refresh_token beside oidc-provider 9 in memory', most: 1.5, aim: 1, unit: '×' },
      client: { name: 'CPU of client_credentials beside oidc-provider 9 in memory', most: 1.5, aim: 1, unit: '×' },
    },
  },
  P11: {
    work: 'MCP relay, same era',
    goals: {
      'modern cpu': { name: 'CPU of tools/call beside an SDK proxy, 2026-07-28', most: 0.4, aim: 0.15, unit: '×' },
      'legacy cpu': { name: 'CPU of tools/call beside an SDK proxy, 2025-11-25', most: 0.4, aim: 0.15, unit: '×' },
      'modern added': { name: 'added p50 of tools/call, 2026-07-28', most: 1, aim: 0.3, unit: ' ms' },
      'legacy added': { name: 'added p50 of tools/call, 2025-11-25', most: 1, aim: 0.3, unit: ' ms' },
    },
  },
  P12: {
    work: 'POST /v1/prompt/{id}: render without a model, 32 clients',
    goals: { cpu: { name: 'CPU beside the request of P1', most: 1.2, aim: 1.05, unit: '×' } },
  },
  P13: {
    work: 'POST /api/v1/skills, audited, 100 clients; audit rows are counted against the answers',
    goals: {
      few: { name: 'requests a second, 200 requests (published for another implementation: 3,308)', unit: '/s' },
      fewP99: { name: 'p99, 200 requests (published for another implementation: 22.7 ms)', unit: ' ms' },
      many: { name: 'requests a second, 20,000 requests', unit: '/s' },
      manyP99: { name: 'p99, 20,000 requests', unit: ' ms' },
    },
  },
  P14: {
    work: 'a built service',
    goals: Object.fromEntries(
      SERVICES.flatMap((name) => [
        [`${name} start`, { name: `${name}: first answer beside express hello`, most: 4, aim: 2, unit: '×' }],
        [`${name} idle`, { name: `${name}: idle memory`, most: 120, aim: 90, unit: ' MiB' }],
        [`${name} after`, { name: `${name}: memory after load`, most: 300, aim: 150, unit: ' MiB' }],
      ]),
    ),
  },
  P15: {
    work: 'the request of P1 with two replicas',
    goals: { cpu: { name: 'CPU beside one replica', most: 1.15, aim: 1.05, unit: '×' } },
  },
  P16: {
    work: 'the request of P1, offered twice as often as it can be served',
    goals: {
      served: { name: 'share of the capacity that is served', least: 0.9, unit: '×' },
      refused: { name: 'p99 of all answers, refusals included', unit: ' ms' },
      memory: { name: 'memory above that after the load at capacity', unit: ' MiB' },
    },
  },
};

/** @typedef {'aim' | 'must' | 'missed' | 'reported' | 'not measured' | 'void'} Verdict */

/** @param {Goal} goal @param {number} value @returns {Verdict} */
export function verdictOf({ most, least, aim }, value) {
  if (most === undefined && least === undefined) return 'reported';
  if (!Number.isFinite(value)) return 'void';
  const reaches = (/** @type {number | undefined} */ bound) =>
    bound !== undefined && (most === undefined ? value >= bound : value <= bound);
  if (reaches(aim)) return 'aim';
  return reaches(most ?? least) ? 'must' : 'missed';
}

/** @param {Goal} goal */
export function boundsOf({ most, least, aim, unit = '' }) {
  const sign = most === undefined ? '≥' : '≤';
  const text = (/** @type {number | undefined} */ bound) => (bound === undefined ? '–' : `${sign} ${bound}${unit}`);
  return { must: text(most ?? least), aim: text(aim) };
}
