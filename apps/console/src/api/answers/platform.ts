/** Generated from docs/openapi/platform.json by `npm run openapi`: do not edit. */
export interface PlatformAnswers {
  listSkills: PlatformAnswers['SkillList'];
  createSkill: PlatformAnswers['Skill'];
  importSkill: PlatformAnswers['Skill'];
  getSkill: PlatformAnswers['Skill'];
  replaceSkill: PlatformAnswers['Skill'];
  updateSkill: PlatformAnswers['Skill'];
  listAgents: PlatformAnswers['AgentList'];
  createAgent: PlatformAnswers['Agent'];
  getAgent: PlatformAnswers['Agent'];
  replaceAgent: PlatformAnswers['Agent'];
  updateAgent: PlatformAnswers['Agent'];
  listAgentSkills: PlatformAnswers['SkillList'];
  assignSkill: PlatformAnswers['Skill'];
  markDefaultAgent: PlatformAnswers['Agent'];
  listSkillVersions: PlatformAnswers['SkillVersionList'];
  getSkillVersion: PlatformAnswers['SkillVersion'];
  restoreSkillVersion: PlatformAnswers['Skill'];
  listAgentVersions: PlatformAnswers['AgentVersionList'];
  getAgentVersion: PlatformAnswers['AgentVersion'];
  restoreAgentVersion: PlatformAnswers['Agent'];
  listPlugins: PlatformAnswers['PluginList'];
  installPlugin: PlatformAnswers['Plugin'];
  getPlugin: PlatformAnswers['Plugin'];
  updatePlugin: PlatformAnswers['Plugin'];
  getPluginConfig: {
    [key: string]: unknown;
  };
  replacePluginConfig: {
    [key: string]: unknown;
  };
  listContent: PlatformAnswers['ContentList'];
  createContent: PlatformAnswers['Content'];
  getContent: PlatformAnswers['Content'];
  replaceContent: PlatformAnswers['Content'];
  updateContent: PlatformAnswers['Content'];
  getKnowledgeSearch: PlatformAnswers['KnowledgeSearch'];
  putKnowledgeSearch: PlatformAnswers['KnowledgeSearch'];
  listMcpServers: PlatformAnswers['McpServerList'];
  registerMcpServer: PlatformAnswers['McpServer'];
  getMcpServer: PlatformAnswers['McpServer'];
  updateMcpServer: PlatformAnswers['McpServer'];
  refreshMcpServer: PlatformAnswers['McpServer'];
  listMcpServerTools: PlatformAnswers['McpServerToolList'];
  listQuarantinedTools: PlatformAnswers['QuarantinedToolList'];
  approveTool: PlatformAnswers['McpServerTool'];
  makeChanges: PlatformAnswers['MakeChangesAnswer'];
  getMcpRegistry: PlatformAnswers['McpRegistry'];
  searchMcpRegistry: PlatformAnswers['McpRegistryList'];
  getToolPolicy: PlatformAnswers['ToolPolicy'];
  putToolPolicy: PlatformAnswers['ToolPolicy'];
  listToolRules: PlatformAnswers['ToolRuleList'];
  putToolRules: PlatformAnswers['ToolRuleList'];
  getPluginRule: PlatformAnswers['PluginRule'];
  putPluginRule: PlatformAnswers['PluginRule'];
  getAgentRule: PlatformAnswers['AgentRule'];
  putAgentRule: PlatformAnswers['AgentRule'];
  getGuards: PlatformAnswers['Guards'];
  putGuards: PlatformAnswers['Guards'];
  getAgentGuards: PlatformAnswers['AgentGuards'];
  putAgentGuards: PlatformAnswers['AgentGuards'];
  listWebhooks: PlatformAnswers['WebhookList'];
  createWebhook: PlatformAnswers['CreatedWebhook'];
  getWebhook: PlatformAnswers['Webhook'];
  updateWebhook: PlatformAnswers['Webhook'];
  rotateWebhookSecret: PlatformAnswers['CreatedWebhook'];
  testWebhook: PlatformAnswers['WebhookDeliverySummary'];
  replayWebhook: PlatformAnswers['ReplayWebhookAnswer'];
  listWebhookDeliveries: PlatformAnswers['WebhookDeliveryList'];
  getWebhookDelivery: PlatformAnswers['WebhookDelivery'];
  replayWebhookDelivery: PlatformAnswers['WebhookDeliverySummary'];
  listTriggers: PlatformAnswers['TriggerList'];
  createTrigger: PlatformAnswers['CreatedTrigger'];
  listTriggerTimes: PlatformAnswers['TriggerTimeList'];
  getTrigger: PlatformAnswers['Trigger'];
  updateTrigger: PlatformAnswers['Trigger'];
  rotateTriggerSecret: PlatformAnswers['CreatedTrigger'];
  fireTrigger: PlatformAnswers['TriggerFiring'];
  listTriggerFirings: PlatformAnswers['TriggerFiringList'];
  listBudgets: PlatformAnswers['BudgetList'];
  createBudget: PlatformAnswers['Budget'];
  listOwnBudgets: PlatformAnswers['OwnBudgetList'];
  listBudgetSubjects: PlatformAnswers['BudgetSubjectList'];
  getBudget: PlatformAnswers['Budget'];
  updateBudget: PlatformAnswers['Budget'];
  listModelPrices: PlatformAnswers['ModelPriceList'];
  createModelPrice: PlatformAnswers['ModelPrice'];
  listKeys: PlatformAnswers['KeyList'];
  createKey: PlatformAnswers['CreatedKey'];
  listClients: PlatformAnswers['ClientList'];
  createClient: PlatformAnswers['CreatedClient'];
  getClient: PlatformAnswers['Client'];
  updateClient: PlatformAnswers['Client'];
  rotateClientSecret: PlatformAnswers['CreatedClient'];
  whoAmI: PlatformAnswers['Identity'];
  listModels: PlatformAnswers['ModelList'];
  createModel: PlatformAnswers['Model'];
  listModelPresets: PlatformAnswers['ModelPresetList'];
  testDraftModel: PlatformAnswers['TestDraftModelAnswer'];
  getModel: PlatformAnswers['Model'];
  updateModel: PlatformAnswers['Model'];
  testModel: PlatformAnswers['TestDraftModelAnswer'];
  SkillList: {
    items: PlatformAnswers['Skill'][];
    total: number;
    page: number;
    per_page: number;
  };
  Skill: {
    id: string;
    name: string;
    description: string;
    instructions: string;
    parameters: {
      [key: string]: {
        type: 'string' | 'integer' | 'number' | 'boolean';
        enum?: (string | number | boolean)[];
        default?: string | number | boolean;
      };
    };
    status: 'active' | 'inactive';
    created_at: string;
    updated_at: string;
  };
  AgentList: {
    items: PlatformAnswers['Agent'][];
    total: number;
    page: number;
    per_page: number;
  };
  Agent: {
    id: string;
    name: string;
    slug: string;
    description: string;
    skill_ids: string[];
    plugin_ids: string[];
    content_tags: string[];
    mcp_server_ids: string[];
    agent_ids: string[];
    mcp_tools: string[];
    ask_tools: string[];
    model: string | null;
    model_parameters: {
      temperature?: number;
      max_tokens?: number;
      top_p?: number;
      reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
      stop?: string[];
    };
    instructions: string;
    status: 'active' | 'inactive';
    on_unknown: 'ask' | 'tell' | 'fail';
    stopped_at: string | null;
    published: boolean;
    is_default: boolean;
    created_at: string;
    updated_at: string;
  };
  SkillVersionList: {
    items: PlatformAnswers['SkillVersion'][];
    total: number;
    page: number;
    per_page: number;
  };
  SkillVersion: {
    version: number;
    at: string;
    by: {
      user_id: string;
      actor_kind: 'user' | 'job' | 'mcp';
      actor_id: string;
    };
    changed: string[];
    state: {
      name: string;
      description: string;
      instructions: string;
      parameters: {
        [key: string]: {
          type: 'string' | 'integer' | 'number' | 'boolean';
          enum?: (string | number | boolean)[];
          default?: string | number | boolean;
        };
      };
      status: 'active' | 'inactive';
    };
  };
  AgentVersionList: {
    items: PlatformAnswers['AgentVersion'][];
    total: number;
    page: number;
    per_page: number;
  };
  AgentVersion: {
    version: number;
    at: string;
    by: {
      user_id: string;
      actor_kind: 'user' | 'job' | 'mcp';
      actor_id: string;
    };
    changed: string[];
    state: {
      name?: string;
      description?: string;
      skill_ids?: string[];
      plugin_ids?: string[];
      content_tags?: string[];
      mcp_server_ids?: string[];
      agent_ids?: string[];
      mcp_tools?: string[];
      ask_tools?: string[];
      model?: string | null;
      model_parameters?: {
        temperature?: number;
        max_tokens?: number;
        top_p?: number;
        reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
        stop?: string[];
      };
      instructions?: string;
      status?: 'active' | 'inactive';
      on_unknown?: 'ask' | 'tell' | 'fail';
      published?: boolean;
    };
  };
  PluginList: {
    items: PlatformAnswers['Plugin'][];
    total: number;
    page: number;
    per_page: number;
  };
  Plugin: {
    id: string;
    name: string;
    description: string;
    version: number;
    type: 'tool' | 'data_source' | 'integration' | 'filter';
    config: {
      [key: string]: unknown;
    };
    config_schema: {
      [key: string]: unknown;
    };
    status: 'active' | 'inactive';
    reachable: boolean | null;
    last_checked_at: string | null;
    last_error: string | null;
    created_at: string;
    updated_at: string;
  };
  ContentList: {
    items: PlatformAnswers['Content'][];
    total: number;
    page: number;
    per_page: number;
  };
  Content: {
    id: string;
    title: string;
    body: string;
    tags: string[];
    status: 'active' | 'inactive';
    created_at: string;
    updated_at: string;
  };
  KnowledgeSearch: {
    embedding_model: string | null;
    dimensions: number | null;
    state: 'full_text' | 'no_pgvector' | 'indexing' | 'failing' | 'ready';
    message: string;
    indexed: number;
    pending: number;
    refused: number;
    updated_at: string | null;
  };
  McpServerList: {
    items: PlatformAnswers['McpServer'][];
    total: number;
    page: number;
    per_page: number;
  };
  McpServer: {
    id: string;
    name: string;
    slug: string;
    url: string;
    description: string;
    headers: {
      [key: string]: '********';
    };
    auth:
      | {
          type: 'none';
        }
      | {
          type: 'agent_token';
          client_id?: string;
          scope?: string;
        }
      | {
          type: 'client_credentials';
          token_url: string;
          client_id: string;
          client_secret: '********';
          client_auth: 'client_secret_basic' | 'client_secret_post';
          scope?: string;
        }
      | {
          type: 'user';
          issuer?: string;
          client_id?: string;
          client_secret?: '********';
          client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
          scope?: string;
        };
    status: 'active' | 'inactive' | 'unreachable';
    transport: 'streamable-http' | 'a2a';
    agent_card: {
      require_signature: boolean;
      jwks_url: string | null;
      signature: ('verified' | 'unsigned' | 'invalid') | null;
    } | null;
    pin_tools: boolean;
    tools_count: number;
    last_seen_at: string | null;
    last_error: string | null;
    created_at: string;
    updated_at: string;
  };
  McpServerToolList: {
    items: PlatformAnswers['McpServerTool'][];
    total: number;
    page: number;
    per_page: number;
  };
  McpServerTool: {
    name: string;
    description: string;
    input_schema: {
      [key: string]: unknown;
    };
  };
  QuarantinedToolList: {
    items: PlatformAnswers['QuarantinedTool'][];
    total: number;
    page: number;
    per_page: number;
  };
  QuarantinedTool: {
    name: string;
    reason: 'new' | 'changed' | 'removed';
    hash: string | null;
    approved: {
      description: string;
      input_schema: {
        [key: string]: unknown;
      };
      title?: string;
      annotations?: {
        [key: string]: unknown;
      };
      output_schema?: {
        [key: string]: unknown;
      };
      other_members?: {
        [key: string]: unknown;
      };
    } | null;
    current: {
      description: string;
      input_schema: {
        [key: string]: unknown;
      };
      title?: string;
      annotations?: {
        [key: string]: unknown;
      };
      output_schema?: {
        [key: string]: unknown;
      };
      other_members?: {
        [key: string]: unknown;
      };
    } | null;
    difference: {
      path: string;
      approved?: unknown;
      current?: unknown;
    }[];
  };
  MakeChangesAnswer: {
    changes: {
      kind: string;
      action: 'create' | 'update' | 'delete';
      id: string;
      etag: string | null;
    }[];
  };
  McpRegistry: {
    url: string | null;
  };
  McpRegistryList: {
    items: PlatformAnswers['McpRegistrySummary'][];
    skipped: number;
    next_cursor: string | null;
    error: string | null;
  };
  McpRegistrySummary: {
    name: string;
    title: string | null;
    description: string;
    version: string;
    is_deprecated: boolean;
    drafts: {
      name: string;
      description: string;
      url: string;
      headers: {
        name: string;
        value: string;
        description: string;
        is_required: boolean;
        is_secret: boolean;
      }[];
      inputs: {
        name: string;
        description: string;
        is_required: boolean;
        is_secret: boolean;
        choices: string[];
      }[];
    }[];
  };
  ToolPolicy: {
    unmarked_tools: 'allow' | 'ask_when_tainted' | 'ask';
    other_decider: boolean;
    is_default: boolean;
    updated_at: string | null;
  };
  ToolRuleList: {
    items: PlatformAnswers['ToolRule'][];
  };
  ToolRule: {
    name: string;
    hash: string;
    repeatable: boolean;
    rule: ('allow' | 'ask' | 'deny') | null;
    is_current: boolean;
    other_decider: boolean;
    effective: 'allow' | 'ask' | 'deny';
    suggested: 'allow' | 'ask' | 'deny';
  };
  PluginRule: {
    repeatable: boolean;
    rule: ('allow' | 'ask' | 'deny') | null;
    is_current: boolean;
    other_decider: boolean;
    effective: 'allow' | 'ask' | 'deny';
  };
  AgentRule: {
    rule: ('allow' | 'ask' | 'deny') | null;
    is_current: boolean;
    other_decider: boolean;
    effective: 'allow' | 'ask' | 'deny';
  };
  Guards: {
    rules: {
      secrets?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      email?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      phone?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      card?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      iban?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
    };
    phone_countries: string[];
    filters: {
      plugin_id: string;
      name: string;
      version: number;
      is_current: boolean;
      points: ('input' | 'output' | 'tools')[];
      on_failure: 'block' | 'allow';
    }[];
    updated_at: string | null;
  };
  AgentGuards: {
    rules: {
      secrets?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      email?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      phone?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      card?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      iban?: {
        input?: 'off' | 'flag' | 'redact' | 'block';
        output?: 'off' | 'flag' | 'redact' | 'block';
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
    };
    phone_countries: string[];
    filters: {
      plugin_id: string;
      name: string;
      version: number;
      is_current: boolean;
      points: ('input' | 'output' | 'tools')[];
      on_failure: 'block' | 'allow';
    }[];
    updated_at: string | null;
    effective: {
      rules: {
        secrets?: {
          input?: 'off' | 'flag' | 'redact' | 'block';
          output?: 'off' | 'flag' | 'redact' | 'block';
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        email?: {
          input?: 'off' | 'flag' | 'redact' | 'block';
          output?: 'off' | 'flag' | 'redact' | 'block';
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        phone?: {
          input?: 'off' | 'flag' | 'redact' | 'block';
          output?: 'off' | 'flag' | 'redact' | 'block';
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        card?: {
          input?: 'off' | 'flag' | 'redact' | 'block';
          output?: 'off' | 'flag' | 'redact' | 'block';
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        iban?: {
          input?: 'off' | 'flag' | 'redact' | 'block';
          output?: 'off' | 'flag' | 'redact' | 'block';
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
      };
      phone_countries: string[];
      filters: {
        plugin_id: string;
        name: string;
        version: number;
        is_current: boolean;
        points: ('input' | 'output' | 'tools')[];
        on_failure: 'block' | 'allow';
      }[];
    };
  };
  WebhookList: {
    items: PlatformAnswers['Webhook'][];
    total: number;
    page: number;
    per_page: number;
  };
  Webhook: {
    id: string;
    name: string;
    url: string;
    description: string;
    event_types: string[];
    status: 'active' | 'inactive';
    disabled_reason: ('failing' | 'gone') | null;
    failing_since: string | null;
    former_secret_until: string | null;
    waiting: number;
    created_at: string;
    updated_at: string;
  };
  CreatedWebhook: {
    id: string;
    name: string;
    url: string;
    description: string;
    event_types: string[];
    status: 'active' | 'inactive';
    disabled_reason: ('failing' | 'gone') | null;
    failing_since: string | null;
    former_secret_until: string | null;
    waiting: number;
    created_at: string;
    updated_at: string;
    secret: string;
  };
  WebhookDeliverySummary: {
    id: string;
    event: {
      id: string;
      type: string;
      subject: string;
      sequence: number;
      created_at: string;
    };
    state: 'pending' | 'delivered' | 'failed' | 'skipped';
    attempts: number;
    next_attempt_at: string | null;
    last_attempt_at: string | null;
    last_status: number | null;
    last_error: string | null;
    answer: string | null;
  };
  ReplayWebhookAnswer: {
    replayed: number;
    more: boolean;
  };
  WebhookDeliveryList: {
    items: PlatformAnswers['WebhookDeliverySummary'][];
    next_cursor: string | null;
  };
  WebhookDelivery: {
    id: string;
    event: {
      id: string;
      type: string;
      subject: string;
      sequence: number;
      created_at: string;
    };
    state: 'pending' | 'delivered' | 'failed' | 'skipped';
    attempts: number;
    next_attempt_at: string | null;
    last_attempt_at: string | null;
    last_status: number | null;
    last_error: string | null;
    answer: string | null;
    data: unknown;
  };
  TriggerList: {
    items: PlatformAnswers['Trigger'][];
    total: number;
    page: number;
    per_page: number;
  };
  Trigger: {
    id: string;
    name: string;
    description: string;
    kind: 'cron' | 'webhook';
    status: 'active' | 'inactive';
    disabled_reason: ('owner' | 'failing') | null;
    agent: string;
    input: string;
    context: 'new' | 'same';
    context_id: string | null;
    overlap: 'skip' | 'queue' | 'allow';
    missed: 'skip' | 'once';
    schedule: string | null;
    timezone: string | null;
    starts_at: string | null;
    ends_at: string | null;
    next_at: string | null;
    path: string | null;
    signature: ('standard' | 'github' | 'stripe') | null;
    former_secret_until: string | null;
    budget: {
      unit: 'usd' | 'tokens';
      amount: number;
    } | null;
    owner: {
      id: string;
      name: string;
    };
    max_failures: number;
    failures: number;
    firings: number;
    last_fired_at: string | null;
    created_at: string;
    updated_at: string;
  };
  CreatedTrigger: {
    id: string;
    name: string;
    description: string;
    kind: 'cron' | 'webhook';
    status: 'active' | 'inactive';
    disabled_reason: ('owner' | 'failing') | null;
    agent: string;
    input: string;
    context: 'new' | 'same';
    context_id: string | null;
    overlap: 'skip' | 'queue' | 'allow';
    missed: 'skip' | 'once';
    schedule: string | null;
    timezone: string | null;
    starts_at: string | null;
    ends_at: string | null;
    next_at: string | null;
    path: string | null;
    signature: ('standard' | 'github' | 'stripe') | null;
    former_secret_until: string | null;
    budget: {
      unit: 'usd' | 'tokens';
      amount: number;
    } | null;
    owner: {
      id: string;
      name: string;
    };
    max_failures: number;
    failures: number;
    firings: number;
    last_fired_at: string | null;
    created_at: string;
    updated_at: string;
    secret: string | null;
  };
  TriggerTimeList: {
    times: string[];
  };
  TriggerFiring: {
    id: string;
    number: number;
    source: 'schedule' | 'webhook' | 'test';
    at: string;
    state: 'pending' | 'started' | 'completed' | 'failed' | 'canceled' | 'skipped';
    reason:
      | (
          | 'missed'
          | 'overlap'
          | 'full'
          | 'inactive'
          | 'stopped'
          | 'owner'
          | 'agent'
          | 'message'
          | 'quota'
          | 'conflict'
          | 'unavailable'
          | 'run'
        )
      | null;
    run_id: string | null;
    input: string;
    created_at: string;
    ended_at: string | null;
  };
  TriggerFiringList: {
    items: PlatformAnswers['TriggerFiring'][];
    next_cursor: string | null;
  };
  BudgetList: {
    items: PlatformAnswers['Budget'][];
    total: number;
    page: number;
    per_page: number;
  };
  Budget: {
    id: string;
    name: string;
    level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger' | 'run';
    subject: {
      id: string;
      name: string;
    } | null;
    period: 'day' | 'month' | 'total';
    unit: 'usd' | 'tokens';
    amount: number;
    status: 'active' | 'inactive';
    window: {
      starts_on: string | null;
      ends_on: string | null;
      spent: number;
      reserved: number;
    };
    waiting_runs: number;
    created_at: string;
    updated_at: string;
  };
  OwnBudgetList: {
    items: PlatformAnswers['Budget'][];
  };
  BudgetSubjectList: {
    items: PlatformAnswers['BudgetSubject'][];
  };
  BudgetSubject: {
    id: string;
    name: string;
    detail: string;
  };
  ModelPriceList: {
    items: PlatformAnswers['ModelPrice'][];
    models: string[];
  };
  ModelPrice: {
    id: string | null;
    model: string;
    input: number;
    output: number;
    valid_from: string | null;
    is_current: boolean;
    created_at: string | null;
  };
  KeyList: {
    items: PlatformAnswers['Key'][];
  };
  Key: {
    id: string;
    name: string;
    prefix: string;
    scopes: string[];
    plan: 'standard' | 'professional';
    project: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    successor_id: string | null;
  };
  CreatedKey: {
    id: string;
    name: string;
    prefix: string;
    scopes: string[];
    plan: 'standard' | 'professional';
    project: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    successor_id: string | null;
    key: string;
  };
  ClientList: {
    items: PlatformAnswers['Client'][];
  };
  Client: {
    client_id: string;
    name: string;
    redirect_uris: string[];
    scopes: string[];
    mcp_tools: string[];
    project: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
  };
  CreatedClient: {
    client_id: string;
    name: string;
    redirect_uris: string[];
    scopes: string[];
    mcp_tools: string[];
    project: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    client_secret: string;
  };
  Identity: {
    user: {
      id: string;
      name: string;
      email: string;
    };
    project: string;
    roles: string[];
    credential: {
      kind: 'api_key' | 'access_token' | 'gateway_token' | 'area_token' | 'provisioning_token';
      plan: 'standard' | 'professional';
    };
    scopes: string[];
  };
  ModelList: {
    items: PlatformAnswers['Model'][];
  };
  Model: {
    id: string;
    name: string;
    source: 'project' | 'environment';
    preset:
      | (
          | 'openai'
          | 'anthropic'
          | 'google'
          | 'azure'
          | 'mistral'
          | 'groq'
          | 'ollama'
          | 'vllm'
          | 'litellm'
          | 'compatible'
        )
      | null;
    base_url: string | null;
    upstream_model: string;
    api_key: '********' | null;
    parameters: {
      temperature?: number;
      max_tokens?: number;
      top_p?: number;
      reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
      stop?: string[];
    };
    context_window: number;
    max_output: number | null;
    images: boolean;
    image_urls: boolean;
    prices: {
      input: number;
      output: number;
    } | null;
    fallbacks: string[];
    is_default: boolean;
    status: 'active' | 'inactive';
    health: {
      state: 'unknown' | 'healthy' | 'failing' | 'paused';
      last_success_at: string | null;
      last_failure: {
        at: string;
        kind: 'timeout' | 'rate_limited' | 'failed' | 'unreachable' | 'rejected' | 'garbage';
        status: number | null;
        message: string | null;
      } | null;
    };
    created_at: string | null;
    updated_at: string | null;
  };
  ModelPresetList: {
    items: PlatformAnswers['ModelPreset'][];
  };
  ModelPreset: {
    id: 'openai' | 'anthropic' | 'google' | 'azure' | 'mistral' | 'groq' | 'ollama' | 'vllm' | 'litellm' | 'compatible';
    name: string;
    base_url: string | null;
    needs_key: boolean;
    models_url: string | null;
  };
  TestDraftModelAnswer: {
    ok: boolean;
    latency_ms: number;
    answer: string | null;
    upstream_model: string | null;
    failure: {
      kind: 'timeout' | 'rate_limited' | 'failed' | 'unreachable' | 'rejected' | 'garbage';
      status: number | null;
      message: string;
      advice: string;
    } | null;
  };
}
