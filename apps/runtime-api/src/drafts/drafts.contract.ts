import { RunBudget } from '@millwright/budgets';
import { AgentDraft } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { hasContent, messageFields, NO_CONTENT } from '../conversations/new-message.js';
import { NewRun, startRun } from '../runs/runs.contract.js';

/** An unsaved agent, and a message to this agent. */
export const NewDraftRun = AgentDraft.extend({
  ...messageFields,
  agent: NewRun.shape.agent.optional().meta({ description: 'Name of the agent that the draft changes' }),
  budget: RunBudget.optional().meta({ description: 'The most that the run may spend' }),
}).refine(hasContent, NO_CONTENT);

export const runAgentDraft = endpoint({
  operationId: 'runAgentDraft',
  method: 'POST',
  path: '/api/v1/runs/draft',
  summary: 'Start a run of an agent that is not saved; it needs `agents:message`, too',
  tag: 'Runs',
  access: { scope: 'agents:write' },
  limit: 'messages',
  action: 'run.draft',
  largeBody: true,
  headers: startRun.headers,
  body: NewDraftRun,
  success: startRun.success,
  errors: ['conflict', 'guard_blocked', 'step_up_required'],
});
