import { SCOPES } from '@millwright/auth';
import { encodeId, newId } from '@millwright/db';
import { sweepEndpoints, type SweepTarget } from '@millwright/http-testing';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { GIF_IMAGE } from '@millwright/testing/images';
import { createRoutes, type ServiceDeps, type Services } from './endpoints.js';
import { namespaceOf } from './registries/server-registry.routes.js';
import { RUNTIME_URL, startRuntime, type TestRuntime } from './test-runtime.js';

/** The contracts need no dependencies, because no handler is called. */
const unused = { egress: {}, files: {}, runtimeUrl: 'http://runtime.test' };
const contracts = createRoutes(unused as ServiceDeps & Services).map(({ contract }) => contract);

const entryName = (slug: string) => encodeURIComponent(`${namespaceOf(RUNTIME_URL)}/${slug}`);

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let target: SweepTarget;

/** Whether a scope does not suffice in place of another one: `agents:message` does for one operation that requires `runs:approve`. */
const isOtherThan = (scope: string) => (other: string) =>
  other !== scope && !(scope === 'runs:approve' && other === 'agents:message');

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  const { id: userId } = await runtime.newUser('grace@example.com', { role: 'admin' });
  const [own, foreign] = [
    await runtime.newUser('own@example.com'),
    await runtime.newUser('foreign@example.com', { project: 'Commerce' }),
  ];
  await runtime.newAgent({ name: 'Own', model: 'seeing' });
  await runtime.newAgent({ name: 'Foreign', model: 'seeing', project: 'Commerce' });
  const without = new Map<string, string>();
  for (const scope of SCOPES)
    without.set(scope, await runtime.newToken({ userId, scopes: SCOPES.filter(isOtherThan(scope)) }));
  const token = await runtime.newToken({ userId });
  const newContent = async (accessToken: string) => {
    const answer = await runtime.as(accessToken)('POST', '/api/v1/content', { json: { title: 'T', content: 'C' } });
    return (answer.body as { id: string }).id;
  };
  const newFile = async (accessToken: string) => {
    const form = new FormData();
    form.set('path', 'a.txt');
    form.set('file', new Blob(['a']));
    return ((await runtime.as(accessToken)('POST', '/api/v1/files', { body: form })).body as { id: string }).id;
  };
  const newConnection = async (project: 'Core' | 'Commerce') => {
    const id = newId();
    const server = { id, project, name: id, slug: id, url: 'https://mcp.example', created_by: userId };
    await runtime.db.prisma.mcpServer.create({ data: { ...server, auth: { type: 'user' } } });
    const client = { issuer: 'x', token_endpoint: 'x', client_id: 'x', client_auth: 'none', resource: 'x' };
    await runtime.db.prisma.mcpConnection.create({
      data: { ...client, server_id: id, user_id: userId, upstream_hash: new Uint8Array(32), access_token: 'sealed' },
    });
    return encodeId('ms', id);
  };
  const newContext = async (accessToken: string, agent: string) => {
    const path = `/api/v1/agents/${agent}/messages`;
    const json = { content: 'Hello', images: [{ data: GIF_IMAGE.toString('base64') }] };
    const { body } = await runtime.as(accessToken)('POST', path, { json });
    const { context_id } = body as { context_id: string };
    const conversation = await runtime.as(accessToken)('GET', `/api/v1/contexts/${context_id}`);
    const [message] = (conversation.body as { messages: { images: { id: string }[] }[] }).messages;
    return { context: context_id, image: message?.images[0]?.id ?? '' };
  };
  const newRun = async (project: 'Core' | 'Commerce') => {
    const id = newId();
    const subject = { subject_kind: 'agent', subject_id: newId(), subject_name: 'own', subject_version: 1 };
    const state = { state: 'completed', ended_at: new Date(), step_count: 1 };
    await runtime.db.prisma.run.create({
      data: { ...subject, ...state, id, project, user_id: userId, channel: 'messages', caller: {} },
    });
    const step = { run_id: id, seq: 1, attempt: 1, kind: 'model', outcome: 'succeeded' };
    await runtime.db.prisma.runStep.create({ data: step });
    const approval = newId();
    const call = {
      asked_by: 1,
      call_id: 'c',
      agent: 'own',
      owner: 'pl_x',
      owner_name: 'Pay',
      tool: 'pay',
      parameters: {},
    };
    const [tool_hash, hash] = [new Uint8Array(32), new Uint8Array(32)];
    await runtime.db.prisma.approval.create({
      data: {
        ...{ ...call, id: approval, project, run_id: id, user_id: userId, arguments: '{}', tool_hash, hash },
        ...{ expires_at: new Date('2099-01-01') },
      },
    });
    return { run: encodeId('run', id), approval: encodeId('apr', approval) };
  };
  const [ownRun, foreignRun] = [await newRun('Core'), await newRun('Commerce')];
  const elsewhere = await runtime.newToken({ userId, project: 'Commerce' });
  const [ownContext, foreignContext] = [await newContext(token, 'own'), await newContext(elsewhere, 'foreign')];
  const server = { id: newId(), name: 'Foreign', slug: 'foreign', url: 'https://mcp.example', created_by: userId };
  await runtime.db.prisma.mcpServer.create({ data: { ...server, project: 'Commerce' } });
  target = {
    baseUrl: runtime.url,
    tightUrl: (await runtime.start({ multiplier: 1e-6 })).url,
    credential: bearer(token),
    wrongCredential: bearer(`${token.slice(0, -8)}AAAAAAAA`),
    credentialWithout: (scope) => bearer(without.get(scope) ?? ''),
    params: {
      agent_name: { own: 'own', foreign: 'foreign', unknown: 'nobody' },
      content_id: {
        own: await newContent(token),
        foreign: await newContent(elsewhere),
        unknown: encodeId('ct', newId()),
      },
      context_id: {
        own: ownContext.context,
        foreign: foreignContext.context,
        unknown: encodeId('ctx', newId()),
      },
      image_id: { own: ownContext.image, foreign: foreignContext.image, unknown: encodeId('img', newId()) },
      file_id: { own: await newFile(token), foreign: await newFile(elsewhere), unknown: encodeId('fl', newId()) },
      run_id: { own: ownRun.run, foreign: foreignRun.run, unknown: encodeId('run', newId()) },
      approval_id: { own: ownRun.approval, foreign: foreignRun.approval, unknown: encodeId('apr', newId()) },
      seq: { own: '1', foreign: '2', unknown: '3' },
      server_id: {
        own: await newConnection('Core'),
        foreign: await newConnection('Commerce'),
        unknown: encodeId('ms', newId()),
      },
      server_name: { own: entryName('platform'), foreign: entryName('foreign'), unknown: entryName('nobody') },
      version: { own: 'latest', foreign: '8.8.8', unknown: '9.9.9' },
      user_id: {
        own: encodeId('usr', own.id),
        foreign: encodeId('usr', foreign.id),
        unknown: encodeId('usr', newId()),
      },
    },
  };
});

afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

describe('every endpoint of the runtime API', () => {
  it.each(sweepEndpoints({ area: 'runtime', contracts, target: () => target }))('$title', ({ run }) => run());
});
