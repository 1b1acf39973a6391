import { encodeId } from '@millwright/db';
import { createRunStore } from '@millwright/runs';
import { openApprovals, type TestApprovals } from '../runs/approvals/test-approvals.js';

let test: TestApprovals;
beforeAll(async () => {
  test = await openApprovals();
});
afterAll(() => test.close());
beforeEach(() => {
  test.received.splice(0);
});

const PAY = { name: 'pay', rule: 'ask' } as const;
const STEP = [{ tool: 'pay', args: { euros: 5 } }];

async function pluginsOf(slug: string): Promise<string[]> {
  const plugins = await test.runtime.db.prisma.agentPlugin.findMany({ where: { agent: { slug } } });
  return plugins.map(({ plugin_id }) => encodeId('pl', plugin_id));
}

/** Runs the draft until it waits for a decision, and approves its call in the other process. */
async function approve(draft: object, subject: string): Promise<void> {
  const json = { content: 'Go.', ...draft };
  const started = await test.call('POST', '/api/v1/runs/draft', { json, headers: { prefer: 'wait=30' } });
  expect([started.status, started.body]).toMatchObject([200, { state: 'waiting', waiting_for: 'approval' }]);
  const [approval] = await test.pendingOf(subject);
  if (!approval) throw new Error('no approval');
  expect(approval).toMatchObject({ agent: { name: subject, version: null } });
  expect(await createRunStore(test.runtime.db).listEndedAgents()).toEqual([]);
  expect(test.received).toEqual([]);
  expect((await test.decide(approval, { decision: 'approve' }, test.admin)).status).toBe(200);
}

describe('a run of a draft whose tool has the rule ask', () => {
  it("continues after the approval with the draft's settings, even when the saved agent has other settings", async () => {
    const slug = await test.newAgent([PAY], STEP);
    const plugin_ids = await pluginsOf(slug);
    await test.runtime.db.prisma.agentPlugin.deleteMany();
    await approve({ agent: slug, instructions: 'You pay for ann@example.com.', plugin_ids }, slug);
    expect(await test.answerOf(slug)).toBe(`Read: {"done":"pay_${slug}"}`);
    expect(test.received).toHaveLength(1);
    const [first, second] = test.model.requests.slice(-2).map(({ body }) => (body['messages'] as object[])[0]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ content: expect.stringContaining('You pay for ann@example.com.') as string });
  });

  it("waits for a decision and then continues, even when the draft's agent was never saved", async () => {
    const slug = await test.newAgent([PAY], STEP);
    const plugin_ids = await pluginsOf(slug);
    await approve({ name: 'New Payer', plugin_ids }, 'new-payer');
    expect(await test.answerOf('new-payer')).toBe(`Read: {"done":"pay_${slug}"}`);
    expect(test.received).toHaveLength(1);
  });

  it('applies a rule of the draft that is stricter than the rule of the tool; the draft cannot loosen the rule of the tool', async () => {
    const slug = await test.newAgent([{ name: 'look', rule: 'allow' }], [{ tool: 'look' }]);
    const json = { content: 'Go.', agent: slug, plugin_ids: await pluginsOf(slug), ask_tools: ['plugins/*'] };
    const { body } = await test.call('POST', '/api/v1/runs/draft', { json, headers: { prefer: 'wait=30' } });
    expect(body).toMatchObject({ state: 'waiting', waiting_for: 'approval' });
    const denied = await test.newAgent([{ name: 'drop', rule: 'deny' }], [{ tool: 'drop' }]);
    const other = { content: 'Go.', agent: denied, plugin_ids: await pluginsOf(denied) };
    await test.call('POST', '/api/v1/runs/draft', { json: other, headers: { prefer: 'wait=30' } });
    expect(await test.answerOf(denied)).not.toContain('done');
    expect(test.received).toEqual([]);
  });
});
