import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, listen } from '@millwright/testing';
import type { Command } from 'commander';
import { BUILDER_EXAMPLES } from './builder-examples.js';
import { createBuilderProgram } from './builder-program.js';
import { OPERATOR_EXAMPLES } from '../operator-examples.js';
import { OPERATOR_GROUPS } from '../operator-groups.js';
import { createOperatorProgram } from '../operator-program.js';
import { leavesOf, nameOf } from '../root-command.js';
import { createTestProgram, type TestProgram } from '../test-program.js';

let millwright: TestProgram;
let folder: string;

beforeAll(() => {
  millwright = createTestProgram();
  folder = mkdtempSync(join(tmpdir(), 'millwright-builders-'));
});
afterAll(() => {
  millwright.remove();
  rmSync(folder, { recursive: true });
});

const nowhere = {
  env: {},
  args: [],
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  exitCode: 0,
};
const run = (args: string[], env: Record<string, string> = {}, typed = '') => millwright.run(args, env, typed);

/** Starts an installation whose three services answer every request alike. */
async function answering(status: number, type: string, body: string, headers: Record<string, string> = {}) {
  const requests: { url: string; headers: Record<string, string | string[] | undefined> }[] = [];
  const app = await listen((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  });
  const env = { BASE_URL: app.url, RUNTIME_URL: app.url, PROMPT_API_URL: app.url, MILLWRIGHT_API_KEY: 'mw_live_x' };
  return { env, requests, close: () => app.close() };
}

const errorOf = (text: string) => (JSON.parse(text) as { error: Record<string, unknown> }).error;

describe('the examples', () => {
  const examples = { ...BUILDER_EXAMPLES, ...OPERATOR_EXAMPLES };

  it('exist for every command and for nothing else', () => {
    const groups: readonly string[] = [...OPERATOR_GROUPS, 'admin'];
    const builders = leavesOf(createBuilderProgram(nowhere)).map(nameOf);
    const operators = leavesOf(createOperatorProgram(nowhere)).map(nameOf);
    const names = [...builders.filter((name) => !groups.includes(name)), ...operators];
    expect(Object.keys(examples).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(examples).flatMap(([name, lines]) => lines.map((line) => ({ name, line }))))(
    'can be parsed: millwright $line',
    async ({ name, line }) => {
      const words =
        (line.split(/ [<>] /)[0] ?? '').match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
      const isOperators = name in OPERATOR_EXAMPLES;
      const program = (isOperators ? createOperatorProgram : createBuilderProgram)(nowhere);
      const ran: string[] = [];
      for (const command of leavesOf(program))
        command.action((...received) => void ran.push(nameOf(received.at(-1) as Command)));
      await program.parseAsync(words[0] === 'admin' ? words.slice(1) : words, { from: 'user' });
      expect(ran).toEqual([name]);
    },
  );
});

describe('millwright for builders', () => {
  it('exits with code 3 without a login, and names the command that logs in', async () => {
    const { code, out, err } = await run(['agents', 'list']);
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain('millwright login');
    const json = await run(['agents', 'list', '--json']);
    expect(errorOf(json.err)).toMatchObject({ code: 'not_logged_in' });
  });

  it('exits with code 3 for a profile that does not exist', async () => {
    const { code, err } = await run(['--profile', 'nope', 'runs', 'list']);
    expect(code).toBe(3);
    expect(err).toContain('There is no login "nope"');
  });

  it('exits with code 4 and prints the address when the installation does not answer', async () => {
    const url = `http://localhost:${await freePort()}`;
    const env = { MILLWRIGHT_API_KEY: 'mw_live_x', BASE_URL: url, RUNTIME_URL: url, PROMPT_API_URL: url };
    const { code, err } = await run(['agents', 'list', '--json'], env);
    expect(code).toBe(4);
    expect(errorOf(err)).toMatchObject({ code: 'unreachable', service: 'platform' });
    expect(err).toContain(url);
  });

  it('exits with code 1 and prints the content type of the answer when the address returns a web page', async () => {
    const page = await answering(200, 'text/html', '<html>');
    const { code, err } = await run(['agents', 'list'], page.env);
    await page.close();
    expect(code).toBe(1);
    expect(err).toContain('answered 200 with text/html');
  });

  it('status prints each service, and exits with the code for the first service that cannot be used', async () => {
    const page = await answering(200, 'application/json', '[]');
    const RUNTIME_URL = `http://localhost:${await freePort()}`;
    const { code, out, err } = await run(['status', '--json'], { ...page.env, RUNTIME_URL });
    await page.close();
    expect({ code, err }).toEqual({ code: 4, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      platform: 'ok',
      prompt: 'ok',
      runtime: expect.stringContaining(RUNTIME_URL) as string,
    });
  });

  it('exits with code 3 when the credential is refused', async () => {
    const body = JSON.stringify({
      error: { code: 'unauthorized', message: 'Missing or invalid credential.', status: 401 },
    });
    const app = await answering(401, 'application/json', body);
    const { code, err } = await run(['agents', 'list', '--json'], app.env);
    await app.close();
    expect(code).toBe(3);
    expect(errorOf(err)).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('prints, with --json, the code, status, service, request id and documentation page of an error', async () => {
    const body = JSON.stringify({
      error: { code: 'NOT_FOUND', message: 'No run.', details: { field: 'run_id', reason: 'is unknown' } },
    });
    const page = 'https://example.com/docs/errors/not_found';
    const headers = { 'x-request-id': 'req-1', link: `<${page}>; rel="help"` };
    const app = await answering(404, 'application/json', body, headers);
    const { code, err } = await run(['runs', 'show', 'run_1', '--json'], app.env);
    await app.close();
    expect(code).toBe(1);
    expect(errorOf(err)).toEqual({
      code: 'not_found',
      message: 'No run. run_id: is unknown',
      status: 404,
      service: 'runtime',
      request_id: 'req-1',
      doc_url: page,
    });
  });

  it('sends a request at most three times, with the same Idempotency-Key, when the answer is 503', async () => {
    const body = JSON.stringify({ error: { code: 'UNAVAILABLE', message: 'Try again shortly.' } });
    const app = await answering(503, 'application/json', body, { 'retry-after': '0' });
    const { code } = await run(['runs', 'cancel', 'run_1'], app.env);
    await app.close();
    expect(code).toBe(1);
    const keys = app.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('runs show prints the position of a queued run', async () => {
    const subject = { kind: 'agent', id: 'ag_1', name: 'guide', version: 1 };
    const none = { waiting_for: null, title: null, context_id: null, ended_at: null, cost_usd: null, error: null };
    const queued = { id: 'run_1', state: 'queued', subject, channel: 'messages', queued_at: '2026-01-01T00:00:00Z' };
    const app = await answering(200, 'application/json', JSON.stringify({ ...queued, ...none, queue_position: 7 }));
    const { code, out } = await run(['runs', 'show', 'run_1'], app.env);
    await app.close();
    expect(code).toBe(0);
    expect(out).toMatch(/^queue_position +7$/m);
  });

  it('sends the API key to the prompt API as a Bearer token', async () => {
    const app = await answering(200, 'application/json', '[]');
    const { code, out } = await run(['prompts', 'list', '--json'], app.env);
    await app.close();
    expect({ code, out }).toEqual({ code: 0, out: '{"items":[]}\n' });
    expect(app.requests[0]?.headers).toMatchObject({ authorization: 'Bearer mw_live_x' });
    expect(app.requests[0]?.url).not.toContain('json=');
  });

  it.each([
    ['an unknown command', ['agent', 'list'], 'unknown command'],
    ['an unknown option', ['agents', 'list', '--all'], 'unknown option'],
    ['a limit beyond 100', ['agents', 'list', '--limit', '101'], 'whole number from 1 to 100'],
    ['an unknown MCP client', ['mcp', 'connect', 'emacs'], 'Allowed choices'],
  ])('exits with code 2 for %s, and prints one JSON error with --json', async (_case, args, text) => {
    const plain = await run(args);
    expect({ code: plain.code, out: plain.out }).toEqual({ code: 2, out: '' });
    expect(plain.err).toContain(text);
    const json = await run([...args, '--json']);
    expect(json.code).toBe(2);
    expect(errorOf(json.err)).toMatchObject({ code: 'usage', message: expect.stringContaining(text) as string });
  });

  it('login refuses the address of another machine without TLS', async () => {
    const { code, err } = await run(['login', '--key', '--url', 'http://millwright.example.com'], {}, 'mw_live_x\n');
    expect(code).toBe(2);
    expect(err).toContain('must be https');
  });

  it('login requires options with the addresses of the other services when a remote installation does not publish these addresses', async () => {
    const { code, err } = await run(['login', '--key', '--url', 'https://millwright.invalid'], {}, 'mw_live_x\n');
    expect(code).toBe(2);
    expect(err).toContain('--runtime-url');
  });

  /** Starts an installation at one address. The installation publishes the given addresses of its services. */
  async function naming(addresses: (own: string) => object) {
    const seen: { url: string; authorization: string | undefined }[] = [];
    const app = await listen((request, response) => {
      seen.push({ url: request.url ?? '', authorization: request.headers.authorization });
      response.setHeader('content-type', 'application/json');
      if (request.url === '/.well-known/millwright.json') response.end(JSON.stringify(addresses(app.url)));
      else if (request.url === '/v1/user/me')
        response.end(JSON.stringify({ user: { email: 'ada@example.com', project: 'Core' } }));
      else response.end('{"items":[]}');
    });
    return { app, seen };
  }

  it('login reads the addresses of the other services from the installation before it sends the API key', async () => {
    const { app, seen } = await naming((own) => ({ base_url: own, runtime_url: own, prompt_api_url: own }));
    const { code, out } = await run(
      ['login', '--key', '--url', app.url, '--profile', 'found', '--json'],
      {},
      'mw_live_x\n',
    );
    await app.close();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ base_url: app.url, runtime_url: app.url, prompt_url: app.url });
    expect(seen[0]).toEqual({ url: '/.well-known/millwright.json', authorization: undefined });
  });

  it.each([
    [
      'another base address',
      (own: string) => ({ base_url: 'https://other.example.com', runtime_url: own, prompt_api_url: own }),
      1,
      'https://other.example.com',
    ],
    [
      'an address without TLS',
      (own: string) => ({ base_url: own, runtime_url: 'http://run.example.com', prompt_api_url: own }),
      2,
      'must be https',
    ],
  ])(
    'login refuses an installation that publishes %s, and sends no API key to that installation',
    async (_case, addresses, expected, text) => {
      const { app, seen } = await naming(addresses);
      const { code, err } = await run(['login', '--key', '--url', app.url], {}, 'mw_live_x\n');
      await app.close();
      expect(code).toBe(expected);
      expect(err).toContain(text);
      expect(seen.map(({ url }) => url)).toEqual(['/.well-known/millwright.json']);
    },
  );
});

describe('millwright --version and --help', () => {
  it('print to standard output and exit 0', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, out: '0.0.0-source\n', err: '' });
    const help = await run(['--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    for (const word of ['agents', 'prompts', 'admin', 'Exit codes']) expect(help.out).toContain(word);
    expect(help.out).not.toContain('signing-keys');
    expect((await run(['admin', '--help'])).out).toContain('signing-keys');
    expect((await run(['runs', 'tail', '--help'])).out).toContain('Examples:\n  millwright runs tail');
  });
});

describe('millwright mcp connect', () => {
  const env = {
    MILLWRIGHT_API_KEY: 'mw_live_x',
    BASE_URL: 'http://localhost:8080',
    RUNTIME_URL: 'https://run.example.com',
    PROMPT_API_URL: 'http://localhost:8082',
  };
  const url = 'https://run.example.com/api/v1/mcp/platform/mcp';
  const connect = (client: string, file: string, ...more: string[]) =>
    run(['mcp', 'connect', client, '--file', file, ...more], { ...env, HOME: folder });

  it.each([
    ['claude-desktop', 'mcpServers', { command: 'npx', args: ['-y', 'mcp-remote', url] }],
    ['claude-code', 'mcpServers', { type: 'http', url }],
    ['cursor', 'mcpServers', { url }],
    ['vscode', 'servers', { type: 'http', url }],
  ])('writes a new configuration file for %s', async (client, member, server) => {
    const file = join(folder, client, 'new.json');
    expect(await connect(client, file, '--yes', '--json')).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ [member]: { millwright: server } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { out } = await connect(client, file, '--yes', '--json');
    expect(JSON.parse(out)).toMatchObject({ changed: false });
  });

  it('prints the change, and preserves the comments, order, indentation and permissions of the file', async () => {
    const file = join(folder, 'kept.json');
    const before =
      '{\n    // mine\n    "theme": "dark",\n    "servers": {\n        "other": { "url": "x" } // keep\n    },\n}\n';
    writeFileSync(file, before, { mode: 0o640 });
    const { code, err } = await connect('vscode', file, '--yes');
    expect(code).toBe(0);
    expect(err).toContain('+        "millwright": {');
    const after = readFileSync(file, 'utf8');
    for (const line of before.split('\n')) expect(after).toContain(line.replace(/ \/\/ keep$/, ''));
    expect(after).toContain('// mine');
    expect(after).toContain('// keep');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('writes nothing without --yes when standard input is not a terminal', async () => {
    const file = join(folder, 'untouched.json');
    const { code, err } = await connect('cursor', file);
    expect(code).toBe(2);
    expect(err).toContain('--yes');
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it.each(['{"mcpServers": [', '[]', '{"mcpServers": 5}'])(
    'refuses a file with %s and leaves it unchanged',
    async (text) => {
      const file = join(folder, 'faulty.json');
      writeFileSync(file, text);
      const { code, err } = await connect('cursor', file, '--yes');
      expect(code).toBe(1);
      expect(err).toContain('nothing was changed');
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});

describe('millwright completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints the commands of builders and operators for %s', async (shell) => {
    const { code, out } = await run(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['agents', 'tail', 'claude-code', 'signing-keys']) expect(out).toContain(word);
  });
});
