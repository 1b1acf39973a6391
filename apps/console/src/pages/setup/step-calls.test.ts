import { FIRST_AGENT, FIRST_SKILL, stepCalls } from './step-calls.js';

const addresses = { base_url: 'http://a.test', runtime_url: 'http://c.test', prompt_api_url: 'http://d.test' };

describe('the API calls of a step', () => {
  it('contain the addresses of this installation, and placeholders for unknown values', () => {
    expect(stepCalls.skill({ addresses }, FIRST_SKILL)).toContain('curl http://a.test/api/v1/skills');
    expect(stepCalls.skill({ addresses }, FIRST_SKILL)).toContain('Bearer $KEY');
    expect(stepCalls.agent({ addresses }, FIRST_AGENT)).toContain('"skill_ids": []');
    expect(stepCalls.talk({ addresses })).toContain('http://c.test/api/v1/agents/guide/messages');
    expect(stepCalls.prompt({ addresses })).toContain('http://d.test/v1/prompt/$PROMPT/openai');
  });

  it("contain the form's values", () => {
    expect(stepCalls.skill({ addresses }, { ...FIRST_SKILL, name: 'Riddles' })).toContain('"name": "Riddles"');
    expect(stepCalls.agent({ addresses }, { ...FIRST_AGENT, name: 'Sphinx' })).toContain('"name": "Sphinx"');
  });

  it('send the key in the header that the called service expects', () => {
    expect(stepCalls.key({ addresses })).toContain('-H "Authorization: Bearer $KEY"');
    expect(stepCalls.prompt({ addresses })).toContain('-H "api-key: $KEY"');
  });

  it('contain the ids of the created records and the secret of the created key', () => {
    const known = { addresses, key: 'mw_live_x', skillId: 'sk_1', agent: 'miller' };
    expect(stepCalls.agent(known, FIRST_AGENT)).toMatch(/mw_live_x[^]*"sk_1"/);
    expect(stepCalls.talk(known)).toContain('/api/v1/agents/miller/messages');
    expect(stepCalls.talk(known)).toContain('Bearer mw_live_x');
    expect(stepCalls.key(known)).toContain('Bearer mw_live_x');
  });
});
