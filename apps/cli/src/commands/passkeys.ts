import { listUserPasskeys, removeUserPasskeys, requireUserByEmail } from '@millwright/accounts';
import { decodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Command } from 'commander';
import type { Run } from './run.js';

export function passkeyCommands(program: Command, run: Run): void {
  const passkeys = program.command('passkeys').description('Manage passkeys of a user');
  passkeys
    .command('list')
    .description('List passkeys, oldest first')
    .argument('<email>')
    .action(
      run(async ({ db }, _options, email: string) =>
        listUserPasskeys(db, (await requireUserByEmail(db.prisma, email)).id),
      ),
    );
  passkeys
    .command('remove')
    .description('Remove one passkey, or all of them. Sessions go on: sessions revoke ends them.')
    .argument('<email>')
    .argument('[id]')
    .action(
      run(({ change }, _options, email: string, id?: string) =>
        change(async (tx, actor) => {
          const user = await requireUserByEmail(tx, email);
          const uuid = id === undefined ? undefined : decodeId('pk', id);
          if (id !== undefined && uuid === undefined) throw new AppError('not_found');
          return removeUserPasskeys(tx, user.id, uuid, actor, () => undefined);
        }),
      ),
    );
}
