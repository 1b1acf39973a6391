import type { Caller, Principal } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { encodeId, readCount, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { UserStatus } from './users.contract.js';

/** The only file of area D that reads and writes accounts. */
export function createUserStore(db: Database) {
  async function usage(project: string, userId: string): Promise<UserStatus['usage']> {
    const [row] = await db.prepared<{ runs: string; tokens: string }>(
      'user-usage',
      `SELECT count(*) AS runs, coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens FROM usage_events
        WHERE project = $1 AND user_id = $2 AND at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`,
      [project, userId],
    );
    return { ai: { execution: Number(row?.runs), token: Number(row?.tokens) } };
  }

  return {
    /** The account of who asks, with what has been counted for them. */
    async status({ user, roles, project }: Principal): Promise<{ status: UserStatus; version: number }> {
      const count = (kind: 'prompts' | 'artifacts' | 'blocks' | 'conversations') => readCount(db, { project, kind });
      const [prompt, artifact, block, conversation, used, { version }] = await Promise.all([
        count('prompts'),
        count('artifacts'),
        count('blocks'),
        count('conversations'),
        usage(project, user.id),
        db.prisma.user.findUniqueOrThrow({ where: { id: user.id }, select: { version: true } }),
      ]);
      const { id, name, email } = user;
      const status = {
        user: { id, uuid: id, name, email, roles: [...roles], project },
        content: { prompt, artifact, block, conversation },
        usage: used,
      };
      return { status, version };
    },

    /** Renames who asks, and nobody else; answers the account's version. @throws AppError not_found, precondition_failed when `If-Match` names other versions. */
    async rename(
      tx: Tx,
      { project, actor }: Caller,
      id: string,
      ifMatch: readonly number[] | undefined,
      name?: string,
    ): Promise<number> {
      // A uuid may be written in capitals.
      if (id.toLowerCase() !== actor.userId) throw new AppError('not_found');
      const [current] = await tx.$queryRaw<{ name: string; version: number }[]>`
        SELECT name, version FROM users WHERE id = ${actor.userId}::uuid FOR UPDATE`;
      if (!current) throw new AppError('not_found');
      if (ifMatch && !ifMatch.includes(current.version)) throw new AppError('precondition_failed');
      if (name === undefined || name === current.name) return current.version;
      await tx.user.update({
        where: { id: actor.userId },
        data: { name, version: { increment: 1 }, updated_at: new Date() },
      });
      const detail = { from: current.name, to: name };
      await recordDecision(tx, {
        actor,
        action: 'user.rename',
        resource: encodeId('usr', actor.userId),
        project,
        detail,
      });
      return current.version + 1;
    },
  };
}
export type UserStore = ReturnType<typeof createUserStore>;
