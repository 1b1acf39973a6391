import { ConflictError, Millwright, NotFoundError } from '@millwright/sdk';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packCli } from '../tools/cli-package.mjs';
import { createBuilderShell } from './harness/builder.js';
import { callers } from './harness/calls.js';
import { operatorWith } from './harness/operator.js';
import { startPlatform, type Platform } from './harness/platform.js';
import { ratingPrompt } from './harness/rating-prompt.js';

let model: FakeModel;
let platform: Platform;
let call: ReturnType<typeof callers>;

beforeAll(async () => {
  model = await createFakeModel();
  platform = await startPlatform({
    env: { MODEL_BASE_URL: model.url, MODEL_API_KEY: 'model-key', MODEL_NAME: 'house-model' },
  });
  call = callers(platform);
});

afterAll(async () => {
  await platform.stop();
  await model.close();
});

describe('a conversation with an agent that has a skill', () => {
  it("sends instructions, parameters and history to the model, and returns the model's answer", async () => {
    const skill = await call.platform<{ id: string }>('/skills', {
      body: {
        name: 'Plain words',
        description: 'Explains simply',
        instructions: 'Explain as to a neighbour.',
        parameters: { length: { type: 'string', enum: ['short', 'long'], default: 'short' } },
      },
    });
    expect(skill.status).toBe(201);
    const agent = await call.platform<{ id: string; slug: string }>('/agents', {
      body: { name: 'Guide', description: 'Helps newcomers', instructions: 'Be brief.', skill_ids: [skill.body.id] },
    });
    expect(agent.status).toBe(201);

    model.answerWith('A mill grinds grain.');
    const first = await call.runtime<{ content: string; context_id: string }>('/api/v1/agents/guide/messages', {
      body: { content: 'What is a mill?' },
    });
    expect(first.status).toBe(200);
    expect(first.body.content).toBe('A mill grinds grain.');

    model.answerWith('By water or wind.');
    const second = await call.runtime<{ content: string }>('/api/v1/agents/guide/messages', {
      body: { content: 'How is it driven?', context_id: first.body.context_id },
    });
    expect(second.body.content).toBe('By water or wind.');

    const asked = model.requests.at(-1);
    expect(asked?.body.model).toBe('house-model');
    expect(asked?.headers['authorization']).toBe('Bearer model-key');
    const [system, ...turns] = asked?.body.messages ?? [];
    expect(system?.role).toBe('system');
    for (const part of ['Be brief.', 'Explain as to a neighbour.', 'length: string, one of "short", "long"']) {
      expect(system?.content).toContain(part);
    }
    expect(turns).toEqual([
      { role: 'user', content: 'What is a mill?' },
      { role: 'assistant', content: 'A mill grinds grain.' },
      { role: 'user', content: 'How is it driven?' },
    ]);
  });
});

describe('a run of a prompt', () => {
  it('renders the prompt, validates the answer and stores the conversation', async () => {
    const prompt = await call.prompt<{ id: string; _link: string }>('/prompt', {
      body: ratingPrompt('demo'),
    });
    expect(prompt.status).toBe(201);
    const input = { message: 'How good?', structured_data: { thing: 'bread' } };

    const rendered = await call.prompt<{ data: { static: string; parsed_tokens: string[] } }>(
      `/prompt/${prompt.body.id}`,
      { body: input },
    );
    expect(rendered.body.data).toMatchObject({ static: 'You rate bread.', parsed_tokens: ['thing', 'message'] });

    model.answerWith('{"stars": 5}');
    const run = await call.prompt<{
      success: boolean;
      data: { structured_data: object; conversation: { id: string } };
    }>(`/prompt/${prompt.body.id}/openai`, { body: input });
    expect(run.body).toMatchObject({ success: true, data: { structured_data: { stars: 5 } } });
    const kept = await call.prompt<{ message: { role: string; content: string }[] }>(
      `/conversation/${run.body.data.conversation.id}`,
    );
    expect(kept.body.message.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'How good?'],
      ['assistant', '{"stars": 5}'],
    ]);
  });
});

const GREETING = `title: Greeting
system: Greet {{name}}.
user: '{{message}}'
input:
  name: person
  type: structured_data
  schema:
    type: object
    properties:
      name: { type: string }
`;

describe('millwright doctor', () => {
  it('finds no fault in a running installation', async () => {
    const env = {
      ...platform.operatorSettings,
      BASE_URL: platform.baseUrl,
      RUNTIME_URL: platform.runtimeUrl,
      PROMPT_API_URL: platform.promptUrl,
    };
    const { ok, checks } = await operatorWith<{ ok: boolean; checks: { state: string }[] }>(env, 'doctor');
    expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(ok).toBe(true);
    expect(checks.filter(({ state }) => state === 'ok').length).toBeGreaterThan(12);
  });
});

describe('the packed command line', () => {
  it('works in an empty folder, without a workspace and without dependencies', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millwright-packed-'));
    const { file, bytes } = packCli(folder);
    expect(bytes).toBeLessThan(4 * 1_048_576);
    const run = promisify(execFile);
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, file]);
    const env = { PATH: process.env['PATH'], HOME: folder, MILLWRIGHT_API_KEY: platform.apiKey };
    const addresses = {
      BASE_URL: platform.baseUrl,
      RUNTIME_URL: platform.runtimeUrl,
      PROMPT_API_URL: platform.promptUrl,
    };
    const millwright = (...args: string[]) =>
      run('npx', ['--offline', 'millwright', ...args], { cwd: folder, env: { ...env, ...addresses } });
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect((await millwright('--version')).stdout).toBe(`${version}\n`);
    expect(JSON.parse((await millwright('status', '--json')).stdout)).toMatchObject({
      profile: 'environment',
      runtime: 'ok',
    });
    rmSync(folder, { recursive: true });
  });
});

/** Returns the texts of all files of a folder, by their paths within the folder. */
function textsIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(yaml|md)$/.test(path));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

describe('the command line of a builder', () => {
  let shell: ReturnType<typeof createBuilderShell>;
  beforeAll(() => {
    shell = createBuilderShell(platform);
  });
  afterAll(() => shell.remove());

  it('logs in with a key that it does not print, and shows the user and the state of each service', async () => {
    const { code, out, err } = await shell.run(['login', '--key'], `${platform.apiKey}\n`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('admin@localhost');
    expect(out).not.toContain(platform.apiKey);
    const status = { email: 'admin@localhost', by: 'key', platform: 'ok', runtime: 'ok', prompt: 'ok' };
    expect(await shell.json('status')).toMatchObject(status);
    const refused = await shell.run(['login', '--key', '--profile', 'bad'], 'mw_live_nope\n');
    expect(refused).toMatchObject({ code: 3, out: '' });
    expect(await shell.json('status')).toMatchObject({ profile: 'default', profiles: ['default'] });
  });

  it('logs in with a device code, and every service accepts the login', async () => {
    const { code: deviceCode = '' } = await platform.operator('device-code', 'create', '--email', 'admin@localhost');
    const login = ['login', '--code', deviceCode, '--name', 'test machine', '--profile', 'device'];
    expect(await shell.run(login)).toMatchObject({ code: 0, err: '' });
    const status = { by: 'device', platform: 'ok', runtime: 'ok', prompt: 'ok' };
    expect(await shell.json('status', '--profile', 'device')).toMatchObject(status);
    expect(await shell.json('logout', '--profile', 'device')).toEqual({ logged_out: 'device', profiles: ['default'] });
    expect(await shell.json('status')).toMatchObject({ profile: 'default', by: 'key' });
  });

  it('logs in with one address, and reads the other addresses from the installation', async () => {
    const login = ['login', '--key', '--url', platform.baseUrl, '--profile', 'one', '--json'];
    const { code, out } = await shell.run(login, `${platform.apiKey}\n`, { MILLWRIGHT_HOME: shell.folder });
    expect(code).toBe(0);
    const addresses = { runtime_url: platform.runtimeUrl, prompt_url: platform.promptUrl };
    expect(JSON.parse(out)).toMatchObject(addresses);
    await shell.json('logout', '--profile', 'one');
  });

  it('lists agents as a table, shows an agent, prints its answer, and shows its run', async () => {
    await call.platform('/agents', { body: { name: 'Miller', description: 'Grinds', instructions: 'Be brief.' } });
    model.answerWith('Flour comes from grain.');
    const { out } = await shell.run(['agents', 'list', '--search', 'Miller']);
    expect(out).toMatch(/^SLUG +NAME +STATUS/);
    expect(out).toMatch(/^miller +Miller +active/m);
    expect(await shell.json('agents', 'show', 'miller')).toMatchObject({ slug: 'miller', instructions: 'Be brief.' });
    const answer = await shell.run(['agents', 'run', 'miller', 'What is flour?']);
    expect(answer).toMatchObject({ code: 0, out: 'Flour comes from grain.\n' });
    const run = await shell.json<{ id: string; state: string; output: string }>('agents', 'run', 'miller', 'Again?');
    expect(run).toMatchObject({ state: 'completed', output: 'Flour comes from grain.' });
    expect(await shell.json('runs', 'show', run.id)).toMatchObject({ id: run.id, state: 'completed' });
    expect(await shell.run(['runs', 'tail', run.id])).toMatchObject({ code: 0, out: 'Flour comes from grain.\n' });
    const { items } = await shell.json<{ items: { id: string }[] }>('runs', 'list', '--agent', 'miller');
    expect(items[0]).toMatchObject({ id: run.id });
    expect((await shell.run(['agents', 'show', 'nobody'])).err).toContain('There is no agent "nobody"');
  });

  it('sends each line of the input of `agents chat` as a message of one conversation', async () => {
    model.answerWith(({ body }) => `You have sent ${body.messages.filter(({ role }) => role === 'user').length}.`);
    const { code, out, err } = await shell.run(['agents', 'chat', 'miller'], 'One\nTwo\n');
    expect({ code, out }).toEqual({ code: 0, out: 'You have sent 1.\nYou have sent 2.\n' });
    expect(err).toContain('Continue: millwright agents chat miller --context ');
  });

  it('cancels a run, and the command that follows the run exits 1', async () => {
    model.answerWith({ hang: true });
    const { id } = await shell.json<{ id: string }>('agents', 'run', 'miller', 'Wait', '--detach');
    const tail = shell.run(['runs', 'tail', id, '--json']);
    expect(await shell.json('runs', 'cancel', id)).toMatchObject({ id });
    const { code, err } = await tail;
    expect(code).toBe(1);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'run_canceled', run: { id, state: 'canceled' } } });
  });

  it('pulls prompts to files, pushes a change, refuses a stale file, and runs a prompt', async () => {
    const dir = join(shell.folder, 'prompts');
    const file = join(dir, 'greeting.yaml');
    await shell.json('prompts', 'pull', '--dir', dir);
    writeFileSync(file, GREETING);
    type Rows = { items: { file: string; prompt: string; version: number; result: string }[] };
    const rowOf = ({ items }: Rows) => items.find((row) => row.file === file);
    const created = rowOf(await shell.json<Rows>('prompts', 'push', file));
    expect(created).toMatchObject({ result: 'created', version: 1 });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(`id: ${created?.prompt}`);
    expect(rowOf(await shell.json<Rows>('prompts', 'push', file))).toMatchObject({ result: 'unchanged' });
    expect(rowOf(await shell.json<Rows>('prompts', 'pull', '--dir', dir))).toMatchObject({ result: 'unchanged' });
    writeFileSync(file, text.replace('Greet {{name}}', 'Greet {{name}} warmly'));
    expect(rowOf(await shell.json<Rows>('prompts', 'push', file, '--dry-run'))).toMatchObject({ result: 'updated' });
    expect(rowOf(await shell.json<Rows>('prompts', 'pull', '--dir', dir))).toMatchObject({
      result: 'kept: has changes',
    });
    const pushed = rowOf(await shell.json<Rows>('prompts', 'push', file, '--message', 'Warmer'));
    expect(pushed).toMatchObject({ result: 'updated', version: 2 });
    writeFileSync(file, text);
    expect(await shell.run(['prompts', 'push', file, '--json'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('"code":"changed_since"') as string,
    });
    model.answerWith('Good morning, Ann.');
    const run = ['prompts', 'run', created?.prompt ?? '', '--message', 'Hello', '--var', 'name=Ann'];
    expect(await shell.run(run)).toMatchObject({ code: 0, out: 'Good morning, Ann.\n' });
    expect(model.requests.at(-1)?.body.messages[0]?.content).toContain('Greet Ann warmly');
    expect(await shell.json(...run)).toMatchObject({ data: { message: { content: 'Good morning, Ann.' } } });
  });

  it('pulls skills to files, pushes a change, and pushes a new skill', async () => {
    const dir = join(shell.folder, 'skills');
    type Rows = { items: { file: string; skill: string; result: string }[] };
    const body = { name: 'Kind words', description: 'Explains kindly', instructions: 'Explain.', parameters: {} };
    await call.platform('/skills', { body });
    const { items } = await shell.json<Rows>('skills', 'pull', 'Kind words', '--dir', dir);
    const [{ file, skill } = { file: '', skill: '' }] = items;
    const before = readFileSync(file, 'utf8');
    expect(await shell.json<Rows>('skills', 'push', file)).toMatchObject({ items: [{ skill, result: 'unchanged' }] });
    writeFileSync(file, `${before}And kindly.\n`);
    expect(await shell.json<Rows>('skills', 'push', '--dir', dir)).toMatchObject({
      items: [{ skill, result: 'updated' }],
    });
    expect(await shell.json<Rows>('skills', 'pull', 'Kind words', '--dir', dir)).toMatchObject({
      items: [{ result: 'unchanged' }],
    });
    const fresh = join(shell.folder, 'fresh.md');
    writeFileSync(fresh, '---\nname: Fresh\ndescription: New\n---\n\nDo it.\n');
    expect(await shell.json<Rows>('skills', 'push', fresh)).toMatchObject({
      items: [{ skill: 'Fresh', result: 'created' }],
    });
    writeFileSync(fresh, 'no front matter');
    expect((await shell.run(['skills', 'push', fresh])).err).toContain('front matter');
  });

  it('uploads, lists, downloads and deletes a file', async () => {
    const source = join(shell.folder, 'report.txt');
    const target = join(shell.folder, 'back.txt');
    writeFileSync(source, 'All is well.');
    const { id } = await shell.json<{ id: string }>('files', 'upload', source, '--path', 'reports/report.txt');
    expect((await shell.run(['files', 'list', '--search', 'reports'])).out).toContain('reports/report.txt');
    expect(await shell.json('files', 'download', id, '--output', target)).toMatchObject({ file: target, size: 12 });
    expect(readFileSync(target, 'utf8')).toBe('All is well.');
    expect((await shell.run(['files', 'download', id, '--output', target])).err).toContain('exists');
    expect(await shell.json('files', 'delete', id)).toEqual({ id });
    expect((await shell.run(['files', 'download', id, '--json'])).code).toBe(1);
  });

  it('exports the installation to files, plans and applies changes, exports the same files again, and prunes records', async () => {
    const dir = join(shell.folder, 'installation');
    const create = async (path: string, body: object) => {
      const answer = await call.platform<{ id: string }>(path, { body });
      expect(answer.status).toBe(201);
      return answer.body.id;
    };
    const skill = await create('/skills', {
      name: 'As code',
      description: 'Kept as a file',
      instructions: 'Be exact.',
    });
    const callee = await create('/agents', { name: 'Callee', description: 'Is asked' });
    const agent = { name: 'Coder', description: 'Kept as a file', skill_ids: [skill], agent_ids: [callee] };
    const coder = await create('/agents', agent);
    type Written = { items: { path: string; result: string }[] };
    const { items } = await shell.json<Written>('export', '--dir', dir);
    const file = join(dir, 'agents', 'coder.yaml');
    expect(items).toContainEqual({ path: file, result: 'written' });
    expect(readFileSync(file, 'utf8')).toBe(
      'name: Coder\ndescription: Kept as a file\nskills:\n  - As code\nagents:\n  - Callee\npublished: true\n',
    );
    const again = await shell.json<Written>('export', '--dir', dir);
    expect(again.items.filter(({ result }) => result !== 'unchanged')).toEqual([]);
    expect(await shell.json('plan', '--dir', dir, '--prune', '--detailed-exitcode')).toMatchObject({ changes: [] });

    writeFileSync(file, `${readFileSync(file, 'utf8')}instructions: Write tests.\n`);
    const planned = await shell.run(['plan', '--dir', dir, '--detailed-exitcode', '--json']);
    const update = { action: 'update', kind: 'agent', name: 'Coder', changed: ['instructions'] };
    expect(planned.code).toBe(2);
    expect(JSON.parse(planned.out)).toMatchObject({ changes: [update], unmanaged: [] });
    expect((await shell.run(['apply', '--dir', dir])).code).toBe(2); // there is no terminal for a confirmation
    expect(await shell.json('apply', '--dir', dir, '--yes')).toMatchObject({ changes: [update] });

    for (const [path, id] of [
      ['agents', coder],
      ['agents', callee],
      ['skills', skill],
    ])
      expect((await call.platform(`/${path}/${id}`, { method: 'DELETE' })).status).toBe(204);
    const made = await shell.json<{ changes: { action: string; name: string }[] }>('apply', '--dir', dir, '--yes');
    expect(made.changes.map(({ action, name }) => `${action} ${name}`).sort()).toEqual([
      'create As code',
      'create Callee',
      'create Coder',
    ]);
    expect(await shell.json('apply', '--dir', dir, '--yes')).toMatchObject({ changes: [] });
    const fresh = join(shell.folder, 'fresh-installation');
    await shell.json('export', '--dir', fresh);
    await shell.json('export', '--dir', dir, '--force');
    expect(textsIn(fresh)).toEqual(textsIn(dir));

    rmSync(file);
    expect(await shell.json('plan', '--dir', dir)).toMatchObject({
      changes: [],
      unmanaged: [{ kind: 'agent', key: 'Coder' }],
    });
    const pruned = await shell.json('apply', '--dir', dir, '--prune', '--yes');
    expect(pruned).toMatchObject({ changes: [{ action: 'delete', kind: 'agent', name: 'Coder' }] });
    expect((await shell.run(['agents', 'show', 'coder'])).code).toBe(1);
  });

  it('applies nothing when one record of a plan is refused, and names the refused record', async () => {
    const dir = join(shell.folder, 'whole');
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    };
    const skill = (name: string) => `---\nname: ${name}\ndescription: Of a plan\n---\n\nDo it.\n`;
    put('skills/one/SKILL.md', skill('Whole one'));
    put('skills/two/SKILL.md', skill('Whole two'));
    put('content/three.md', `---\ntitle: Whole three\ntags: [${'x'.repeat(101)}]\n---\n\nText.\n`);
    put('agents/a-caller.yaml', 'name: Whole caller\nskills: [Whole one]\nagents: [Whole callee]\n');
    put('agents/b-callee.yaml', 'name: Whole callee\nskills: [Whole two]\n');
    type Changes = { changes: { action: string; name: string }[] };
    const planned = await shell.json<Changes>('plan', '--dir', dir);
    expect(planned.changes.map(({ name }) => name)).toEqual([
      'Whole one',
      'Whole two',
      'Whole three',
      'Whole callee',
      'Whole caller',
    ]);
    const { code, err } = await shell.run(['apply', '--dir', dir, '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('content "Whole three" tags.0: ');
    expect(err).toContain('Nothing was changed.');
    expect(await shell.json<Changes>('plan', '--dir', dir)).toEqual(planned);

    put('content/three.md', '---\ntitle: Whole three\nstatus: inactive\n---\n\nText.\n');
    expect((await shell.json<Changes>('apply', '--dir', dir, '--yes')).changes).toHaveLength(5);
    expect(await shell.json<Changes>('apply', '--dir', dir, '--yes')).toMatchObject({ changes: [] });

    put('agents/b-callee.yaml', 'name: Whole callee\nagents: [Whole caller]\n');
    expect((await shell.run(['plan', '--dir', dir])).err).toContain('in a circle');
    rmSync(join(dir, 'agents', 'a-caller.yaml'));
    put('agents/b-callee.yaml', 'name: Whole callee\n');
  });

  it('applies nothing when a file names a record that does not exist, or a secret that is not set', async () => {
    const dir = join(shell.folder, 'faulty');
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    };
    put('agents/lost.yaml', 'name: Lost\nskills: [Nowhere]\n');
    put(
      'mcp-servers/orders.yaml',
      'name: Orders\nurl: https://orders.example.com/mcp\nheaders: { X-Key: "${env:ORDERS_KEY}" }\n',
    );
    put('mcp-servers/plain.yaml', 'name: Plain\nurl: https://plain.example.com/mcp\nheaders: { X-Key: hunter2 }\n');
    const { code, err } = await shell.run(['apply', '--dir', dir, '--yes']);
    expect(code).toBe(1);
    for (const text of [
      'there is no skill "Nowhere"',
      'the variable ORDERS_KEY is not set',
      'headers.X-Key must be the name of a variable',
    ])
      expect(err).toContain(text);
    expect(err).not.toContain('hunter2');
    expect(await shell.json('mcp', 'list')).toMatchObject({ items: [] });
    expect((await shell.run(['agents', 'show', 'lost'])).code).toBe(1);
  });

  it("imports OpenAI's stored prompts to files, and promotes a version after apply", async () => {
    const dir = join(shell.folder, 'imported');
    const source = join(shell.folder, 'openai.json');
    const messages = [
      { role: 'developer', content: [{ type: 'input_text', text: 'You are a guide to {{ city }}.' }] },
      { role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] },
    ];
    writeFileSync(source, JSON.stringify({ id: 'pmpt_1', name: 'City guide', messages, tools: [], model: 'gpt-x' }));
    const imported = await shell.json<{ items: { path: string; not_carried_over: string[] }[] }>(
      'import',
      'openai',
      source,
      '--dir',
      dir,
    );
    expect(imported.items).toMatchObject([
      {
        path: join(dir, 'prompts', 'city-guide.yaml'),
        not_carried_over: ['tools', 'model', 'input_image of a message'],
      },
    ]);
    await shell.json('apply', '--dir', dir, '--yes');
    const { items } = await shell.json<{ items: { id: string }[] }>('prompts', 'list', '--search', 'City guide');
    const id = items[0]?.id ?? '';
    expect(await shell.json('prompts', 'promote', id, '--label', 'live')).toEqual({
      prompt: id,
      label: 'live',
      version: 1,
    });
    model.answerWith('The tower.');
    const run = await shell.run([
      'prompts',
      'run',
      id,
      '--label',
      'live',
      '--message',
      'What is there?',
      '--var',
      'city=Paris',
    ]);
    expect(run).toMatchObject({ code: 0, out: 'The tower.\n' });
    expect(model.requests.at(-1)?.body.messages[0]?.content).toContain('You are a guide to Paris.');
  });

  it('connects an MCP client to a server, and prints the address of a console page', async () => {
    const file = join(shell.folder, 'mcp.json');
    const connected = await shell.json<{ url: string }>('mcp', 'connect', 'cursor', '--file', file, '--yes');
    expect(connected.url).toBe(`${platform.runtimeUrl}/api/v1/mcp/platform/mcp`);
    expect((await shell.run(['mcp', 'connect', 'cursor', 'nope', '--file', file, '--yes'])).code).toBe(1);
    expect(await shell.json('mcp', 'list')).toMatchObject({ items: [], total: 0 });
    expect(await shell.json('open', 'runs', '--no-browser')).toEqual({ url: `${platform.baseUrl}/admin/runs` });
  });
});

describe('a program with the SDK', () => {
  it('makes an agent, streams its answer, follows the run, and reads lists, files and typed errors', async () => {
    const millwright = new Millwright({
      apiKey: platform.apiKey,
      baseUrl: platform.baseUrl,
      runtimeUrl: platform.runtimeUrl,
      promptUrl: platform.promptUrl,
    });
    const skill = await millwright.skills.create({ name: 'Totals', description: 'Adds', instructions: 'Add.' });
    const newAgent = { name: 'Baker', description: 'Mills', instructions: 'Mill.', skill_ids: [skill.id] };
    const agent = await millwright.agents.create(newAgent);
    await expect(millwright.agents.create(newAgent)).rejects.toThrow(ConflictError);
    await expect(millwright.skills.get('skl_none')).rejects.toThrow(NotFoundError);
    const names = await millwright.skills.list({ per_page: 1 }).all();
    expect(names.map(({ name }) => name)).toContain('Totals');

    model.answerWith('Flour.');
    let text = '';
    for await (const event of millwright.agents.sendMessageStream(agent.slug, { content: 'What do you make?' }))
      if (event.event === 'message.delta') text += event.data.delta;
    expect(text).toBe('Flour.');

    model.answerWith('Bread.');
    const run = await millwright.runs.start({ agent: agent.slug, content: 'And then?' });
    const events: string[] = [];
    for await (const { event } of millwright.runs.follow(run.id)) events.push(event);
    expect(events.at(-1)).toBe('run.completed');
    expect(await millwright.runs.get(run.id)).toMatchObject({ state: 'completed', output: 'Bread.' });

    const file = await millwright.files.upload(new Blob(['grain']), { path: `${agent.slug}/grain.txt` });
    const download = await millwright.files.download(file.id);
    expect(await download.text()).toBe('grain');

    const block = await millwright.blocks.create({ prefix: 'mill', metadata: { title: 'Mill' } });
    const blocks = await millwright.blocks.list({ limit: 1 }).all();
    expect(blocks.map(({ id }) => id)).toContain(block.id);
  });
});

describe('a program with an OpenAI client', () => {
  const ask = (body: object) =>
    fetch(`${platform.promptUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${platform.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'agent/guide', messages: [{ role: 'user', content: 'What is new?' }], ...body }),
    });

  it('uses an agent as its model; the runtime API executes and shows the run', async () => {
    model.answerWith('Bread.');
    const answer = (await (await ask({})).json()) as { run: string; choices: { message: { content: string } }[] };
    expect(answer.choices[0]?.message.content).toBe('Bread.');
    const run = await call.runtime<object>(`/api/v1/runs/${answer.run}`);
    expect(run.body).toMatchObject({ state: 'completed', channel: 'chat', output: 'Bread.' });
    const streamed = await (await ask({ stream: true })).text();
    expect(streamed).toContain('"content":"Bread."');
    expect(streamed.trim().endsWith('data: [DONE]')).toBe(true);
  });
});

describe('a model that is down', () => {
  it('makes the runtime API answer 503 with Retry-After and the code UNAVAILABLE', async () => {
    model.answerWith({ status: 500 });
    const context = await call.runtime<{ context_id: string }>('/api/v1/agents/guide/messages', {
      body: { content: 'Hello?' },
    });
    expect(context.status).toBe(503);
    expect(context.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(context.body).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    model.answerWith('Back again.');
  });
});

describe('logs', () => {
  it('contain no secret', () => {
    const written = platform.services.map((service) => service.output()).join('\n');
    expect(written).toContain('"route":"/api/v1/skills"');
    for (const secret of [platform.apiKey, platform.client.client_secret, 'model-key'])
      expect(written).not.toContain(secret);
  });
});

describe('the sign-in page', () => {
  it('is served by the gateway', async () => {
    const response = await fetch(`${platform.baseUrl}/admin/login`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});
