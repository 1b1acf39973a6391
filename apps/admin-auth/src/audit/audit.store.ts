import { readChain, toAuditRow, whereOf, type ChainState, type AuditFilter, type AuditRow } from '@millwright/audit';
import { decodeId, encodeId, isUuid, type Database } from '@millwright/db';
import type { AuditFilters, Decision } from './audit.contract.js';

/** An id that no user has: a filter by an unknown user finds nothing. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Limit of the count of a list; rows beyond it are listed but not counted. */
const MOST_COUNTED = 10_000;

const user = { select: { id: true, name: true, email: true } } as const;

export function createAuditStore(db: Database) {
  return {
    /** Accepts the id or the email of a user. */
    async filterOf({ user: named, actor_kind, request_id, ...filters }: AuditFilters): Promise<AuditFilter> {
      const userId = named === undefined ? undefined : (decodeId('usr', named) ?? (await findByEmail(named)));
      return { ...filters, userId, actorKind: actor_kind, requestId: request_id };
    },

    /** Latest first, with the number of the rows, of which {@link MOST_COUNTED} are counted. */
    async list(filter: AuditFilter, page: number, perPage: number): Promise<{ items: Decision[]; total: number }> {
      const where = whereOf(filter);
      const [rows, total] = await Promise.all([
        db.prisma.governanceDecision.findMany({
          where,
          include: { user },
          // The index of a run's rows has the order of writing.
          orderBy: filter.run === undefined ? [{ at: 'desc' }, { id: 'desc' }] : [{ seq: 'desc' }],
          skip: (page - 1) * perPage,
          take: perPage,
        }),
        db.prisma.governanceDecision.count({ where, take: MOST_COUNTED }),
      ]);
      return { items: rows.map(({ user, ...row }) => toDecision(toAuditRow(row), user)), total };
    },

    async find(id: string): Promise<Decision | undefined> {
      if (!isUuid(id)) return undefined;
      const found = await db.prisma.governanceDecision.findFirst({ where: { id }, include: { user } });
      if (!found) return undefined;
      const { user: accountable, ...row } = found;
      return toDecision(toAuditRow(row), accountable);
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

    chain: (): Promise<ChainState> => readChain(db),
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
