import type { Approval } from '../../api/runtime-records.js';
import { approvalsOfSteps, argumentsIn, conflictText, decisionText, reasonText } from './approval-text.js';

const ada = { id: 'usr_1', name: 'Ada' };
const approval = (changes: Partial<Approval>): Approval => ({
  ...{ id: 'apr_1', run_id: 'run_1', state: 'pending', agent: { name: 'clerk', version: 1 }, step: 1 },
  ...{ server: { id: 'ms_1', name: 'Mail' }, tool: 'send', call_id: 'call_1', arguments: '{"n":1}', parameters: {} },
  ...{ tainted_by: [], requester: ada, other_decider: false, may_decide: true, edited_arguments: null, reason: null },
  ...{ decided_by: null, decided_at: null, expires_at: '2026-01-02T00:00:00Z', created_at: '2026-01-01T00:00:00Z' },
  ...changes,
});

describe('decisionText', () => {
  it.each([
    [{ state: 'pending' }, 'Waits for a decision'],
    [{ state: 'approved', decided_by: ada }, 'Approved by Ada'],
    [{ state: 'used', decided_by: ada, edited_arguments: '{}' }, 'Approved by Ada with changed arguments'],
    [{ state: 'used' }, 'Approved'],
    [{ state: 'refused', decided_by: ada }, 'Refused by Ada'],
    [{ state: 'expired' }, 'Nobody decided in time'],
    [{ state: 'canceled' }, 'The run ended before a decision'],
  ] as const)('describes the approval %j as "%s"', (changes, text) =>
    expect(decisionText(approval(changes))).toBe(text),
  );
});

describe('conflictText', () => {
  it('names the user who has already decided', () => {
    expect(conflictText(approval({ state: 'refused', decided_by: ada }))).toBe('Not saved. Refused by Ada.');
  });

  it('reports, for a pending or missing approval, that the run no longer waits', () => {
    const text = 'The run does not wait for this decision any more.';
    expect([conflictText(approval({})), conflictText(undefined)]).toEqual([text, text]);
  });
});

describe('reasonText', () => {
  it('names the untrusted text that the run has read, and states that another user has to decide', () => {
    expect(reasonText(approval({}))).toBe('A rule requires approval.');
    expect(reasonText(approval({ tainted_by: ['weigh', 'content'], other_decider: true }))).toBe(
      'A rule requires approval. The run has read text from outside: weigh, content. Someone other than the requester has to decide.',
    );
  });
});

describe('argumentsIn', () => {
  it('returns the parsed object, or the fault of a text that is not a JSON object', () => {
    expect(argumentsIn('{"to":"Ada"}')).toEqual({ to: 'Ada' });
    expect(argumentsIn('[1]')).toBe('Enter a JSON object: { … }');
    expect(argumentsIn('{')).toMatch(/^Invalid JSON: /);
  });
});

describe('approvalsOfSteps', () => {
  const step = (seq: number, args: string, changes: object = {}) => ({
    ...{ seq, kind: 'tool' as const, asked_by: 1, tool: 'send', arguments: args },
    ...changes,
  });

  it("finds the approval of a call by the tool, by the original or edited arguments, and by the model's answer that requested the call", () => {
    const plain = approval({ id: 'apr_1' });
    const edited = approval({ id: 'apr_2', arguments: '{"n":2}', edited_arguments: '{"n":3}' });
    const later = approval({ id: 'apr_3', step: 4 });
    const steps = [
      step(1, '', { kind: 'model' }),
      step(2, '{"n":3}'),
      step(3, '{"n":1}'),
      step(5, '{"n":1}', { asked_by: 4 }),
      step(6, '{"n":1}', { tool: 'other' }),
    ];
    const found = approvalsOfSteps(steps, [plain, edited, later]);
    expect([...found].map(([seq, { id }]) => [seq, id])).toEqual([
      [2, 'apr_2'],
      [3, 'apr_1'],
      [5, 'apr_3'],
    ]);
  });

  it('assigns each of two equal calls a different approval', () => {
    const found = approvalsOfSteps(
      [step(2, '{"n":1}'), step(3, '{"n":1}')],
      [approval({ id: 'apr_1' }), approval({ id: 'apr_2' })],
    );
    expect([found.get(2)?.id, found.get(3)?.id]).toEqual(['apr_1', 'apr_2']);
  });
});
