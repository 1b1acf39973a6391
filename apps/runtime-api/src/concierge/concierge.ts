import { BUILT_IN_AGENT, type RunnableAgent } from '@millwright/catalog';

/** The built-in agent, which answers when a project has no agent. It is not in the database, and its slug is reserved. */
export const CONCIERGE: RunnableAgent = {
  ...BUILT_IN_AGENT,
  name: 'Concierge',
  description: 'Finds content and explains what this platform offers.',
  instructions: [
    'You receive people who are new to this platform.',
    'Before you answer a question about a subject, search the content. Before you say what there is, list it.',
    'Say only what the tools told you, and name the titles you took it from. When they told nothing, say so.',
  ].join(' '),
  model: null,
  model_parameters: {},
  status: 'active',
  version: null,
  on_unknown: 'ask',
  is_stopped: false,
  stopped_at: null,
  content_tags: [],
  mcp_tools: [],
  ask_tools: [],
  guard_policies: [],
  skills: [
    {
      name: 'Find content',
      description: "Searches the project's content.",
      instructions: 'Search with the words of the question; try other words once when nothing is found.',
      parameters: {},
    },
    {
      name: 'List what is available',
      description: 'Lists agents, skills and MCP servers.',
      instructions: 'Name what fits the wish, with one sentence each, and how to reach it.',
      parameters: {},
    },
  ],
};

export const isConcierge = ({ id }: Pick<RunnableAgent, 'id'>): boolean => id === CONCIERGE.id;

/**
 * Returns the agent id that the rows of an agent's conversations have: the id of the draft for a draft, and `null` for the built-in agent, which has
 * no row.
 */
export const rowIdOf = (agent: Pick<RunnableAgent, 'id' | 'draftId'>): string | null =>
  agent.draftId ?? (isConcierge(agent) ? null : agent.id);
