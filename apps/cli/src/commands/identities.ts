import { requireUserByEmail } from '@millwright/accounts';
import { listSsoIdentities, unlinkSsoIdentity } from '@millwright/accounts/identities';
import type { Command } from 'commander';
import type { Run } from './run.js';

export function identityCommands(program: Command, run: Run): void {
  const identities = program.command('identities').description('Manage the sign-in of a user by identity providers');
  identities
    .command('list')
    .description('List linked identities, oldest first')
    .argument('<email>')
    .action(
      run(async ({ db }, _options, email: string) =>
        listSsoIdentities(db, (await requireUserByEmail(db.prisma, email)).id),
      ),
    );
  identities
    .command('unlink')
    .description(
      'Unlink a user from an identity provider and end the sessions that it opened. It links the user again at the next sign-in where link_by_verified_email or SCIM allows it.',
    )
    .argument('<email>')
    .argument('<issuer>', "the identity provider's identifier (iss)")
    .action(
      run(({ change }, _options, email: string, issuer = '') =>
        change(async (tx, actor) => {
          const { id } = await requireUserByEmail(tx, email);
          return unlinkSsoIdentity(tx, id, { issuer }, actor, () => undefined);
        }),
      ),
    );
}
