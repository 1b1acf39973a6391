import type { AgentFields } from '../../api/platform-records.js';
import { NO_PARAMETERS } from '../../ui/parameter-values.js';
import { DRAFT } from '../workbench/candidate.js';
import { draftBody } from './draft-body.js';

const draft: AgentFields = {
  ...{ name: 'Guide', description: '', instructions: 'New.', model: 'house', model_parameters: { temperature: 1 } },
  ...{ skill_ids: ['sk_1'], plugin_ids: [], mcp_server_ids: [], agent_ids: [], mcp_tools: ['*'], ask_tools: [] },
  ...{ on_unknown: 'ask', content_tags: [], status: 'inactive', published: true },
};
const message = { content: 'Hi', agent: 'guide', contextId: undefined };

describe('draftBody', () => {
  it('contains the fields of the editor, without the fields that only a saved agent has', () => {
    const sent = { ...draft, status: undefined, published: undefined, agent: 'guide', content: 'Hi' };
    expect(JSON.stringify(draftBody(DRAFT, draft, undefined, message))).toBe(JSON.stringify(sent));
  });

  it("contains the column's model and parameters instead of the draft's, and the id of the column's conversation", () => {
    const other = { ...DRAFT, model: 'large', parameters: { ...NO_PARAMETERS, top_p: '0.5' } };
    expect(draftBody(other, draft, undefined, { ...message, contextId: 'ctx_1' })).toMatchObject({
      ...{ model: 'large', model_parameters: { top_p: 0.5 }, context_id: 'ctx_1' },
    });
  });

  it('returns the fields of the selected saved version, and undefined until that version is loaded', () => {
    const candidate = { ...DRAFT, version: 2 };
    expect(draftBody(candidate, draft, undefined, message)).toBeUndefined();
    const body = draftBody(candidate, draft, { instructions: 'Old.' }, message);
    expect(body).toMatchObject({ instructions: 'Old.', skill_ids: ['sk_1'] });
  });

  it('omits an empty name, and omits the field `agent` for a new agent', () => {
    const body = draftBody(DRAFT, { ...draft, name: '' }, undefined, { ...message, agent: undefined });
    expect(Object.keys(body ?? {})).not.toEqual(expect.arrayContaining(['name']));
    expect(body).not.toHaveProperty('agent');
  });
});
