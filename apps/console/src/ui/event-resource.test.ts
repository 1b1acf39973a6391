import { resourceOf, runOf } from './event-resource.js';

const id = '0351c3HD8YJr5TJjS8Ioc7';
const of = (action: string, resource: string, detail: unknown = null, resource_name: string | null = null) =>
  resourceOf({ action, resource, detail, resource_name });

describe('resourceOf', () => {
  it('returns the kind, name and page of a record', () => {
    expect(of('agent.create', `ag_${id}`, { name: 'Guide' })).toEqual({
      kind: 'Agent',
      name: 'Guide',
      to: `/build/agents/ag_${id}`,
    });
    expect(of('prompt.create', '6a2f', { title: 'Rate' })).toEqual({
      kind: 'Prompt',
      name: 'Rate',
      to: '/prompts/6a2f',
    });
    expect(of('job.run', 'seal-audit')).toMatchObject({ kind: 'Job', to: '/jobs?job=seal-audit' });
    expect(of('session.create', `ses_${id}`)).toEqual({ kind: 'Session', name: undefined, to: undefined });
  });

  it('returns kind and page of triggers, webhooks, budgets, guards and the tool policy, and only the kind of approvals', () => {
    expect(of('trigger.fire', `trg_${id}`)).toMatchObject({ kind: 'Trigger', to: `/triggers/trg_${id}` });
    expect(of('webhook.test', `wh_${id}`)).toMatchObject({ kind: 'Webhook', to: `/webhooks/wh_${id}` });
    expect(of('budget.update', `bud_${id}`)).toMatchObject({ kind: 'Budget', to: `/budgets/bud_${id}` });
    expect(of('approval.decide', `apr_${id}`)).toMatchObject({ kind: 'Approval', to: undefined });
    expect(of('guards.update', 'guards')).toMatchObject({ kind: 'Guards', to: '/build/guards' });
    expect(of('tool_policy.update', 'tool-policy')).toMatchObject({ kind: 'Tool policy', to: '/build/tool-policy' });
  });

  it('prefers the current name of the record to the name in the details', () => {
    expect(of('agent.update', `ag_${id}`, { name: 'Old' }, 'Order desk')).toMatchObject({ name: 'Order desk' });
    expect(of('prompt.run', '6a2f', null, 'Rate')).toMatchObject({ kind: 'Prompt', name: 'Rate' });
  });

  it('ignores a name in the details that belongs to another record', () => {
    expect(of('passkey.create', `usr_${id}`, { name: 'Phone' })).toMatchObject({ kind: 'User', name: undefined });
  });

  it('returns no page for a deleted record', () => {
    expect(of('skill.delete', `sk_${id}`)).toMatchObject({ kind: 'Skill', to: undefined });
  });

  it('returns no kind, name or page for a request path, whatever the action', () => {
    expect(of('prompt.update', '/v1/prompt/x')).toEqual({ kind: undefined, name: undefined, to: undefined });
    expect(of('agent.update', 'ag_constructor', 'text')).toEqual({ kind: undefined, name: undefined, to: undefined });
  });
});

describe('runOf', () => {
  it('returns the run id in the detail or the resource of an event, and ignores other text', () => {
    const run = `run_${'a'.repeat(22)}`;
    expect(runOf({ resource: 'ms_1', detail: { tool: 'add', run } })).toBe(run);
    expect(runOf({ resource: run, detail: null })).toBe(run);
    expect(runOf({ resource: 'ms_1', detail: { run: '../../x' } })).toBeUndefined();
    expect(runOf({ resource: 'ms_1', detail: null })).toBeUndefined();
  });
});
