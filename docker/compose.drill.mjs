// @ts-check
import assert from 'node:assert/strict';
import { describe, it, before, after } from 'node:test';
import { areas } from '../k8s/verify/rules.mjs';
import { freePorts } from '../tools/ports.mjs';
import { root } from '../tools/workspace.mjs';
import { baseImages, buildImage } from './bases.mjs';
import { findEngine } from './engine.mjs';

/**
 * npm run compose:test: tests compose.yaml with a real engine and with no settings but free ports: a first start, the sign-in
 * by the first setup link, runs of agents, and an upgrade to other images that keeps all data.
 */

const engine = await findEngine();
const project = `millwright-drill-${process.pid}`;
const [base = 0, runtime = 0, prompt = 0] = await freePorts(3);
const [BASE, RUNTIME] = [base, runtime].map((port) => `http://localhost:${port}`);
const ports = { BASE_PORT: String(base), RUNTIME_PORT: String(runtime), PROMPT_PORT: String(prompt) };
const NEXT = 'next';
/** Duration of each step in seconds, printed at the end. @type {Record<string, number>} */
const figures = {};
/** @type {ReturnType<typeof baseImages>} */
let bases;

/** @param {string[]} args @param {Record<string, string>} [env] */
const compose = (args, env = {}) =>
  engine.docker(['compose', '--project-name', project, '--env-file', '/dev/null', ...args], {
    cwd: root,
    env: { ...ports, ...env },
  });
/** @param {string} name @param {() => void} step */
function timed(name, step) {
  const since = performance.now();
  step();
  figures[name] = Number(((performance.now() - since) / 1000).toFixed(1));
}
/** Runs an operator's command. @returns the parsed output. @param {string[]} args @param {Record<string, string>} [env] */
const cli = (args, env) =>
  JSON.parse(compose(['run', '--rm', '--no-deps', '--no-TTY', '--quiet-pull', 'cli', ...args, '--json'], env));

const CLIENT = `
const { url, form, file, ...options } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
if (form) options.body = new URLSearchParams(form);
if (file) { options.body = new FormData(); options.body.set('path', file.path); options.body.set('file', new Blob([file.text]), 'file'); }
const page = () => require('node:http').get(url, ({ statusCode, headers }) => {
  console.log(JSON.stringify({ status: statusCode, text: headers['content-type'] }));
  process.exit(0);
});
// Requests a page as a browser does, because fetch sends the headers of a script's request.
if (options.page) page();
else fetch(url, options).then(async (answer) => console.log(JSON.stringify({ status: answer.status, text: await answer.text() })));`;

/**
 * Sends a request to a published port. A container in the engine's network sends it, because Debian's engine has a separate network.
 *
 * @param {string} url
 * @param {object} [options] of fetch; `form` and `file` in place of a body, `page` for the type of a page
 * @returns {{ status: number, text: string, body: any }}
 */
function request(url, options = {}) {
  const args = ['run', '--rm', '--interactive', '--network', 'host', bases.node, 'node', '-e', CLIENT];
  const { status, text } = JSON.parse(engine.docker(args, { input: JSON.stringify({ url, ...options }) }));
  return { status, text, body: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
}
/** @param {string} token @param {unknown} [body] */
const authorized = (token, body) => ({
  headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
});
/** Returns the state of each container, by the name of its service. @returns {Record<string, any>} */
const states = () =>
  Object.fromEntries(
    compose(['ps', '--all', '--format', 'json'])
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((container) => [container.Service, container]),
  );

/** Values that the first release has stored, for the checks after the upgrade. @type {Record<string, any>} */
const kept = {};

before(async () => {
  await engine.prepare('builds');
  bases = baseImages(engine);
  for (const app of [...areas, 'cli']) {
    buildImage(engine, app);
    engine.docker(['tag', `millwright/${app}:local`, `millwright/${app}:${NEXT}`]);
  }
  await engine.prepare('containers');
});
after(() => {
  compose(['down', '--volumes', '--timeout', '60']);
  console.table(figures);
});

describe('docker compose up', { concurrency: false }, () => {
  it('starts every service in a checkout without settings, and all become healthy', () => {
    timed('first start', () => void compose(['up', '--detach', '--wait', '--no-build']));
    const all = states();
    for (const service of [...areas, 'postgres', 'redis']) assert.equal(all[service]?.Health, 'healthy', service);
    for (const service of ['volume-owner', 'keys', 'migrate']) assert.equal(all[service]?.ExitCode, 0, service);
  });

  it('prints no key and no password', () => {
    const logs = compose(['logs', '--no-color']);
    assert.doesNotMatch(logs, /PRIVATE KEY|SECRETS_KEYS=|postgresql:\/\/[^@\s]*:/);
  });

  it('gives no service the key of another service', () => {
    for (const service of ['platform-api', 'prompt-api', 'gateway'])
      assert.throws(() => compose(['exec', service, 'ls', '/run/keys']), /No such file/, service);
    for (const service of ['admin-auth', 'runtime-api'])
      assert.throws(() => compose(['exec', service, 'sh', '-c', 'echo x > /run/keys/signing-key.pem']), /Read-only/);
    // The gateway reads no secret: neither the key ring nor the database's password.
    for (const folder of ['/run/secrets', '/run/database'])
      assert.throws(() => compose(['exec', 'gateway', 'ls', folder]), /No such file/, folder);
  });

  it('starts an installation in which one CLI command creates the first setup link', () => {
    const { setup_url: link } = cli(['setup-token', 'create', '--email', 'admin@localhost']);
    assert.ok(link.startsWith(`${BASE}/`), link);
    // The page is shown only with a valid token, which the link has in its fragment.
    const { status, text } = request(link.replace('#', '?'), { page: true });
    assert.deepEqual([status, text.split(';')[0]], [200, 'text/html']);
  });

  it('serves an agent, which answers a message, and a file', () => {
    const { key } = cli(['keys', 'create', '--user', 'admin@localhost', '--name', 'Drill']);
    const client = cli(['clients', 'create', '--user', 'admin@localhost', '--name', 'Drill']);
    const agent = request(`${BASE}/api/v1/agents`, authorized(key, { name: 'Guide', description: 'Helps' }));
    assert.equal(agent.status, 201, agent.text);
    const form = {
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
    };
    const token = request(`${RUNTIME}/oauth/token`, { method: 'POST', form });
    assert.equal(token.status, 200, token.text);
    const { access_token } = token.body;
    const message = request(
      `${RUNTIME}/api/v1/agents/guide/messages`,
      authorized(access_token, { content: 'What is a mill?' }),
    );
    assert.equal(message.status, 200, message.text);
    const file = request(`${RUNTIME}/api/v1/files`, {
      ...authorized(access_token),
      method: 'POST',
      file: { path: 'notes/mill.txt', text: 'A mill grinds.' },
    });
    assert.equal(file.status, 201, file.text);
    Object.assign(kept, { key, token: access_token, agent: agent.body.id, file: file.body.id });
    kept['keys'] = request(`${RUNTIME}/.well-known/jwks.json`).body;
  });

  it('continues to serve after a restart of the database', () => {
    timed('database restarted', () => {
      compose(['restart', 'postgres']);
      compose(['up', '--detach', '--wait', '--no-build']);
    });
    assert.equal(request(`${BASE}/api/v1/agents/${kept['agent']}`, authorized(kept['key'])).status, 200);
  });

  it('starts services that exit with code 0 after docker compose stop', () => {
    timed('stop', () => void compose(['stop', '--timeout', '60']));
    const all = states();
    for (const service of areas) assert.equal(all[service]?.ExitCode, 0, service);
  });
});

describe('an upgrade', () => {
  it('replaces the container of every service by one of the new image', () => {
    const before = states();
    timed('upgrade', () => void compose(['up', '--detach', '--wait', '--no-build'], { TAG: NEXT }));
    const all = states();
    for (const service of areas) {
      assert.notEqual(all[service]?.ID, before[service]?.ID, service);
      assert.equal(all[service]?.Image, `millwright/${service}:${NEXT}`);
      assert.equal(all[service]?.Health, 'healthy', service);
    }
  });

  it('keeps data, files, keys and tokens from before the upgrade', () => {
    assert.equal(request(`${BASE}/api/v1/agents/${kept['agent']}`, authorized(kept['key'])).status, 200);
    assert.deepEqual(request(`${RUNTIME}/.well-known/jwks.json`).body, kept['keys']);
    const file = request(`${RUNTIME}/api/v1/files/${kept['file']}`, authorized(kept['token']));
    assert.deepEqual([file.status, file.text], [200, 'A mill grinds.']);
  });

  it('keeps data, also after docker compose down and a start', () => {
    compose(['down', '--timeout', '60'], { TAG: NEXT });
    timed('start again', () => void compose(['up', '--detach', '--wait', '--no-build'], { TAG: NEXT }));
    assert.equal(request(`${BASE}/api/v1/agents/${kept['agent']}`, authorized(kept['key'])).status, 200);
  });
});
