/** Generated from docs/openapi/platform.json by `npm run openapi`: do not edit. */
export interface PlatformAnswers {
  listSkills: {
    items: PlatformAnswers['getSkill'][];
    total: number;
    page: number;
    per_page: number;
  };
  createSkill: PlatformAnswers['getSkill'];
  importSkill: PlatformAnswers['getSkill'];
  getSkill: {
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
  replaceSkill: PlatformAnswers['getSkill'];
  updateSkill: PlatformAnswers['getSkill'];
  listAgents: {
    items: PlatformAnswers['getAgent'][];
    total: number;
    page: number;
    per_page: number;
  };
  createAgent: PlatformAnswers['getAgent'];
  getAgent: {
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
    instructions: string;
    status: 'active' | 'inactive';
    on_unknown: 'ask' | 'tell' | 'fail';
    stopped_at: string | null;
    published: boolean;
    is_default: boolean;
    created_at: string;
    updated_at: string;
  };
  replaceAgent: PlatformAnswers['getAgent'];
  updateAgent: PlatformAnswers['getAgent'];
  listAgentSkills: PlatformAnswers['listSkills'];
  assignSkill: PlatformAnswers['getSkill'];
  markDefaultAgent: PlatformAnswers['getAgent'];
  listSkillVersions: {
    items: PlatformAnswers['getSkillVersion'][];
    total: number;
    page: number;
    per_page: number;
  };
  getSkillVersion: {
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
  restoreSkillVersion: PlatformAnswers['getSkill'];
  listAgentVersions: {
    items: PlatformAnswers['getAgentVersion'][];
    total: number;
    page: number;
    per_page: number;
  };
  getAgentVersion: {
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
      instructions?: string;
      status?: 'active' | 'inactive';
      on_unknown?: 'ask' | 'tell' | 'fail';
      published?: boolean;
    };
  };
  restoreAgentVersion: PlatformAnswers['getAgent'];
  listPlugins: {
    items: PlatformAnswers['getPlugin'][];
    total: number;
    page: number;
    per_page: number;
  };
  installPlugin: PlatformAnswers['getPlugin'];
  getPlugin: {
    id: string;
    name: string;
    description: string;
    version: number;
    type: 'tool' | 'data_source' | 'integration';
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
  updatePlugin: PlatformAnswers['getPlugin'];
  getPluginConfig: {
    [key: string]: unknown;
  };
  replacePluginConfig: {
    [key: string]: unknown;
  };
  listContent: {
    items: PlatformAnswers['getContent'][];
    total: number;
    page: number;
    per_page: number;
  };
  createContent: PlatformAnswers['getContent'];
  getContent: {
    id: string;
    title: string;
    body: string;
    tags: string[];
    status: 'active' | 'inactive';
    created_at: string;
    updated_at: string;
  };
  replaceContent: PlatformAnswers['getContent'];
  updateContent: PlatformAnswers['getContent'];
  listMcpServers: {
    items: PlatformAnswers['getMcpServer'][];
    total: number;
    page: number;
    per_page: number;
  };
  registerMcpServer: PlatformAnswers['getMcpServer'];
  getMcpServer: {
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
    transport: 'streamable-http';
    pin_tools: boolean;
    tools_count: number;
    last_seen_at: string | null;
    last_error: string | null;
    created_at: string;
    updated_at: string;
  };
  updateMcpServer: PlatformAnswers['getMcpServer'];
  refreshMcpServer: PlatformAnswers['getMcpServer'];
  listMcpServerTools: {
    items: PlatformAnswers['approveTool'][];
    total: number;
    page: number;
    per_page: number;
  };
  listQuarantinedTools: {
    items: {
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
    }[];
    total: number;
    page: number;
    per_page: number;
  };
  approveTool: {
    name: string;
    description: string;
    input_schema: {
      [key: string]: unknown;
    };
  };
  getToolPolicy: {
    unmarked_tools: 'allow' | 'ask_when_tainted' | 'ask';
    other_decider: boolean;
    is_default: boolean;
    updated_at: string | null;
  };
  putToolPolicy: PlatformAnswers['getToolPolicy'];
  listToolRules: {
    items: {
      name: string;
      hash: string;
      repeatable: boolean;
      rule: ('allow' | 'ask' | 'deny') | null;
      is_current: boolean;
      other_decider: boolean;
      effective: 'allow' | 'ask' | 'deny';
      suggested: 'allow' | 'ask' | 'deny';
    }[];
  };
  putToolRules: PlatformAnswers['listToolRules'];
  getPluginRule: {
    repeatable: boolean;
    rule: ('allow' | 'ask' | 'deny') | null;
    is_current: boolean;
    other_decider: boolean;
    effective: 'allow' | 'ask' | 'deny';
  };
  putPluginRule: PlatformAnswers['getPluginRule'];
  getAgentRule: {
    rule: ('allow' | 'ask' | 'deny') | null;
    is_current: boolean;
    other_decider: boolean;
    effective: 'allow' | 'ask' | 'deny';
  };
  putAgentRule: PlatformAnswers['getAgentRule'];
  getGuards: {
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
    updated_at: string | null;
  };
  putGuards: PlatformAnswers['getGuards'];
  getAgentGuards: {
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
    };
  };
  putAgentGuards: PlatformAnswers['getAgentGuards'];
  listWebhooks: {
    items: PlatformAnswers['getWebhook'][];
    total: number;
    page: number;
    per_page: number;
  };
  createWebhook: {
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
  getWebhook: {
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
  updateWebhook: PlatformAnswers['getWebhook'];
  rotateWebhookSecret: PlatformAnswers['createWebhook'];
  testWebhook: {
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
  replayWebhook: {
    replayed: number;
    more: boolean;
  };
  listWebhookDeliveries: {
    items: PlatformAnswers['testWebhook'][];
    next_cursor: string | null;
  };
  getWebhookDelivery: {
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
  replayWebhookDelivery: PlatformAnswers['testWebhook'];
  listTriggers: {
    items: PlatformAnswers['getTrigger'][];
    total: number;
    page: number;
    per_page: number;
  };
  createTrigger: {
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
  listTriggerTimes: {
    times: string[];
  };
  getTrigger: {
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
  updateTrigger: PlatformAnswers['getTrigger'];
  rotateTriggerSecret: PlatformAnswers['createTrigger'];
  fireTrigger: {
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
  listTriggerFirings: {
    items: PlatformAnswers['fireTrigger'][];
    next_cursor: string | null;
  };
  listBudgets: {
    items: PlatformAnswers['getBudget'][];
    total: number;
    page: number;
    per_page: number;
  };
  createBudget: PlatformAnswers['getBudget'];
  listOwnBudgets: {
    items: PlatformAnswers['getBudget'][];
  };
  listBudgetSubjects: {
    items: {
      id: string;
      name: string;
      detail: string;
    }[];
  };
  getBudget: {
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
  updateBudget: PlatformAnswers['getBudget'];
  listModelPrices: {
    items: PlatformAnswers['createModelPrice'][];
    models: string[];
  };
  createModelPrice: {
    id: string | null;
    model: string;
    input: number;
    output: number;
    valid_from: string | null;
    is_current: boolean;
    created_at: string | null;
  };
  Error: {
    error: {
      code: string;
      message: string;
      status: number;
    };
  };
}
