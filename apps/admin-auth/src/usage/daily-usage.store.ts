import { BUILT_IN_AGENT } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { USAGE_BY_DAY, USAGE_BY_KEY, USAGE_BY_SUBJECT } from '@millwright/models/usage';
import type { DailyUsage, Grouping, UsageRow } from './daily-usage.contract.js';
import { dayAfter, daysBetween } from './usage-days.js';

export const MOST_ROWS = 100;
export const MOST_SERIES = 7;

interface Source {
  table: string;
  /** Column whose values group the rows. */
  id: string;
  cost: string;
  /** SQL condition of the events that are counted. */
  where?: string;
  /** SQL for the name of the record with the id `totals.id`. */
  name: string;
}

const nameIn = (table: string, column = 'name') =>
  `(SELECT ${column} FROM ${table} WHERE ${table}.id = totals.id::uuid)`;
const daily = { table: USAGE_BY_DAY, cost: 'known_cost_usd' };
const bySubject = { table: USAGE_BY_SUBJECT, id: 'subject_id', cost: 'cost_usd' };

const SOURCES: Readonly<Record<Grouping, Source>> = {
  model: { ...daily, id: 'model', name: 'totals.id' },
  project: { ...daily, id: 'project', name: '(SELECT name FROM projects WHERE projects.id = totals.id)' },
  user: { ...daily, id: 'user_id', name: nameIn('users') },
  key: {
    ...{ table: USAGE_BY_KEY, id: 'key_id', cost: 'known_cost_usd' },
    name: `(SELECT k.name || ' (' || u.name || ')' FROM user_api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = totals.id::uuid)`,
  },
  agent: { ...bySubject, where: `kind <> 'prompt_run'`, name: nameIn('agents') },
  prompt: { ...bySubject, where: `kind = 'prompt_run'`, name: nameIn('prompts', 'title') },
};

const SUMS = `coalesce(sum(requests), 0)::float8 AS requests, coalesce(sum(tokens_in), 0)::float8 AS tokens_in,
         coalesce(sum(tokens_out), 0)::float8 AS tokens_out, sum(cost_usd)::float8 AS cost_usd,
         coalesce(bool_and(is_cost_complete), true) AS is_cost_complete`;

const statement = ({ table, id, cost, where = 'true', name }: Source) => `
  WITH used AS MATERIALIZED (
    SELECT day, ${id}::text AS id, sum(events) AS requests, sum(prompt_tokens) AS tokens_in, sum(completion_tokens) AS tokens_out,
           sum(${cost}) AS cost_usd, bool_and(cost_usd IS NOT NULL) AS is_cost_complete
      FROM ${table} WHERE project = ANY($3) AND ${where} GROUP BY 1, 2
  ), totals AS (
    SELECT id, ${SUMS}, row_number() OVER (ORDER BY sum(tokens_in + tokens_out) DESC, id) AS place FROM used GROUP BY id
  )
  SELECT 'row' AS what, NULL AS day, id, ${name} AS name, requests, tokens_in, tokens_out, cost_usd, is_cost_complete, place
    FROM totals WHERE place <= ${MOST_ROWS}
  UNION ALL
  SELECT 'total', NULL, NULL, NULL, ${SUMS}, NULL FROM totals
  UNION ALL
  SELECT 'point', day::text, shown, NULL, ${SUMS}, NULL
    FROM (SELECT used.*, CASE WHEN place <= ${MOST_SERIES} THEN id END AS shown FROM used JOIN totals USING (id)) by_place
   GROUP BY day, shown
   ORDER BY place`;

type Sums = Omit<UsageRow, 'id' | 'name'>;
type Row = Sums & {
  what: 'row' | 'total' | 'point';
  day: string | null;
  id: string | null;
  name: string | null;
};

const NOTHING: Sums = { requests: 0, tokens_in: 0, tokens_out: 0, cost_usd: 0, is_cost_complete: true };

export interface DailyUsageFilter {
  by: Grouping;
  projects: readonly string[];
  /** First day of the period, in UTC. */
  from: string;
  /** Last day of the period, included. */
  to: string;
}

export function createDailyUsageStore(db: Database) {
  return async ({ by, projects, from, to }: DailyUsageFilter): Promise<Omit<DailyUsage, 'project'>> => {
    const days = daysBetween({ from, to });
    const bounds = [from, dayAfter(to), projects];
    const found = await db.reads.prepared<Row>(`daily-usage-by-${by}`, statement(SOURCES[by]), bounds);
    const rows = found.flatMap(({ what, id, name, ...sums }) =>
      what === 'row' && id !== null ? [{ ...publicOf(by, id, name), ...sumsOf(sums) }] : [],
    );
    const points = found.filter(({ what }) => what === 'point');
    const shown = [...rows.slice(0, MOST_SERIES).map(({ id }) => id), ...(rows.length > MOST_SERIES ? [null] : [])];
    return {
      by,
      days,
      rows,
      totals: sumsOf(found.find(({ what }) => what === 'total') ?? NOTHING),
      series: shown.map((id) => {
        const own = points.filter((point) => (point.id === null ? null : publicOf(by, point.id, null).id) === id);
        const byDay = new Map(own.map((point) => [point.day, point]));
        return {
          id,
          points: days.map((day) => {
            const { requests, tokens_in, tokens_out, cost_usd } = byDay.get(day) ?? NOTHING;
            return { requests, tokens_in, tokens_out, cost_usd };
          }),
        };
      }),
    };
  };
}

/** Returns the sums of a row. A row without calls has the sum 0 everywhere. */
function sumsOf({ requests, tokens_in, tokens_out, cost_usd, is_cost_complete }: Sums): Sums {
  return requests > 0 ? { requests, tokens_in, tokens_out, cost_usd, is_cost_complete } : NOTHING;
}

/** Prefixes of the public ids, by grouping. The ids of all other groupings are public without a change. */
const PREFIXES: Partial<Record<Grouping, 'ag' | 'usr' | 'key'>> = { agent: 'ag', user: 'usr', key: 'key' };

/** Returns the public id and the name of a row's record. */
function publicOf(by: Grouping, id: string, name: string | null): Pick<UsageRow, 'id' | 'name'> {
  if (by === 'agent' && id === BUILT_IN_AGENT.id) return { id: BUILT_IN_AGENT.slug, name: BUILT_IN_AGENT.slug };
  const prefix = PREFIXES[by];
  return { id: prefix === undefined ? id : encodeId(prefix, id), name };
}
