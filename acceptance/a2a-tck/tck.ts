import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeModel, listen, type FakeModel, type ListeningApp, type ModelBehaviour } from '@millwright/testing';
import { callers, newToken } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { DIFFERENCES } from './differences.js';
import { startHop } from './hop.js';

/** The kit's folder and the path of Python. `npm run a2a:tck` sets both. */
const [folder, python] = [process.env['A2A_TCK_FOLDER'] ?? '', process.env['A2A_TCK_PYTHON'] ?? 'python3'];

let model: FakeModel;
let tool: ListeningApp;
let platform: Platform;
let hop: ListeningApp;
let messageId = '';

/** Returns the model's answer in the kit's current scenario, which `messageId` names. Most scenarios get the same constant text. */
function behaviour(lastRole: string): ModelBehaviour {
  if (messageId.startsWith('tck-input-required') && lastRole === 'user')
    return { toolCalls: [{ id: 'c1', type: 'function', function: { name: 'Sign', arguments: '{}' } }] };
  if (messageId.startsWith('test-resubscribe')) return { content: 'Wait for it. '.repeat(20), trickleMs: 300 };
  if (messageId.startsWith('tck-stream-artifact-chunked')) return { content: 'chunk-1 chunk-2', trickleMs: 200 };
  return { content: 'Hello from TCK' };
}

beforeAll(async () => {
  model = await createFakeModel(({ body }) => behaviour(body.messages.at(-1)?.role ?? ''));
  tool = await listen((request, response) => void request.resume().on('end', () => response.end()));
  platform = await startPlatform({
    replicas: { 'prompt-api': 0 },
    env: {
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'house-model',
      RATE_LIMIT_MULTIPLIER: '1000',
      EGRESS_ALLOW_HTTP: 'true',
    },
  });
  const { platform: call } = callers(platform);
  const plugin = await call<{ id: string }>('/plugins', {
    body: { name: 'Sign', description: 'Signs.', type: 'tool', config: { url: tool.url } },
  });
  await call(`/plugins/${plugin.body.id}/rule`, { method: 'PUT', body: { rule: 'ask', repeatable: false } });
  const body = { name: 'Kit', description: 'Answers the kit.', published: true, plugin_ids: [plugin.body.id] };
  const agent = await call('/agents', { body });
  expect({ status: agent.status, text: agent.text }).toMatchObject({ status: 201 });
  const token = await newToken(platform, platform.client);
  hop = await startHop(platform.runtimeUrl, token, (id) => (messageId = id));
});
afterAll(async () => {
  await Promise.all([model.close(), hop.close(), tool.close()]);
  await platform.stop();
});

interface Report {
  per_requirement: Record<string, { status: string }>;
}

it('an agent passes the A2A 1.0 compatibility kit, except for the requirements that differences.ts lists with a reason', async () => {
  const reports = mkdtempSync(join(tmpdir(), 'millwright-tck-'));
  const options = ['-q', '--tb=line', '-p', 'no:cacheprovider', `--sut-host=${hop.url}`];
  const kit = spawn(
    python,
    ['-m', 'pytest', 'tests/compatibility/', ...options, `--compatibility-report=${join(reports, 'report')}`],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  await once(kit, 'exit');
  const report = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8')) as Report;
  rmSync(reports, { recursive: true });
  const failed = Object.entries(report.per_requirement).flatMap(([id, { status }]) => (status === 'FAIL' ? [id] : []));
  expect(failed.sort()).toEqual(Object.keys(DIFFERENCES).sort());
}, 600_000);
