import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createBuilderProgram } from './builders/builder-program.js';
import { OPERATOR_GROUPS } from './operator-groups.js';
import { createOperatorProgram } from './operator-program.js';
import { leavesOf, nameOf } from './root-command.js';
import { buildProgram, createTestProgram, type TestProgram } from './test-program.js';

let program: TestProgram;
let database: TestDatabase;
let home: string;

beforeAll(async () => {
  [program, database] = await Promise.all([buildProgram(), createTestDatabase()]);
  home = mkdtempSync(join(tmpdir(), 'millwright-home-'));
});
afterAll(async () => {
  await database.drop();
  program.remove();
  rmSync(home, { recursive: true });
});

const SECRETS_KEYS = `test:${Buffer.alloc(32, 1).toString('base64')}`;
/** Values from earlier answers, which replace `$name` in the arguments below. */
const known: Record<string, string> = {};
type Answer = Record<string, string> & Record<string, string>[];

/**
 * Every command with valid arguments and, where needed, a function that returns the values of its answer that later commands use. The
 * commands run in this order, and each command uses records that earlier commands made.
 */
const COMMANDS: readonly (readonly [string, string, ((answer: Answer) => Record<string, string>)?])[] = [
  ['db migrate', '--jobs-owner'],
  ['db status', ''],
  ['users create', '--email root@example.com --name Root --platform-admin'],
  ['users promote', 'root@example.com'],
  ['users set-role', 'root@example.com admin'],
  ['users list', ''],
  ['setup-token create', '--email root@example.com'],
  ['device-code create', '--email root@example.com', ({ code = '' }) => ({ code })],
  ['session login', '--code $code --profile root'],
  ['session switch', 'root'],
  ['identities list', 'root@example.com'],
  ['sessions list', 'root@example.com'],
  ['sessions revoke', 'root@example.com'],
  ['passkeys list', 'root@example.com'],
  ['passkeys remove', 'root@example.com'],
  ['keys create', '--user root@example.com --name k', ({ id = '' }) => ({ key: id })],
  ['keys list', ''],
  ['keys unused', '--days 30'],
  ['keys rotate', '$key'],
  ['keys revoke', '$key'],
  ['clients create', '--user root@example.com --name c', ({ id = '' }) => ({ client: id })],
  ['clients list', ''],
  ['clients update', '$client --mcp-tools files/*'],
  ['clients rotate', '$client'],
  ['clients revoke', '$client'],
  ['signing-keys rotate', '--issuer admin-auth', ({ kid = '' }) => ({ kid })],
  ['signing-keys revoke', '$kid'],
  ['signing-keys list', ''],
  ['audit verify', ''],
  ['audit trace', 'run_0000000000000000000000'],
  ['quotas set', '--project Core --kind files --rows 10 --bytes 1000'],
  ['quotas list', ''],
  ['quotas unset', '--project Core --kind files'],
  ['quotas check', ''],
  ['projects list', ''],
  ['quotas recount', ''],
  ['secrets reseal', ''],

  ['users create', '--email ann@example.com --name Ann'],
  ['users disable', 'ann@example.com'],
  ['users enable', 'ann@example.com'],
  ['users erase', 'ann@example.com --yes'],
];
/** A command that prints JSON lines with and without the flag, because an audit log may be too long for one array. */
const LINES = 'audit export';
/** A command that needs an identity, which no command can create. */
const UNLINK = 'identities unlink';
/** Commands that other tests cover, because they need more than a database. */
const WITH_SERVICES = ['doctor', 'backup', 'restore'];
/** Commands that run without a database. */
const ANYWHERE = ['bridge login', 'bridge token', 'key-files create'];

const nowhere = {
  env: {},
  args: [],
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  exitCode: 0,
};
const NAMES = leavesOf(createOperatorProgram(nowhere)).map(nameOf);

const argsOf = (name: string, more: string) =>
  `${name} ${more}`
    .split(' ')
    .filter(Boolean)
    .map((arg) => (arg.startsWith('$') ? (known[arg.slice(1)] ?? '') : arg));
const run = (args: string[]) => program.run(args, { MILLWRIGHT_HOME: home, DATABASE_URL: database.url, SECRETS_KEYS });

it('the list of commands in this test contains every command', () => {
  expect(
    [...new Set([...COMMANDS.map(([name]) => name), LINES, UNLINK, ...ANYWHERE, ...WITH_SERVICES])].sort(),
  ).toEqual([...NAMES].sort());
});

describe('millwright --json prints only one object or array', () => {
  it.each(COMMANDS.map(([name, more, keep]) => ({ name, more, keep })))(
    'for $name $more',
    async ({ name, more, keep }) => {
      const { code, out, err } = await run([...argsOf(name, more), '--json']);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out.trimEnd()).not.toContain('\n');
      const answer = JSON.parse(out) as Answer;
      expect(typeof answer).toBe('object');
      Object.assign(known, keep?.(answer));
    },
  );

  it(`for ${UNLINK}`, async () => {
    await run(argsOf('users create', '--email linked@example.com --name Linked'));
    const db = createDatabase({ url: database.url, poolMax: 1 });
    const { id } = await db.prisma.user.findUniqueOrThrow({ where: { email: 'linked@example.com' } });
    await db.prisma.ssoIdentity.create({ data: { id, user_id: id, issuer: 'https://idp.example', subject: 's' } });
    const { code, out } = await run([...argsOf(UNLINK, 'linked@example.com https://idp.example'), '--json']);
    expect({ code, answer: JSON.parse(out) as object }).toEqual({ code: 0, answer: { sessions: 0 } });
    expect(await db.prisma.ssoIdentity.count()).toBe(0);
    await db.close();
  });

  it(`for ${LINES}, one object per line`, async () => {
    const { code, out } = await run([...argsOf(LINES, ''), '--json']);
    expect(code).toBe(0);
    for (const line of out.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
  });
});

describe('without DATABASE_URL', () => {
  const refused = { code: 78, out: '', names: true };
  const outcome = async (millwright: TestProgram, name: string, more: string) => {
    const { code, out, err } = await millwright.run(argsOf(name, more));
    return { name, code, out, names: err.includes('DATABASE_URL: is required') };
  };

  it('a command exits 78 without output', async () => {
    expect(await outcome(program, 'db status', '')).toEqual({ name: 'db status', ...refused });
  });

  it('every command that needs a database exits 78 without output', async () => {
    const inProcess = createTestProgram();
    const names = new Map([...COMMANDS, [LINES, ''] as const].map(([name, more]) => [name, more]));
    const outcomes = await Promise.all([...names].map(([name, more]) => outcome(inProcess, name, more)));
    inProcess.remove();
    expect(outcomes).toEqual([...names.keys()].map((name) => ({ name, ...refused })));
  });
});

const everyLeaf = () => [createOperatorProgram(nowhere), createBuilderProgram(nowhere)].flatMap(leavesOf);

describe('the help of every command', () => {
  it('names --json', () => {
    for (const command of everyLeaf()) {
      if (!OPERATOR_GROUPS.some((group) => group === command.name()) && command.name() !== 'admin')
        expect(command.helpInformation()).toContain('--json');
    }
  });

  it('describes each option', () => {
    const bare = everyLeaf().flatMap((command) =>
      command.options.filter(({ description }) => description === '').map(({ flags }) => `${command.name()} ${flags}`),
    );
    expect(bare).toEqual([]);
  });
});

describe('commands of operators', () => {
  it('have exactly the groups of OPERATOR_GROUPS, for which the program loads the code of operator commands', () => {
    expect(createOperatorProgram(nowhere).commands.map((command) => command.name())).toEqual([...OPERATOR_GROUPS]);
  });

  it('work with and without the word admin before the command', async () => {
    const millwright = createTestProgram();
    const env = { DATABASE_URL: database.url };
    const [short, long, late] = await Promise.all([
      millwright.run(['users', 'list', '--json'], env),
      millwright.run(['admin', 'users', 'list', '--json'], env),
      millwright.run(['--json', 'admin', 'users', 'list'], env),
    ]);
    millwright.remove();
    expect(long).toEqual(short);
    expect(late).toEqual(short);
    expect(short.code).toBe(0);
  });
});
