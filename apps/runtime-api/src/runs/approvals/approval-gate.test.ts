import type { ToolRule } from '@millwright/auth/tool-rules';
import { createDatabase, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { answered, type AgentTool } from '../../tools/tool.js';
import { toModelTools } from '../../tools/model-tools.js';
import { createApprovalGate, NO_DECISIONS, type ApprovalGate, type AskingRun } from './approval-gate.js';
import { createApprovalStore } from '@millwright/runs/approvals';

const tool = (rule: ToolRule): AgentTool => ({
  name: rule,
  description: '',
  parameters: { type: 'object' },
  owner: { name: rule, id: rule },
  recordsItself: false,
  rule: { in: () => rule, needsOtherDecider: false },
  isRepeatable: false,
  check: () => Promise.resolve(undefined),
  call: () => Promise.resolve(answered(true, '')),
});
const RUN: AskingRun = {
  fence: { runId: '0190a1b2-0000-7000-8000-000000000000', attempt: 1 },
  caller: { project: 'Core', actor: { userId: 'u', kind: 'user', label: 'u', requestId: 'r', ip: '::1' } },
  agent: { id: 'a', version: 1 } as AskingRun['agent'],
  tools: toModelTools([tool('allow'), tool('deny'), tool('ask')]),
  taint: { taintedBy: [] },
};
const NEW = { isKept: () => false, isContinued: false };
const answer = (...names: string[]) => ({
  ...{ seq: 1, text: '', model: 'm', untrusted: false },
  calls: names.map((name, index) => ({ id: `call_${index}`, name, arguments: '{}' })),
});

let database: TestDatabase;
let db: Database;
let find: ApprovalGate;
/** The statements that were sent, by name. */
const sent: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  const prepared: Database['prepared'] = (name, ...statement) => {
    sent.push(name);
    return db.prepared(name, ...statement);
  };
  const options = { hours: 1, baseUrl: 'http://console.test' };
  find = createApprovalGate(createApprovalStore({ ...db, prepared }, options));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  sent.splice(0);
});

describe('the approval gate', () => {
  it('sends no SQL statement for calls of allowed, denied or unknown tools', async () => {
    expect(await find(RUN, answer('allow', 'deny', 'none', 'allow'), NEW)).toBe(NO_DECISIONS);
    expect(sent).toEqual([]);
  });

  it('pauses the run when one of its calls needs a decision', async () => {
    await expect(find(RUN, answer('allow', 'ask'), NEW)).rejects.toThrow('the run waits: approval');
  });

  it('reads earlier decisions with one SQL statement when a run continues', async () => {
    await find(RUN, answer('allow'), { ...NEW, isContinued: true });
    expect(sent).toEqual(['list-approvals-of-answer']);
  });
});
