import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface PgBouncer {
  url: string;
  stop(): Promise<void>;
}

/** The names of the services. Each service has a separate login at the pooler, because a session of a pooler cannot choose a role by its options. */
const LOGINS = ['admin_auth', 'platform_api', 'runtime_api', 'prompt_api'];
const PASSWORD = 'pooled';
const LIMITS = 'SET statement_timeout = 1900; SET idle_in_transaction_session_timeout = 10000';

/**
 * Starts a PgBouncer in transaction mode on a port of 127.0.0.1. It forwards connections to a database server for tests, which has the
 * roles of the services.
 *
 * @param serverUrl address of the maintenance database of this server, with a superuser
 */
export async function startPgBouncer(serverUrl: string, port: number): Promise<PgBouncer> {
  await createLogins(serverUrl);
  const server = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'millwright-pgbouncer-'));
  chmodSync(folder, 0o755); // PgBouncer refuses to run as root, so it reads its files as the user `nobody`
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  const logins = [[decodeURIComponent(server.username), decodeURIComponent(server.password)]].concat(
    LOGINS.map((login) => [`pooled_${login}`, PASSWORD]),
  );
  writeFileSync(users, logins.map(([name, password]) => `"${name}" "${password}"\n`).join(''));
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port} connect_query='${LIMITS}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 6
server_idle_timeout = 5
max_client_conn = 2000
server_login_retry = 1
`,
  );
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const bouncer = spawn('pgbouncer', ['-q', ...account, settings], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    bouncer.once('exit', () => {
      resolve();
    });
    bouncer.once('error', () => {
      resolve();
    });
  });
  const kill = () => bouncer.kill('SIGKILL');
  process.once('exit', kill);
  const end = Date.now() + 10_000;
  while (!(await accepts(port))) {
    if (bouncer.exitCode !== null || Date.now() > end) throw new Error('pgbouncer did not start');
    await sleep(25);
  }
  const url = new URL(serverUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function createLogins(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  for (const login of LOGINS) {
    await client.query(`CREATE ROLE pooled_${login} LOGIN PASSWORD '${PASSWORD}' IN ROLE millwright_${login}`);
    await client.query(`ALTER ROLE pooled_${login} SET role = 'millwright_${login}'`);
  }
  await client.end();
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true);
      socket.destroy();
    }).on('error', () => {
      resolve(false);
    });
  });
}
