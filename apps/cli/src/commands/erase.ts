import { createInterface } from 'node:readline/promises';
import { eraseUser, requireUserByEmail } from '@millwright/accounts';
import { decodeId, encodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Command } from 'commander';
import { CommandRefused } from '../command-refused.js';
import type { CliSession } from '../session.js';
import type { Terminal } from '../terminal.js';
import type { Run } from './run.js';

export function eraseCommand(users: Command, run: Run): void {
  users
    .command('erase')
    .description(
      'Erase a person for good: delete what is theirs alone, and remove them from the rest and from the audit log',
    )
    .argument('<email|id>')
    .option('--yes', 'do not ask for confirmation', false)
    .action(
      run(async (session, { yes }: { yes: boolean }, account: string) => {
        const { id, email } = await findAccount(session, account);
        if (!yes) await confirm(session.terminal, email);
        const actor = await session.db.transaction((tx) => session.actorOf(tx));
        if (!actor) throw new CommandRefused('Create another platform admin first: users create --platform-admin');
        return eraseUser(session.db, id, actor);
      }),
    );
}

/**
 * Finds the account by its email address or its id. After an interrupted erasure, it can be found only by its id.
 * @throws AppError not_found when there is no such account
 */
async function findAccount({ db }: CliSession, account: string): Promise<{ id: string; email: string }> {
  const id = decodeId('usr', account);
  if (!id) return requireUserByEmail(db.prisma, account);
  const user = await db.prisma.user.findUnique({ where: { id } });
  if (!user) throw new AppError('not_found', { fields: [{ field: encodeId('usr', id), reason: 'is no account' }] });
  return user;
}

/** @throws CommandRefused without a terminal, or when the typed text is not the address. */
async function confirm({ input, errors }: Terminal, email: string): Promise<void> {
  if (!input.isTTY) throw new CommandRefused('This cannot be undone. Confirm it with --yes.');
  const terminal = createInterface({ input, output: errors });
  const answer = await terminal.question(`This cannot be undone. Type ${email} to erase the account: `);
  terminal.close();
  if (answer.trim() !== email) throw new CommandRefused('Nothing was erased: that is not the address.');
}
