import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Agent, AgentFields } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { showFailure, useAction, type OnFaults } from '../../ui/use-action.js';
import { AgentForm } from './agent-form.js';
import { FIRST_TOOLS } from './tool-patterns.js';

const EMPTY: AgentFields = {
  name: '',
  description: '',
  instructions: '',
  model: null,
  model_parameters: {},
  skill_ids: [],
  plugin_ids: [],
  mcp_server_ids: [],
  agent_ids: [],
  mcp_tools: [...FIRST_TOOLS],
  ask_tools: [],
  on_unknown: 'ask',
  content_tags: [],
  status: 'active',
  published: false,
};

function NewAgentPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ agent }: { agent: AgentFields; saved: () => void; onFaults: OnFaults }) =>
      // The API accepts no status here: a new agent is active.
      askArea<Agent>('platform', 'POST', '/api/v1/agents', { ...agent, status: undefined }),
    {
      refresh: QUERY_KEYS.agents,
      done: ({ name }) => `${name} created.`,
      onError: (error, { onFaults }, toast) => showFailure(error, toast, onFaults),
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/build/agents/${id}`);
      },
    },
  );
  return (
    <>
      <BackLink to="/build/agents">Agents</BackLink>
      <PageHeader title="New agent" text="An AI agent with its own model, instructions, skills, tools and knowledge." />
      <AgentForm
        agent={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(agent, form) => create.mutate({ agent, ...form })}
      />
    </>
  );
}

export { NewAgentPage as Component };
