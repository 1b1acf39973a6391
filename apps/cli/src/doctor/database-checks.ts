import { migrationStatus, readMigrations } from '@millwright/db/migrations';
import { Prisma } from '@millwright/db';
import { createSecretBox, SecretUnreadable } from '@millwright/secrets';
import { migrationsFolder } from '../database/migrations-folder.js';
import { SEALED_COLUMNS, type SealedColumn, type SealedRow } from '../sealed-columns.js';
import { failed, ok, skipped, warning, type Check, type Finding } from './check.js';

/** The major version of PostgreSQL that the migrations are written for. */
const POSTGRES = 18;
/** Difference in seconds between a clock and the clock of the database from which a warning or a failure is reported. */
export const CLOCK = { warn: 1, fail: 5 };

export const databaseChecks: readonly Check[] = [
  {
    name: 'database',
    next: 'Check DATABASE_URL, the network and the server.',
    async run({ db }) {
      const [row] = await db.prisma.$queryRaw<{ version: number }[]>`
        SELECT current_setting('server_version_num')::int / 10000 AS version`;
      const version = row?.version ?? 0;
      if (version >= POSTGRES) return [ok(`PostgreSQL ${version} answers`)];
      return [failed(`PostgreSQL is version ${version}`, `Move to PostgreSQL ${POSTGRES}.`)];
    },
  },
  {
    name: 'schema',
    next: 'Run: millwright admin db migrate --roles',
    async run({ config }) {
      const { applied, pending } = await migrationStatus(config.DATABASE_URL, readMigrations(migrationsFolder(config)));
      if (pending.length === 0) return [ok(`all ${applied.length} migrations are applied`)];
      return [
        failed(
          `${pending.length} migrations are pending, the first is ${pending[0] ?? ''}`,
          'Run: millwright admin db migrate --roles',
        ),
      ];
    },
  },
  {
    name: 'clock of this machine',
    next: 'Correct the database check first.',
    async run({ db }) {
      const before = Date.now();
      const [row] = await db.prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
      const here = (before + Date.now()) / 2;
      return [clockFinding('This machine', (here - Number(row?.now)) / 1_000)];
    },
  },
  {
    name: 'platform admin',
    next: 'Correct the database check first.',
    async run({ db }) {
      const admins = await db.prisma.user.count({ where: { platform_admin: true, status: 'active' } });
      if (admins > 0) return [ok(`${admins} active`)];
      return [
        failed(
          'Nobody can administer the installation',
          'Run: millwright admin users create --platform-admin --email <email> --name <name>',
        ),
      ];
    },
  },
  {
    name: 'stored secrets',
    next: 'Correct SECRETS_KEYS and the database check first.',
    async run({ db, config: { SECRETS_KEYS: keys } }) {
      if (!keys) return [skipped('SECRETS_KEYS')];
      const box = createSecretBox(keys);
      const counts = { current: 0, former: 0, unreadable: 0 };
      for (const column of SEALED_COLUMNS) {
        for await (const row of rowsOf(column, (sql) => db.prisma.$queryRaw<SealedRow[]>(sql)))
          for (const { sealed, place } of column.values(row, row['value'])) {
            if (sealed === '') continue;
            counts[stateOf(() => box.open(sealed, place), box.isCurrent(sealed))] += 1;
          }
      }
      return secretFindings(counts);
    },
  },
];

export function clockFinding(whose: string, seconds: number): Finding {
  const text = `${whose} differs by ${Math.abs(seconds).toFixed(1)} s from the database`;
  const next = 'Synchronize the clocks by NTP: tokens and proofs are refused by clocks that differ.';
  if (!(Math.abs(seconds) <= CLOCK.fail)) return failed(text, next);
  return Math.abs(seconds) > CLOCK.warn ? warning(text, next) : ok(text);
}

/** Number of rows per query. */
const STEP = 500;

async function* rowsOf(column: SealedColumn, read: (sql: Prisma.Sql) => Promise<SealedRow[]>) {
  const key = Prisma.raw(`concat_ws(' ', ${column.key.join(', ')})`);
  const [table, value] = [Prisma.raw(column.table), Prisma.raw(column.column)];
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: SealedRow[] = await read(Prisma.sql`
      SELECT ${Prisma.raw(column.key.join(', '))}, ${value} AS value, ${key} AS place FROM ${table}
       WHERE ${value} IS NOT NULL AND ${key} > ${after} ORDER BY ${key} LIMIT ${STEP}`);
    yield* rows;
    after = rows.length < STEP ? undefined : String(rows.at(-1)?.['place']);
  }
}

function stateOf(open: () => string, isCurrent: boolean): 'current' | 'former' | 'unreadable' {
  try {
    open();
    return isCurrent ? 'current' : 'former';
  } catch (error) {
    if (error instanceof SecretUnreadable) return 'unreadable';
    throw error;
  }
}

function secretFindings({ current, former, unreadable }: { current: number; former: number; unreadable: number }) {
  const findings: Finding[] = [ok(`${current} are sealed under the first key of SECRETS_KEYS`)];
  if (former > 0)
    findings.push(warning(`${former} are sealed under former keys`, 'Run: millwright admin secrets reseal'));
  if (unreadable > 0)
    findings.push(
      failed(
        `${unreadable} can be opened by no key of SECRETS_KEYS`,
        'Add the key that is missing to SECRETS_KEYS, or enter these secrets again in the console.',
      ),
    );
  return findings;
}
