import { resourceOf } from './event-resource.js';

const id = '0351c3HD8YJr5TJjS8Ioc7';
const of = (action: string, resource: string, detail: unknown = null) => resourceOf({ action, resource, detail });

describe('resourceOf', () => {
  it('says what a record is, what it is called and where its page is', () => {
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

  it('does not take the name of something else for its name', () => {
    expect(of('passkey.create', `usr_${id}`, { name: 'Phone' })).toMatchObject({ kind: 'User', name: undefined });
  });

  it('leads nowhere from what was deleted', () => {
    expect(of('skill.delete', `sk_${id}`)).toMatchObject({ kind: 'Skill', to: undefined });
  });

  it('takes a path for a path, whatever was done', () => {
    expect(of('prompt.update', '/v1/prompt/x')).toEqual({ kind: undefined, name: undefined, to: undefined });
    expect(of('agent.update', 'ag_constructor', 'text')).toEqual({ kind: undefined, name: undefined, to: undefined });
  });
});
