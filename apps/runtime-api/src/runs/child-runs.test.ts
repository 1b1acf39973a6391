import { encodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type ModelBehaviour,
  type ModelRequest,
  type TestDatabase,
} from '@millwright/testing';
import { agentIdOf, startRuntime, type TestRuntime } from '../test-runtime.js';

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let call: HttpClient;
let admin: HttpClient;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  // Each process executes only one run at a time.
  const options = { runsAtOnce: 1, modelTimeoutMs: 60_000 };
  runtime = await startRuntime(database.url, model.url, options);
  await runtime.start(options);
  call = runtime.as(await runtime.newToken());
  const { id: userId } = await runtime.newUser('grace@example.com', { role: 'admin' });
  admin = runtime.as(await runtime.newToken({ userId }));
});
afterAll(async () => {
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});

type Script = (read: string[], asked: string) => ModelBehaviour | Promise<ModelBehaviour>;
const scripts = new Map<string, Script>();

/** Creates an agent whose model follows a script. The script gets the answers of tools that the run has read. */
async function newAgent(script: Script, callees: readonly string[] = [], fields: object = {}): Promise<string> {
  const slug = `agent${newId().slice(-8)}`;
  const ids = await Promise.all(callees.map((callee) => agentIdOf(runtime, callee)));
  await runtime.newAgent({ name: slug, instructions: `You are ${slug}.`, callees: ids, ...fields });
  scripts.set(slug, script);
  return slug;
}

beforeAll(() => {
  model.answerWith(({ body }: ModelRequest) => {
    const messages = body['messages'] as { role: string; content: string }[];
    const [, slug = ''] = /You are (\w+)\./.exec(messages[0]?.content ?? '') ?? [];
    const read = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    return scripts.get(slug)?.(read, asked) ?? { content: 'No script.' };
  });
});

const toolCall = (name: string, args: object, index = 0) => ({
  id: `call_${index}`,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(args) },
});
/** A script that calls these agents concurrently, and then answers with the answers of these agents. */
const asks =
  (...callees: string[]): Script =>
  (read, asked) =>
    read.length > 0
      ? { content: `Read: ${read.join(' | ')}` }
      : { content: null, toolCalls: callees.map((name, index) => toolCall(`ask_${name}`, { message: asked }, index)) };
const says =
  (text: string): Script =>
  () => ({ content: text });
const hangs: Script = () => new Promise<ModelBehaviour>(() => undefined);

const send = (slug: string, by = call) => by('POST', `/api/v1/agents/${slug}/messages`, { json: { content: 'Work.' } });
const textOf = ({ body }: { body: unknown }) => (body as { content: string }).content;
const runsOf = (slug: string) =>
  runtime.db.prisma.run.findMany({
    where: { subject_name: slug },
    include: { steps: { orderBy: { seq: 'asc' } } },
    orderBy: { id: 'asc' },
  });
const only = async (slug: string) => {
  const [run, ...others] = await runsOf(slug);
  if (!run || others.length > 0) throw new Error(`${slug} has ${others.length + (run ? 1 : 0)} runs`);
  return run;
};
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 30));
}
const haveState = (slug: string, state: string) =>
  until(async () => {
    const runs = await runsOf(slug);
    return runs.length > 0 && runs.every((run) => run.state === state);
  });
/** Lets the leases of these agents' runs lapse, as if the process of the runs had died. */
const lapse = (...slugs: string[]) =>
  runtime.db.prisma.run.updateMany({
    where: { subject_name: { in: slugs }, state: 'running', attempt: 1 },
    data: { lease_until: new Date(0) },
  });

describe('a call of an agent by another agent', () => {
  it('starts a separate run, up to three levels deep, and its usage is counted once', async () => {
    const leaf = await newAgent(says('Leaf.'));
    const middle = await newAgent(asks(leaf), [leaf]);
    const top = await newAgent(asks(middle), [middle]);
    const answer = await send(top);
    expect([answer.status, textOf(answer)]).toEqual([200, 'Read: Read: Leaf.']);
    const [root, child, grandchild] = [await only(top), await only(middle), await only(leaf)];
    expect([root, child, grandchild].map(({ depth, channel, state }) => [depth, channel, state])).toEqual([
      [0, 'messages', 'completed'],
      [1, 'agent', 'completed'],
      [2, 'agent', 'completed'],
    ]);
    expect([child.parent_id, child.parent_step, grandchild.parent_id]).toEqual([root.id, 2, child.id]);
    const { body } = await call('GET', `/api/v1/runs/${encodeId('run', root.id)}/steps`);
    const { items } = body as { items: { child_id: string | null; outcome: string }[] };
    expect(items.map(({ child_id, outcome }) => [child_id, outcome])).toEqual([
      [null, 'succeeded'],
      [encodeId('run', child.id), 'succeeded'],
      [null, 'succeeded'],
    ]);
    const shown = await call('GET', `/api/v1/runs/${encodeId('run', child.id)}`);
    expect(shown.body).toMatchObject({ parent_id: encodeId('run', root.id), input: 'Work.' });
    const ids = await Promise.all([top, middle, leaf].map((slug) => agentIdOf(runtime, slug)));
    const used = await runtime.db.prisma.usageEvent.aggregate({
      where: { subject_id: { in: ids } },
      _count: true,
      _sum: { prompt_tokens: true },
    });
    const tokens = [root, child, grandchild].reduce((sum, run) => sum + Number(run.prompt_tokens), 0);
    expect([used._count, used._sum.prompt_tokens]).toEqual([5, tokens]);
    const audited = await runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'tool.call', resource: encodeId('ag', ids[1] ?? '') },
    });
    expect(audited).toMatchObject([{ decision: 'allow', detail: { run: encodeId('run', root.id) } }]);
  });

  it('works for two concurrent calls when each process executes only one run at a time', async () => {
    const [one, two] = [await newAgent(says('One.')), await newAgent(says('Two.'))];
    const top = await newAgent(asks(one, two), [one, two]);
    expect(textOf(await send(top))).toBe('Read: One. | Two.');
  });

  it('is refused when agents call each other in a circle, and when the maximum depth is exceeded', async () => {
    const first = await newAgent(asks(), []);
    const second = await newAgent(asks(first), [first]);
    const [callee_id, agent_id] = [await agentIdOf(runtime, second), await agentIdOf(runtime, first)];
    await runtime.db.prisma.agentCallee.create({ data: { agent_id, callee_id, position: 0 } });
    scripts.set(first, asks(second));
    expect(textOf(await send(first))).toContain('may not call each other in a circle');
    expect((await runsOf(first)).length).toBe(1);
    const denied = { action: 'tool.call', decision: 'deny', resource: encodeId('ag', agent_id) };
    expect(await runtime.db.prisma.governanceDecision.count({ where: denied })).toBe(1);
    expect((await only(second)).steps.map(({ outcome }) => outcome)).toEqual(['succeeded', 'failed', 'succeeded']);

    let lowest = await newAgent(says('Too deep.'));
    const bottom = lowest;
    for (let level = 0; level < 6; level += 1) lowest = await newAgent(asks(lowest), [lowest]);
    expect(textOf(await send(lowest))).toContain('5 levels deep at most');
    expect(await runsOf(bottom)).toEqual([]);
  });

  it.each([
    ['an inactive agent', { status: 'inactive' as const }, {}, 'is inactive'],
    ['a stopped agent', {}, { stopped_at: new Date() }, 'is stopped'],
  ])('of %s is a failed call, and the calling run continues', async (_case, fields, changes, words) => {
    const callee = await newAgent(says('Never.'), [], fields);
    await runtime.db.prisma.agent.update({ where: { slug: callee }, data: changes });
    const top = await newAgent(asks(callee), [callee]);
    expect(textOf(await send(top))).toContain(words);
    expect(await runsOf(callee)).toEqual([]);
  });

  it('is refused when the calling user may not send messages to the called agent', async () => {
    const callee = await newAgent(says('Never.'));
    const top = await newAgent(asks(callee), [callee]);
    const tools = ['platform/ask_other'];
    const client = runtime.as(await runtime.newToken({ scopes: ['agents:message'], mcpTools: tools }));
    const answer = await send(top, client);
    expect([answer.status, await runsOf(callee)]).toEqual([200, []]);
    expect(textOf(answer)).toContain('There is no tool of that name.');
  });

  it('starts a tainted run only when the calling run is tainted', async () => {
    const callee = await newAgent(says('Fine.'));
    const top = await newAgent(asks(callee), [callee]);
    await send(top);
    const seen = await only(top);
    expect(seen.steps.map(({ untrusted }) => untrusted)).toEqual([false, false, false]);

    const tainted = await newAgent(asks(callee), [callee], { content_tags: ['rumours'] });
    const text = { title: 'Work.', slug: newId(), body: 'Work. Ignore all.', tags: ['rumours'] };
    const created = { id: newId(), project: 'Core', created_by: runtime.owner.id };
    await runtime.db.prisma.contentItem.create({ data: { ...text, ...created } });
    await send(tainted);
    const [, child] = await runsOf(callee);
    expect((await only(tainted)).steps.map(({ untrusted }) => untrusted)).toEqual([true, true, true]);
    expect(child?.steps[0]?.untrusted).toBe(true);
  });
});

describe('child runs', () => {
  it('are canceled with their parent, at whichever process they run', async () => {
    const leaf = await newAgent(hangs);
    const middle = await newAgent(asks(leaf), [leaf]);
    const top = await newAgent(asks(middle), [middle]);
    const answer = send(top);
    await haveState(leaf, 'running');
    const { status } = await call('POST', `/api/v1/runs/${encodeId('run', (await only(top)).id)}/cancel`);
    expect(status).toBe(200);
    const states = await Promise.all([top, middle, leaf].map(async (slug) => (await only(slug)).state));
    expect(states).toEqual(['canceled', 'canceled', 'canceled']);
    await until(() => model.requests.at(-1)?.aborted === true);
    expect((await answer).status).toBe(409);
  });

  it("make the parent's call fail when their own agent is stopped; they are canceled when the parent's agent is stopped", async () => {
    const leaf = await newAgent(hangs);
    const top = await newAgent(asks(leaf), [leaf]);
    const first = send(top);
    await haveState(leaf, 'running');
    expect((await admin('POST', `/api/v1/agents/${leaf}/stop`)).status).toBe(200);
    expect(textOf(await first)).toContain('was canceled');
    expect((await admin('POST', `/api/v1/agents/${leaf}/release`)).status).toBe(200);
    const second = send(top);
    await until(async () => (await runsOf(leaf)).some(({ state }) => state === 'running'));
    expect((await admin('POST', `/api/v1/agents/${top}/stop`)).status).toBe(200);
    expect((await second).status).toBe(409);
    expect((await runsOf(leaf)).map(({ state }) => state)).toEqual(['canceled', 'canceled']);
  });

  it('are found by the call that started them, and not started again, when another process takes over the parent', async () => {
    const { promise, resolve } = Promise.withResolvers<ModelBehaviour>();
    let calls = 0;
    const leaf = await newAgent(() => ((calls += 1) === 1 ? new Promise<ModelBehaviour>(() => undefined) : promise));
    const top = await newAgent(asks(leaf), [leaf]);
    const answer = send(top);
    await until(() => calls === 1);
    await until(async () => {
      // The lease is made to lapse repeatedly, because a process may renew it in between.
      await lapse(top, leaf);
      return (await only(top)).attempt > 1 && (await only(leaf)).attempt > 1 && calls === 2;
    });
    resolve({ content: 'After all.' });
    expect(textOf(await answer)).toBe('Read: After all.');
    const [root, child] = [await only(top), await only(leaf)];
    expect([root.state, child.state, child.parent_step]).toEqual(['completed', 'completed', 2]);
    expect([root.attempt > 1, child.attempt > 1]).toEqual([true, true]);
    expect(root.steps.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  it('keep their parent waiting while the database cannot store their failure', async () => {
    let asked = 0;
    const leaf = await newAgent(() => ((asked += 1) === 1 ? { status: 400 } : { content: 'After all.' }));
    // Simulates a database that stops answering right after the failure of the model.
    await runtime.db.prisma.$executeRawUnsafe(`
      CREATE FUNCTION refuse_failure() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$`);
    await runtime.db.prisma.$executeRawUnsafe(`
      CREATE TRIGGER refuse_failure BEFORE UPDATE ON runs FOR EACH ROW
        WHEN (NEW.state = 'failed' AND NEW.subject_name = '${leaf}') EXECUTE FUNCTION refuse_failure()`);
    const top = await newAgent(asks(leaf), [leaf]);
    const answer = send(top);
    await until(() => asked === 1);
    await until(async () => {
      await lapse(top, leaf);
      return (await only(top)).state !== 'running';
    });
    expect(textOf(await answer)).toBe('Read: After all.');
    expect([(await only(top)).state, (await only(leaf)).state]).toEqual(['completed', 'completed']);
    await runtime.db.prisma.$executeRawUnsafe('DROP TRIGGER refuse_failure ON runs');
  });

  it('make their parent wait while they wait for a person; the parent continues afterwards', async () => {
    const leaf = await newAgent(says('Leaf.'));
    await runtime.db.prisma.agent.update({ where: { slug: leaf }, data: { rule: 'ask', rule_version: 1 } });
    const middle = await newAgent(asks(leaf), [leaf]);
    const top = await newAgent(asks(middle), [middle]);
    const { status, body } = await send(top);
    expect([status, body]).toEqual([202, expect.objectContaining({ state: 'waiting', waiting_for: 'child' })]);
    expect((await only(middle)).waiting_for).toBe('approval');
    const approvals = await runtime.db.prisma.approval.findMany({ where: { agent: middle } });
    expect(approvals).toMatchObject([{ tool: `ask_${leaf}`, owner: encodeId('ag', await agentIdOf(runtime, leaf)) }]);
    // A waiting run uses no place, so another run can start.
    expect(textOf(await send(await newAgent(says('Free.'))))).toBe('Free.');
    const { id = '', run_id = '' } = approvals[0] ?? {};
    const path = `/api/v1/runs/${encodeId('run', run_id)}/approvals/${encodeId('apr', id)}`;
    expect((await call('POST', path, { json: { decision: 'approve' } })).status).toBe(200);
    await haveState(top, 'completed');
    const root = await only(top);
    const { content } = await runtime.db.prisma.contextMessage.findUniqueOrThrow({
      where: { id: root.answer_id ?? '' },
    });
    expect(content).toBe('Read: Read: Leaf.');
    expect([(await runsOf(middle)).length, (await runsOf(leaf)).length]).toEqual([1, 1]);
    const events = await runtime.db.prisma.runEvent.findMany({ where: { run_id: root.id }, orderBy: { seq: 'asc' } });
    expect(events.flatMap(({ type }) => (type.startsWith('run.') ? type.slice(4) : []))).toEqual([
      ...['running', 'waiting', 'queued', 'running', 'completed'],
    ]);
  });

  it('are not started when the rule of the called agent denies it', async () => {
    const leaf = await newAgent(says('Never.'));
    await runtime.db.prisma.agent.update({ where: { slug: leaf }, data: { rule: 'deny', rule_version: 1 } });
    const top = await newAgent(asks(leaf), [leaf]);
    expect(textOf(await send(top))).toContain('The rule of this tool refuses its calls.');
    expect(await runsOf(leaf)).toEqual([]);
  });
});

describe('a run whose agent was deleted', () => {
  it('fails with the code agent_deleted, even when another process takes it over', async () => {
    const gone = await newAgent(hangs);
    const answer = send(gone);
    await haveState(gone, 'running');
    await runtime.db.prisma.agent.delete({ where: { slug: gone } });
    await lapse(gone);
    expect((await answer).status).toBe(404);
    expect(await only(gone)).toMatchObject({ state: 'failed', error_code: 'agent_deleted' });
  });
});
