import { SCOPES } from '@millwright/auth';
import { encodeId, newId } from '@millwright/db';
import { fromOtherProject, sweepEndpoints, sweepProjects, type SweepTarget } from '@millwright/http-testing';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { GIF_IMAGE } from '@millwright/testing/images';
import { createRoutes, type ServiceDeps, type Services } from './endpoints.js';
import { namespaceOf } from './registries/server-registry.routes.js';
import { RUNTIME_URL, startRuntime, type TestRuntime } from './test-runtime.js';

/** Dependencies with which the contracts are read. They need no real values, because no handler is called. */
const unused = { egress: {}, files: {}, runtimeUrl: 'http://runtime.test' };
const contracts = createRoutes(unused as ServiceDeps & Services).map(({ contract }) => contract);

const entryName = (slug: string) => encodeURIComponent(`${namespaceOf(RUNTIME_URL)}/${slug}`);

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let target: SweepTarget;
/**
 * Targets of the tests between projects. `toMade` sends requests of `Core` for records of a project that a platform admin made; `fromMade` sends
 * requests of that project for records of `Core`.
 */
let toMade: SweepTarget;
let fromMade: SweepTarget;

/**
 * Whether a token may have the scope `other` in tests of a missing `scope`. It must not have `agents:message` in tests of `runs:approve`, because one
 * operation accepts either of them.
 */
const isOtherThan = (scope: string) => (other: string) =>
  other !== scope && !(scope === 'runs:approve' && other === 'agents:message');

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  const { id: userId } = await runtime.newUser('grace@example.com', { role: 'admin' });
  await runtime.db.prisma.project.create({ data: { id: 'research', name: 'Research' } });
  await runtime.newAgent({ name: 'Own', model: 'seeing' });
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
  const newSource = async (accessToken: string) => {
    const json = { name: 'Rules', url: 'http://127.0.0.1:9/rules' };
    return ((await runtime.as(accessToken)('POST', '/api/v1/knowledge-sources', { json })).body as { id: string }).id;
  };
  const newConnection = async (project: string) => {
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
  const newRun = async (project: string) => {
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
  const recordsOf = async (project: string, name: string) => {
    const token = await runtime.newToken({ userId, project });
    if (project !== 'Core') {
      await runtime.newAgent({ name, model: 'seeing', project });
      const server = { id: newId(), name, slug: name, url: 'https://mcp.example', created_by: userId };
      await runtime.db.prisma.mcpServer.create({ data: { ...server, project } });
    }
    const { id } = await runtime.newUser(`${name}@example.com`, { project });
    return {
      ...(await newRun(project)),
      agent: name,
      token,
      content: await newContent(token),
      ...(await newContext(token, name)),
      file: await newFile(token),
      source: await newSource(token),
      server: await newConnection(project),
      entry: entryName(project === 'Core' ? 'platform' : name),
      user: encodeId('usr', id),
    };
  };
  const own = await recordsOf('Core', 'own');
  const [commerce, research] = [await recordsOf('Commerce', 'foreign'), await recordsOf('research', 'study')];
  const targetTo = async (foreign: typeof own): Promise<SweepTarget> => ({
    baseUrl: runtime.url,
    tightUrl: (await runtime.start({ multiplier: 1e-6 })).url,
    credential: bearer(token),
    wrongCredential: bearer(`${token.slice(0, -8)}AAAAAAAA`),
    credentialWithout: (scope) => bearer(without.get(scope) ?? ''),
    params: {
      agent_name: { own: own.agent, foreign: foreign.agent, unknown: 'nobody' },
      content_id: { own: own.content, foreign: foreign.content, unknown: encodeId('ct', newId()) },
      context_id: { own: own.context, foreign: foreign.context, unknown: encodeId('ctx', newId()) },
      image_id: { own: own.image, foreign: foreign.image, unknown: encodeId('img', newId()) },
      file_id: { own: own.file, foreign: foreign.file, unknown: encodeId('fl', newId()) },
      source_id: { own: own.source, foreign: foreign.source, unknown: encodeId('kns', newId()) },
      run_id: { own: own.run, foreign: foreign.run, unknown: encodeId('run', newId()) },
      approval_id: { own: own.approval, foreign: foreign.approval, unknown: encodeId('apr', newId()) },
      seq: { own: '1', foreign: '2', unknown: '3' },
      server_id: { own: own.server, foreign: foreign.server, unknown: encodeId('ms', newId()) },
      server_name: { own: own.entry, foreign: foreign.entry, unknown: entryName('nobody') },
      version: { own: 'latest', foreign: '8.8.8', unknown: '9.9.9' },
      user_id: { own: own.user, foreign: foreign.user, unknown: encodeId('usr', newId()) },
    },
  });
  [target, toMade] = [await targetTo(commerce), await targetTo(research)];
  fromMade = fromOtherProject(toMade, bearer(research.token), ['seq', 'version']);
});

afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

describe('every endpoint of the runtime API', () => {
  it.each(sweepEndpoints({ area: 'runtime', contracts, target: () => target }))(
    'keeps its contract: $title',
    ({ run }) => run(),
  );
});

describe('a project that a platform admin made', () => {
  const [to, from] = [() => toMade, () => fromMade];
  it.each(sweepProjects({ area: 'runtime', contracts, target: to }))('gives Core no access: $title', ({ run }) =>
    run(),
  );
  it.each(sweepProjects({ area: 'runtime', contracts, target: from }))('has no access to Core: $title', ({ run }) =>
    run(),
  );
});
