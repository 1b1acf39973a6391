import { recordDecision } from '@millwright/audit';
import { Prisma, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { createSecretBox, SecretUnreadable, type SecretBox } from '@millwright/secrets';
import type { Command } from 'commander';
import { resealed, SEALED_COLUMNS, type SealedColumn, type SealedRow } from '../sealed-columns.js';
import type { Run } from './run.js';

/** Number of rows per transaction. */
const STEP = 100;

interface Resealed {
  resealed: number;
  /** Number of values that no configured key can open. */
  unreadable: number;
}

/**
 * Seals the values of the next rows again, under the first key. @returns the key of the last row, as text; undefined when no row
 * is left
 */
async function resealStep(
  tx: Tx,
  secrets: SecretBox,
  sealed: SealedColumn,
  after: string,
  counts: Resealed,
): Promise<string | undefined> {
  const [table, column] = [Prisma.raw(sealed.table), Prisma.raw(sealed.column)];
  const key = Prisma.raw(`concat_ws(' ', ${sealed.key.join(', ')})`);
  const rows = await tx.$queryRaw<SealedRow[]>`
    SELECT ${Prisma.raw(sealed.key.join(', '))}, ${column} AS value, ${key} AS place FROM ${table}
     WHERE ${column} IS NOT NULL AND ${key} > ${after} ORDER BY ${key} LIMIT ${STEP} FOR UPDATE`;
  for (const row of rows) {
    try {
      const value = resealed(sealed, secrets, row, row['value']);
      if (value === undefined) continue;
      const stored = typeof value === 'string' ? Prisma.sql`${value}` : Prisma.sql`${JSON.stringify(value)}::json`;
      await tx.$executeRaw`UPDATE ${table} SET ${column} = ${stored} WHERE ${key} = ${row['place']}`;
      counts.resealed += 1;
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      counts.unreadable += 1;
    }
  }
  return rows.length < STEP ? undefined : String(rows.at(-1)?.['place']);
}

export function secretCommands(program: Command, run: Run): void {
  const secrets = program.command('secrets').description('Manage the key ring SECRETS_KEYS');
  secrets
    .command('reseal')
    .description('Seal every stored secret under the first key of SECRETS_KEYS, so that the other keys can be removed')
    .action(
      run(async ({ change, config: { SECRETS_KEYS: keys } }) => {
        if (!keys) throw invalidField('SECRETS_KEYS', 'must be set, as for the services');
        const box = createSecretBox(keys);
        const counts: Resealed = { resealed: 0, unreadable: 0 };
        for (const column of SEALED_COLUMNS) {
          let after: string | undefined = '';
          while (after !== undefined) {
            const from: string = after;
            after = await change((tx) => resealStep(tx, box, column, from, counts));
          }
        }
        const result = { key: keys[0]?.id ?? '', ...counts };
        await change((tx, actor) =>
          recordDecision(tx, { actor, action: 'secrets.reseal', resource: result.key, detail: { ...counts } }),
        );
        return result;
      }),
    );
}
