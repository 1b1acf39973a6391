/** Keys of the queries that a change invalidates, by kind of record. */
export const QUERY_KEYS = {
  users: [['users'], ['dashboard']],
  /** Agents of the platform API, and the registry of agents of the runtime API. */
  agents: [
    ['platform', 'api', 'v1', 'agents'],
    ['runtime', 'api', 'v1', 'agents'],
  ],
  skills: [['platform', 'api', 'v1', 'skills']],
  mcpServers: [['platform', 'api', 'v1', 'mcp']],
  webhooks: [['platform', 'api', 'v1', 'webhooks']],
  triggers: [['platform', 'api', 'v1', 'triggers']],
  budgets: [['platform', 'api', 'v1', 'budgets']],
  /** Models, and the list of prices, because a model can contain its prices. */
  models: [
    ['platform', 'api', 'v1', 'models'],
    ['platform', 'api', 'v1', 'model-prices'],
  ],
  modelPrices: [['platform', 'api', 'v1', 'model-prices']],
  plugins: [['platform', 'api', 'v1', 'plugins']],
  /** Content items of the platform API, and the content search of the runtime API. */
  content: [
    ['platform', 'api', 'v1', 'content'],
    ['runtime', 'api', 'v1', 'content'],
  ],
  files: [
    ['runtime', 'api', 'v1', 'files'],
    ['runtime', 'api', 'v1', 'knowledge'],
  ],
  /** Files that are indexed for the search by agents. */
  knowledge: [['runtime', 'api', 'v1', 'knowledge']],
  knowledgeSources: [['runtime', 'api', 'v1', 'knowledge-sources']],
  prompts: [['prompt', 'v1', 'prompt']],
  /** Blocks, and the rendered drafts of prompts, which contain the text of blocks. */
  blocks: [
    ['prompt', 'v1', 'block'],
    ['prompt', 'v1', 'render'],
  ],
  conversations: [['prompt', 'v1', 'conversation']],
} as const;
