import { readChain, toAuditRow, whereOf, type ChainState, type AuditFilter, type AuditRow } from '@millwright/audit';
import { decodeId, encodeId, isUuid, type Database, type Prisma, type Tx } from '@millwright/db';
import { MOST_COUNTED } from '@millwright/records';
import type { AuditFilters, Decision, ListedDecision } from './audit.contract.js';
import { createResourceNames } from './resource-names.store.js';

/** An id that no user has, so that a filter by an unknown user matches no rows. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Maximum number of actions in the list. */
const MOST_ACTIONS = 500;

/** SQL for the actions in the audit log. It steps through the index from one action to the next, instead of reading every row. */
const ACTIONS = `
  WITH RECURSIVE found AS (
    (SELECT action, 1 AS n FROM governance_decisions ORDER BY action LIMIT 1)
    UNION ALL
    SELECT (SELECT g.action FROM governance_decisions g WHERE g.action > found.action ORDER BY g.action LIMIT 1), n + 1
      FROM found WHERE found.action IS NOT NULL AND n < ${MOST_ACTIONS})
  SELECT action FROM found WHERE action IS NOT NULL ORDER BY action`;

const user = { select: { id: true, name: true, email: true } } as const;

export function createAuditStore(db: Database) {
  const withNames = createResourceNames(db);
  return {
    /** Builds the database filter for the filters of a request. The filter `user` may be an id or an email. */
    async filterOf({ user: named, actor_kind, request_id, ...filters }: AuditFilters): Promise<AuditFilter> {
      const userId = named === undefined ? undefined : (decodeId('usr', named) ?? (await findByEmail(named)));
      return { ...filters, userId, actorKind: actor_kind, requestId: request_id };
    },

    /** Lists rows, latest first, with their total number, counted up to {@link MOST_COUNTED}. */
    async list(
      filter: AuditFilter,
      page: number,
      perPage: number,
    ): Promise<{ items: ListedDecision[]; total: number }> {
      const where = whereOf(filter);
      // The rows of a run are sorted by `seq`, because the index by run has this order.
      const orderBy: Prisma.GovernanceDecisionOrderByWithRelationInput[] =
        filter.run === undefined ? [{ at: 'desc' }, { id: 'desc' }] : [{ seq: 'desc' }];
      const [rows, total] = await Promise.all([
        db.prisma.governanceDecision.findMany({
          where,
          include: { user },
          orderBy,
          skip: (page - 1) * perPage,
          take: perPage,
        }),
        db.prisma.governanceDecision.count({ where, orderBy, take: MOST_COUNTED }),
      ]);
      return { items: await withNames(rows.map(({ user, ...row }) => toDecision(toAuditRow(row), user))), total };
    },

    /** Returns the newest rows of the whole audit log. Every admin may read these rows. */
    async newest(count: number, filter: AuditFilter): Promise<ListedDecision[]> {
      const rows = await db.prisma.governanceDecision.findMany({
        where: whereOf(filter),
        include: { user },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: count,
      });
      return withNames(rows.map(({ user, ...row }) => toDecision(toAuditRow(row), user)));
    },

    async find(id: string): Promise<ListedDecision | undefined> {
      if (!isUuid(id)) return undefined;
      const found = await db.prisma.governanceDecision.findFirst({ where: { id }, include: { user } });
      if (!found) return undefined;
      const { user: accountable, ...row } = found;
      const [listed] = await withNames([toDecision(toAuditRow(row), accountable)]);
      return listed;
    },

    async actions(): Promise<string[]> {
      return (await db.reads.prepared<{ action: string }>('audit-actions', ACTIONS, [])).map(({ action }) => action);
    },

    /** Reads all matching rows in the order of writing, a page at a time. */
    async *pages(filter: AuditFilter): AsyncGenerator<Decision[]> {
      for (let after: bigint | undefined; ;) {
        const rows = await db.prisma.governanceDecision.findMany({
          where: { ...whereOf(filter), ...(after !== undefined && { seq: { gt: after } }) },
          include: { user },
          orderBy: { seq: 'asc' },
          take: 1_000,
        });
        yield rows.map(({ user, ...row }) => toDecision(toAuditRow(row), user));
        after = rows.at(-1)?.seq;
        if (rows.length < 1_000) return;
      }
    },

    chain: (tx: Tx = db.prisma): Promise<ChainState> => readChain(tx),
  };

  async function findByEmail(email: string): Promise<string> {
    const found = await db.prisma.user.findUnique({ where: { email }, select: { id: true } });
    return found?.id ?? NOBODY;
  }
}
export type AuditStore = ReturnType<typeof createAuditStore>;

function toDecision(row: AuditRow, { id, name, email }: { id: string; name: string; email: string }): Decision {
  return { ...row, user: { id: encodeId('usr', id), name, email } };
}
