// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../ports.mjs';
import { isAlive } from '../process-state.mjs';
import { createService, stopLeftovers } from './service.mjs';

/** A program that behaves like a service: it becomes ready on its admin port, writes log lines, and ends after SIGTERM. */
const FAKE = `
import { createServer } from 'node:http';
if (process.env.BROKEN) process.exit(78);
console.log(JSON.stringify({ level: 'info', msg: 'quiet' }));
console.log(JSON.stringify({ level: 'warn', msg: 'loud' }));
createServer((request, response) => response.end()).listen(Number(process.env.ADMIN_PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

describe('createService', () => {
  /** @type {string} */
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'millwright-service-'));
    mkdirSync(join(folder, 'pids'));
    writeFileSync(join(folder, 'main.mjs'), FAKE);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** @param {NodeJS.ProcessEnv} [env] */
  async function fakeService(env) {
    const [port] = await freePorts(1);
    /** @type {string[]} */
    const said = [];
    /** @type {number[]} */
    const pids = [];
    const service = createService(
      {
        name: 'fake',
        main: join(folder, 'main.mjs'),
        url: '',
        adminUrl: `http://127.0.0.1:${port}`,
        env: { ...process.env, ADMIN_PORT: String(port), ...env },
      },
      {
        logFolder: join(folder, 'logs'),
        pidFolder: join(folder, 'pids'),
        say: (line) => void said.push(line),
        started: (_name, pid) => void pids.push(pid),
      },
    );
    return { service, said, pids };
  }

  /** @param {() => boolean} condition */
  async function until(condition) {
    for (const end = Date.now() + 60_000; !condition(); await sleep(20)) assert.ok(Date.now() < end, 'took too long');
  }

  it('logs every line and shows warnings', async () => {
    const { service, said } = await fakeService();
    await service.start();
    await until(() => said.length > 0);
    await service.stop();
    assert.deepEqual(said, ['[fake] {"level":"warn","msg":"loud"}']);
    assert.match(readFileSync(join(folder, 'logs', 'fake.log'), 'utf8'), /quiet[^]*loud/);
  });

  it('restarts a killed process, and leaves no process after a stop', async () => {
    const { service, pids, said } = await fakeService();
    await service.start();
    for (let kills = 1; kills <= 3; kills += 1) {
      process.kill(Number(pids.at(-1)), 'SIGKILL');
      await until(() => said.filter((line) => line.includes('is back')).length === kills);
    }
    await service.stop();
    assert.equal(new Set(pids).size, 4);
    assert.ok(!pids.some(isAlive));
    assert.deepEqual(readdirSync(join(folder, 'pids')), []);
  });

  it('does not retry a service that cannot start', async () => {
    const { service, pids } = await fakeService({ BROKEN: '1' });
    await assert.rejects(service.start(), /fake did not start: it ended with exit code 78/);
    await service.stop();
    assert.equal(pids.length, 1);
  });

  it('ends an orphaned process at the next start, and no unrelated process', async () => {
    const left = spawn(process.execPath, [join(folder, 'main.mjs')], {
      env: { ...process.env, ADMIN_PORT: '0' },
      stdio: 'ignore',
    });
    writeFileSync(join(folder, 'pids', 'fake'), `${left.pid} ${join(folder, 'main.mjs')}`);
    writeFileSync(join(folder, 'pids', 'stranger'), `${process.pid} ${join(folder, 'main.mjs')}`);
    await stopLeftovers(join(folder, 'pids'));
    assert.ok(!isAlive(Number(left.pid)));
    assert.deepEqual(readdirSync(join(folder, 'pids')), []);
  });
});
