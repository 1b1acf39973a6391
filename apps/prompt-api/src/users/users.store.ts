import { renameUser } from '@millwright/accounts';
import type { Caller, Principal } from '@millwright/auth';
import { readCount, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { USAGE_BY_DAY } from '@millwright/models/usage';
import type { UserStatus } from './users.contract.js';

const DAY_MS = 86_400_000;

/** Reads the caller's account with its usage, and renames it with the functions of `@millwright/accounts`. */
export function createUserStore(db: Database) {
  /** Returns the account's usage since the start of the month in UTC. Days that have ended are read from daily sums. */
  async function usage(project: string, userId: string): Promise<UserStatus['usage']> {
    const now = new Date();
    const firstOfMonth = `${now.toISOString().slice(0, 7)}-01`;
    const tomorrow = new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10);
    const [row] = await db.prepared<{ runs: string; tokens: string }>(
      'user-usage',
      `SELECT coalesce(sum(events), 0) AS runs, coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens
         FROM ${USAGE_BY_DAY} WHERE project = $3 AND user_id = $4`,
      [firstOfMonth, tomorrow, project, userId],
    );
    return { ai: { execution: Number(row?.runs), token: Number(row?.tokens) } };
  }

  return {
    /** Reads the caller's account, with the numbers of records in the project and with the caller's own usage. */
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

    /** Renames the caller's own account. @throws AppError not_found for another account, precondition_failed. */
    async rename(
      tx: Tx,
      { actor }: Caller,
      id: string,
      ifMatch: readonly number[] | undefined,
      name?: string,
    ): Promise<number> {
      // The UUID in the path may be written in capitals.
      if (id.toLowerCase() !== actor.userId) throw new AppError('not_found');
      const renamed = await renameUser(tx, name, actor, (user) => {
        if (ifMatch && !ifMatch.includes(user.version)) throw new AppError('precondition_failed');
      });
      return renamed.version;
    },
  };
}
export type UserStore = ReturnType<typeof createUserStore>;
