import { accountRole, type Project } from '@millwright/auth';
import { isSpecifiedProject } from '@millwright/auth/projects';
import { encodeId, type Database } from '@millwright/db';
import { USAGE_BY_DAY } from '@millwright/models/usage';
import { countOf, totalOf } from '../dashboard/counts.js';
import type { Enterprise, Member } from './enterprises.contract.js';

const COUNTS = `
  SELECT p.id AS project, p.name,
    ${countOf(`users u WHERE u.project = p.id AND status = 'active'`)} AS members,
    ${countOf(`users u WHERE u.project = p.id AND status = 'active' AND role = 'admin'`)} AS admins,
    ${totalOf('agents', 'ARRAY[p.id]')} AS agents, ${totalOf('skills', 'ARRAY[p.id]')} AS skills,
    ${countOf(`user_api_keys k WHERE k.project = p.id AND kind = 'api_key' AND revoked_at IS NULL
                                   AND (expires_at IS NULL OR expires_at > now())`)} AS keys,
    ${countOf('oauth_clients c WHERE c.project = p.id AND revoked_at IS NULL')} AS clients
  FROM projects p WHERE p.deleted_at IS NULL
 ORDER BY CASE p.id WHEN 'Core' THEN 0 WHEN 'Commerce' THEN 1 ELSE 2 END, lower(p.name), p.id`;

const USAGE = `
  SELECT project, coalesce(sum(events) FILTER (WHERE kind = 'agent_message'), 0)::float8 AS agent_messages,
         sum(prompt_tokens + completion_tokens)::float8 AS model_tokens,
         CASE WHEN bool_and(cost_usd IS NOT NULL) THEN sum(cost_usd)::float8 END AS model_cost_usd,
         sum(unpriced_events)::float8 AS unpriced_events
    FROM ${USAGE_BY_DAY} GROUP BY project`;

const REQUESTS = `
  SELECT project, sum(n)::float8 AS n FROM metric_counts
   WHERE project = ANY (ARRAY(SELECT id FROM projects)) AND metric = 'requests' AND day >= $1::date AND day < $2::date GROUP BY project`;

/** Maximum number of members in the list. */
const MOST_MEMBERS = 100;

const DAY_MS = 86_400_000;
const NOTHING = { agent_messages: 0, model_tokens: 0, model_cost_usd: null, unpriced_events: 0 };

export function createEnterprisesStore(db: Database) {
  return {
    /** Lists the projects with their records, and their usage of the 30 days that end at `now`. */
    async list(now: Date): Promise<Enterprise[]> {
      const day = (ago: number) => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
      const days = [day(29), day(-1)];
      const [counts, usage, requests] = await Promise.all([
        db.reads.prepared<Omit<Enterprise, 'usage_30d' | 'name'> & { name: string }>('count-enterprises', COUNTS, []),
        db.reads.prepared<Omit<Enterprise['usage_30d'], 'requests'> & { project: Project }>(
          'sum-enterprise-usage',
          USAGE,
          days,
        ),
        db.reads.prepared<{ project: Project; n: number }>('sum-enterprise-requests', REQUESTS, days),
      ]);
      return counts.map(({ name, ...one }) => {
        const used = usage.find(({ project }) => project === one.project) ?? NOTHING;
        const made = requests.find(({ project }) => project === one.project)?.n ?? 0;
        return {
          ...one,
          ...(!isSpecifiedProject(one.project) && { name }),
          usage_30d: { ...used, requests: made },
        };
      });
    },

    async members(project: Project): Promise<Member[]> {
      const rows = await db.prisma.user.findMany({
        where: { project },
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
        take: MOST_MEMBERS,
        select: {
          id: true,
          name: true,
          email: true,
          role: true,
          delegated_role: true,
          platform_admin: true,
          status: true,
        },
      });
      return rows.map(({ id, delegated_role, ...row }) => ({
        ...row,
        role: accountRole({ role: row.role, delegated_role }),
        id: encodeId('usr', id),
      }));
    },
  };
}
export type EnterprisesStore = ReturnType<typeof createEnterprisesStore>;
