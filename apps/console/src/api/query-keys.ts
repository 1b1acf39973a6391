/** Keys of the queries that a change invalidates, by kind of record. */
export const QUERY_KEYS = {
  users: [['users'], ['dashboard']],
  /** Records of the platform API, and the runtime's registry. */
  agents: [
    ['platform', 'api', 'v1', 'agents'],
    ['runtime', 'api', 'v1', 'agents'],
  ],
  skills: [['platform', 'api', 'v1', 'skills']],
  mcpServers: [['platform', 'api', 'v1', 'mcp']],
  webhooks: [['platform', 'api', 'v1', 'webhooks']],
  triggers: [['platform', 'api', 'v1', 'triggers']],
  budgets: [['platform', 'api', 'v1', 'budgets']],
  /** Models, and the prices that come with them. */
  models: [
    ['platform', 'api', 'v1', 'models'],
    ['platform', 'api', 'v1', 'model-prices'],
  ],
  modelPrices: [['platform', 'api', 'v1', 'model-prices']],
  plugins: [['platform', 'api', 'v1', 'plugins']],
  /** Records of the platform API, and the runtime's search. */
  content: [
    ['platform', 'api', 'v1', 'content'],
    ['runtime', 'api', 'v1', 'content'],
  ],
  files: [
    ['runtime', 'api', 'v1', 'files'],
    ['runtime', 'api', 'v1', 'knowledge'],
  ],
  /** Files whose passages agents find. */
  knowledge: [['runtime', 'api', 'v1', 'knowledge']],
  knowledgeSources: [['runtime', 'api', 'v1', 'knowledge-sources']],
  prompts: [['prompt', 'v1', 'prompt']],
  /** Records of blocks, and the drafts that render them. */
  blocks: [
    ['prompt', 'v1', 'block'],
    ['prompt', 'v1', 'render'],
  ],
  conversations: [['prompt', 'v1', 'conversation']],
} as const;
