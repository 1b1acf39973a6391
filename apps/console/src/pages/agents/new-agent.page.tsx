import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { areaRecord, askArea } from '../../api/areas.js';
import type { Agent, AgentFields } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { showFailure, useAction, type OnFaults } from '../../ui/use-action.js';
import { Failure } from '../../ui/failure.js';
import { FormShape } from '../../ui/form-shape.js';
import { AgentForm } from './agent-form.js';
import { fieldsOf } from './agent-values.js';
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

/** The fields of a copy of an agent. The copy is not published, so other systems do not see it yet. */
const copyOf = (agent: Agent): AgentFields => ({
  ...fieldsOf(agent),
  name: `${agent.name.slice(0, 95)} copy`,
  status: 'active',
  published: false,
});

/** The form for a new agent. It starts with a copy of the agent that the query parameter `from` names, if there is one. */
function NewAgentPage() {
  const navigate = useNavigate();
  const from = useSearchParams()[0].get('from');
  const source = useQuery({
    ...areaRecord<Agent>('platform', `/api/v1/agents/${encodeURIComponent(from ?? '')}`),
    enabled: from !== null,
  });
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
      {source.error && !source.data && <Failure error={source.error} retry={() => void source.refetch()} />}
      {source.isLoading && <FormShape />}
      {(from === null || source.data) && (
        <AgentForm
          agent={source.data ? copyOf(source.data.record) : EMPTY}
          isNew
          isSaving={create.isPending}
          onSave={(agent, form) => create.mutate({ agent, ...form })}
        />
      )}
    </>
  );
}

export { NewAgentPage as Component };
