import { decodeId, type Database } from '@millwright/db';
import { CALLS_BY_TOOL } from '@millwright/models/usage';
import { MOST_ROWS, MOST_SERIES, type DailyUsageFilter } from './daily-usage.store.js';
import type { ToolUsage } from './tool-usage.contract.js';
import { dayAfter, daysBetween } from './usage-days.js';

const SUMS = 'coalesce(sum(calls), 0)::float8 AS calls, coalesce(sum(failed), 0)::float8 AS failed';

const STATEMENT = `
  WITH used AS MATERIALIZED (
    SELECT day, server, tool, sum(calls) AS calls, sum(failed) AS failed
      FROM ${CALLS_BY_TOOL} WHERE project = ANY($3) GROUP BY 1, 2, 3
  ), totals AS (
    SELECT server, tool, ${SUMS}, row_number() OVER (ORDER BY sum(calls) DESC, server, tool) AS place FROM used GROUP BY 1, 2
  )
  SELECT 'row' AS what, NULL AS day, server, tool, calls, failed, place FROM totals WHERE place <= ${MOST_ROWS}
  UNION ALL
  SELECT 'total', NULL, NULL, NULL, ${SUMS}, NULL FROM totals
  UNION ALL
  SELECT 'point', day::text, by_place.server, by_place.tool, ${SUMS}, NULL
    FROM (SELECT day, used.calls, used.failed, CASE WHEN place <= ${MOST_SERIES} THEN server END AS server,
                 CASE WHEN place <= ${MOST_SERIES} THEN tool END AS tool
            FROM used JOIN totals USING (server, tool)) by_place
   GROUP BY day, by_place.server, by_place.tool
   ORDER BY place`;

const NAMES = `
  SELECT id, name FROM mcp_servers WHERE id = ANY($1::uuid[])
  UNION ALL SELECT id, name FROM plugins WHERE id = ANY($1::uuid[])
  UNION ALL SELECT id, name FROM agents WHERE id = ANY($1::uuid[])`;

const OWNERS = ['ms', 'pl', 'ag'] as const;

/** Returns the row id of the server, plugin or agent to which a tool belongs; `undefined` for built-in tools. */
const ownerId = (server: string): string | undefined => {
  const prefix = OWNERS.find((one) => server.startsWith(`${one}_`));
  return prefix && decodeId(prefix, server);
};

interface Calls {
  calls: number;
  failed: number;
}
type Row = Calls & { what: 'row' | 'total' | 'point'; day: string | null; server: string | null; tool: string | null };

const NONE: Calls = { calls: 0, failed: 0 };
const callsOf = ({ calls, failed }: Calls): Calls => ({ calls, failed });

export function createToolUsageStore(db: Database) {
  async function namesOf(servers: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = servers.flatMap((server) => ownerId(server) ?? []);
    if (ids.length === 0) return new Map();
    const found = await db.reads.prepared<{ id: string; name: string }>('tool-owners', NAMES, [ids]);
    const names = new Map(found.map(({ id, name }) => [id, name]));
    return new Map(
      servers.flatMap((server) => {
        const name = names.get(ownerId(server) ?? '');
        return name === undefined ? [] : [[server, name] as const];
      }),
    );
  }

  return async ({ projects, from, to }: Omit<DailyUsageFilter, 'by'>): Promise<Omit<ToolUsage, 'project'>> => {
    const days = daysBetween({ from, to });
    const found = await db.reads.prepared<Row>('tool-usage', STATEMENT, [from, dayAfter(to), projects]);
    const used = found.flatMap(({ what, server, tool, ...sums }) =>
      what === 'row' && server !== null && tool !== null ? [{ tool, server, ...callsOf(sums) }] : [],
    );
    const names = await namesOf([...new Set(used.map(({ server }) => server))]);
    const rows = used.map(({ server, ...row }) => ({
      ...row,
      server: { id: server, name: names.get(server) ?? (ownerId(server) === undefined ? server : null) },
    }));
    const points = found.filter(({ what }) => what === 'point');
    const shown: Pick<Row, 'tool' | 'server'>[] = used.slice(0, MOST_SERIES);
    if (used.length > MOST_SERIES) shown.push({ tool: null, server: null });
    return {
      days,
      rows,
      totals: callsOf(found.find(({ what }) => what === 'total') ?? NONE),
      series: shown.map(({ tool, server }) => {
        const own = points.filter((point) => point.tool === tool && point.server === server);
        const byDay = new Map(own.map((point) => [point.day, callsOf(point)]));
        return { tool, server_id: server, points: days.map((day) => byDay.get(day) ?? NONE) };
      }),
    };
  };
}
