/** Generated from docs/openapi/runtime.json by `npm run openapi`: do not edit. */
export interface RuntimeAnswers {
  getHealth: RuntimeAnswers['Health'];
  getJwks: RuntimeAnswers['Jwks'];
  getDefaultAgentCard: RuntimeAnswers['DefaultAgentCard'];
  getAgentCard: RuntimeAnswers['DefaultAgentCard'];
  getAgentCardBesideAgent: RuntimeAnswers['DefaultAgentCard'];
  getAgentCardBelowAgent: RuntimeAnswers['DefaultAgentCard'];
  listAgentCards: RuntimeAnswers['DefaultAgentCard'][];
  listAgents: RuntimeAnswers['AgentList'];
  getAgent: RuntimeAnswers['Agent'];
  stopAgent: RuntimeAnswers['StopAgentAnswer'];
  releaseAgent: RuntimeAnswers['StopAgentAnswer'];
  sendMessage: RuntimeAnswers['SendMessageAnswer'];
  'sendMessage.message.started': {
    agent: string;
    context_id: string;
    run_id: string;
  };
  'sendMessage.run.running': {
    taken_over: true;
  };
  'sendMessage.message.delta': {
    step: number;
    delta: string;
  };
  'sendMessage.tool.call': {
    step: number;
    id: string;
    tool: string;
    arguments: string;
  };
  'sendMessage.tool.result': {
    step: number;
    id: string;
    tool: string;
    ok: boolean;
  };
  'sendMessage.message.completed': RuntimeAnswers['SendMessageAnswer'];
  'sendMessage.run.waiting': RuntimeAnswers['SendMessageAnswer202'];
  'sendMessage.error': RuntimeAnswers['ApiError'];
  listContexts: RuntimeAnswers['ContextList'];
  getContext: RuntimeAnswers['Context'];
  deleteContext: RuntimeAnswers['DeleteContextAnswer'];
  listConversations: RuntimeAnswers['ConversationList'];
  getConversation: RuntimeAnswers['Conversation'];
  updateConversation: RuntimeAnswers['ConversationSummary'];
  deleteConversation: RuntimeAnswers['DeleteContextAnswer'];
  getConversationImage: RuntimeAnswers['ConversationImage'];
  startRun: RuntimeAnswers['RunSummary'];
  listRuns: RuntimeAnswers['RunList'];
  retryRun: RuntimeAnswers['RunSummary'];
  getRun: RuntimeAnswers['Run'];
  'followRun.run.queued': Record<string, never>;
  'followRun.run.running': {
    taken_over?: true;
  };
  'followRun.run.waiting': {
    waiting_for: 'approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child';
  } & {
    [key: string]: unknown;
  };
  'followRun.message.delta': {
    step: number;
    delta: string;
  };
  'followRun.tool.call': {
    step: number;
    id: string;
    tool: string;
    arguments: string;
  };
  'followRun.tool.result': {
    step: number;
    id: string;
    tool: string;
    ok: boolean;
  };
  'followRun.run.completed': Record<string, never>;
  'followRun.run.failed': {
    code: string;
  };
  'followRun.run.canceled': {
    reason?: 'agent_stopped' | 'parent_ended';
  };
  listRunSteps: RuntimeAnswers['RunStepList'];
  getRunStep: RuntimeAnswers['RunStep'];
  cancelRun: RuntimeAnswers['CancelRunAnswer'];
  decideRunOutcome: RuntimeAnswers['CancelRunAnswer'];
  putRunFeedback: RuntimeAnswers['RunFeedback'];
  runAgentDraft: RuntimeAnswers['RunSummary'];
  listApprovals: RuntimeAnswers['ApprovalList'];
  listRunApprovals: RuntimeAnswers['ApprovalList'];
  decideApproval: RuntimeAnswers['DecideApprovalAnswer'];
  listUsers: RuntimeAnswers['UserList'];
  createUser: RuntimeAnswers['User'];
  getUser: RuntimeAnswers['User'];
  updateUser: RuntimeAnswers['User'];
  deactivateUser: RuntimeAnswers['User'];
  whoAmI: RuntimeAnswers['Identity'];
  listContent: RuntimeAnswers['ContentList'];
  createContent: RuntimeAnswers['Content'];
  searchContent: RuntimeAnswers['SearchContentList'];
  getContent: RuntimeAnswers['Content'];
  listMcpServers: RuntimeAnswers['McpServerList'];
  listServerEntries: RuntimeAnswers['ServerEntryList'];
  listServerEntryVersions: RuntimeAnswers['ServerEntryList'];
  getServerEntry: RuntimeAnswers['ServerEntry'];
  listMcpConnections: RuntimeAnswers['McpConnectionList'];
  endMcpConnection: RuntimeAnswers['EndMcpConnectionAnswer'];
  'file.create': RuntimeAnswers['UploadedFile'];
  'file.list': RuntimeAnswers['FileList'];
  'file.get': RuntimeAnswers['UploadedFile'];
  'file.delete': RuntimeAnswers['DeleteContextAnswer'];
  putFileKnowledge: RuntimeAnswers['FileKnowledge'];
  getFileKnowledge: RuntimeAnswers['FileKnowledge'];
  listKnowledge: RuntimeAnswers['KnowledgeList'];
  listKnowledgeSources: RuntimeAnswers['KnowledgeSourceList'];
  createKnowledgeSource: RuntimeAnswers['KnowledgeSource'];
  getKnowledgeSource: RuntimeAnswers['KnowledgeSource'];
  updateKnowledgeSource: RuntimeAnswers['KnowledgeSource'];
  refreshKnowledgeSource: RuntimeAnswers['KnowledgeSource'];
  getMetrics: RuntimeAnswers['Metrics'];
  Health: {
    status: 'ok' | 'degraded';
    version: string;
    uptime_seconds: number;
  };
  Jwks: {
    keys: {
      [key: string]: unknown;
    }[];
  };
  DefaultAgentCard: {
    name: string;
    description: string;
    version: string;
    supportedInterfaces: {
      url: string;
      protocolBinding: 'JSONRPC' | 'HTTP+JSON';
      protocolVersion: '1.0' | '0.3';
    }[];
    capabilities: {
      streaming: boolean;
      pushNotifications: boolean;
    } & {
      [key: string]: unknown;
    };
    defaultInputModes: string[];
    defaultOutputModes: string[];
    skills: ({
      id: string;
      name: string;
      description: string;
      tags: string[];
    } & {
      [key: string]: unknown;
    })[];
    signatures?: {
      protected: string;
      signature: string;
    }[];
  } & {
    [key: string]: unknown;
  };
  AgentList: {
    agents: RuntimeAnswers['AgentSummary'][];
  };
  AgentSummary: {
    name: string;
    status: 'running' | 'stopped' | 'degraded';
    endpoint: string;
    capabilities: string[];
  };
  Agent: {
    name: string;
    status: 'running' | 'stopped' | 'degraded';
    endpoint: string;
    capabilities: string[];
    description: string;
    skills: {
      name: string;
      description: string;
    }[];
    stopped_at: string | null;
  };
  StopAgentAnswer: {
    name: string;
    stopped_at: string | null;
  };
  SendMessageAnswer: {
    id: string;
    content: string;
    agent: string;
    timestamp: string;
    context_id: string;
  };
  SendMessageAnswer202: {
    id: string;
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    state_at: string;
    subject: {
      kind: 'agent' | 'prompt' | 'model';
      id: string | null;
      name: string;
      version: number | null;
    };
    user: {
      id: string;
      name: string;
    };
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    title: string | null;
    context_id: string | null;
    conversation: {
      id: string;
      message_id: string | null;
    } | null;
    parent_id: string | null;
    retry_of: string | null;
    model: string | null;
    steps: number;
    tool_calls: number;
    prompt_tokens: number;
    completion_tokens: number;
    cost_usd: number | null;
    queued_at: string;
    started_at: string | null;
    ended_at: string | null;
    error: {
      code: string;
      message: string;
      status: number | null;
      detail: string | null;
    } | null;
    feedback: ('up' | 'down') | null;
    approvals: RuntimeAnswers['Approval'][];
    connections: {
      server_id: string;
      name: string;
      connect_url: string;
      run_id: string;
    }[];
  };
  Approval: {
    id: string;
    run_id: string;
    state: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
    agent: {
      name: string;
      version: number | null;
    };
    server: {
      id: string;
      name: string;
    };
    tool: string;
    call_id: string;
    step: number;
    arguments: string;
    parameters: unknown;
    tainted_by: string[];
    requester: {
      id: string;
      name: string;
    };
    other_decider: boolean;
    may_decide: boolean;
    edited_arguments: string | null;
    reason: string | null;
    decided_by: {
      id: string;
      name: string;
    } | null;
    decided_at: string | null;
    expires_at: string;
    created_at: string;
  };
  ApiError: {
    error: {
      code: string;
      message: string;
      details: {
        field: string;
        reason: string;
      };
    };
  };
  ContextList: {
    items: RuntimeAnswers['ContextSummary'][];
    total: number;
    limit: number;
    offset: number;
  };
  ContextSummary: {
    id: string;
    title: string;
    created_at: string;
    updated_at: string;
  };
  Context: {
    id: string;
    title: string;
    created_at: string;
    updated_at: string;
    agent: string;
    messages: {
      id: string;
      role: 'user' | 'assistant';
      content: string;
      timestamp: string;
      failed: boolean;
      images: RuntimeAnswers['ConversationImage'][];
      tools: {
        id: string;
        tool: string;
        arguments: string;
        answer: string | null;
        failed: boolean;
      }[];
      run: {
        id: string;
        state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
        waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
        feedback: ('up' | 'down') | null;
      } | null;
    }[];
  };
  ConversationImage: {
    id: string;
    name: string;
    content_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
    size: number;
    width: number;
    height: number;
  };
  DeleteContextAnswer: {
    id: string;
  };
  ConversationList: {
    items: RuntimeAnswers['ConversationSummary'][];
    total: number;
    limit: number;
    offset: number;
  };
  ConversationSummary: {
    id: string;
    title: string;
    created_at: string;
    updated_at: string;
    agent: string;
    pinned: boolean;
    shared: boolean;
  };
  Conversation: {
    id: string;
    title: string;
    created_at: string;
    updated_at: string;
    agent: string;
    pinned: boolean;
    shared: boolean;
    own: boolean;
    user_name: string;
    messages: {
      id: string;
      role: 'user' | 'assistant';
      content: string;
      timestamp: string;
      failed: boolean;
      images: RuntimeAnswers['ConversationImage'][];
      tools: {
        id: string;
        tool: string;
        arguments: string;
        answer: string | null;
        failed: boolean;
      }[];
      run: {
        id: string;
        state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
        waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
        feedback: ('up' | 'down') | null;
      } | null;
    }[];
  };
  RunSummary: {
    id: string;
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    state_at: string;
    subject: {
      kind: 'agent' | 'prompt' | 'model';
      id: string | null;
      name: string;
      version: number | null;
    };
    user: {
      id: string;
      name: string;
    };
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    title: string | null;
    context_id: string | null;
    conversation: {
      id: string;
      message_id: string | null;
    } | null;
    parent_id: string | null;
    retry_of: string | null;
    model: string | null;
    steps: number;
    tool_calls: number;
    prompt_tokens: number;
    completion_tokens: number;
    cost_usd: number | null;
    queued_at: string;
    started_at: string | null;
    ended_at: string | null;
    error: {
      code: string;
      message: string;
      status: number | null;
      detail: string | null;
    } | null;
    feedback: ('up' | 'down') | null;
  };
  RunList: {
    items: RuntimeAnswers['RunSummary'][];
    next_cursor: string | null;
  };
  Run: {
    id: string;
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    state_at: string;
    subject: {
      kind: 'agent' | 'prompt' | 'model';
      id: string | null;
      name: string;
      version: number | null;
    };
    user: {
      id: string;
      name: string;
    };
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    title: string | null;
    context_id: string | null;
    conversation: {
      id: string;
      message_id: string | null;
    } | null;
    parent_id: string | null;
    retry_of: string | null;
    model: string | null;
    steps: number;
    tool_calls: number;
    prompt_tokens: number;
    completion_tokens: number;
    cost_usd: number | null;
    queued_at: string;
    started_at: string | null;
    ended_at: string | null;
    error: {
      code: string;
      message: string;
      status: number | null;
      detail: string | null;
    } | null;
    feedback: ('up' | 'down') | null;
    is_own: boolean;
    attempt: number;
    queue_position: number | null;
    input: string | null;
    images: RuntimeAnswers['ConversationImage'][];
    data: unknown;
    output: string | null;
    feedback_comment: string | null;
    credential: string | null;
    actors: {
      issuer: string | null;
      sub: string;
      version: number | null;
    }[];
    metadata: unknown;
    trace_id: string | null;
    content_removed_at: string | null;
    budget: {
      id: string;
      name: string;
      level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger' | 'run';
    } | null;
    connection: {
      server_id: string;
      name: string;
      connect_url: string;
    } | null;
  };
  RunStepList: {
    items: RuntimeAnswers['RunStepSummary'][];
    next_cursor: string | null;
  };
  RunStepSummary: {
    seq: number;
    kind: 'model' | 'tool';
    outcome: 'started' | 'succeeded' | 'failed' | 'unknown';
    awaits_outcome: boolean;
    attempt: number;
    asked_by: number | null;
    model: string | null;
    parameters: unknown;
    answer: string | null;
    calls:
      | {
          id: string;
          name: string;
          arguments: string;
        }[]
      | null;
    tool: string | null;
    server: string | null;
    definition_hash: string | null;
    rule: ('allow' | 'ask' | 'deny') | null;
    arguments: string | null;
    child_id: string | null;
    result: string | null;
    untrusted: boolean | null;
    prompt_tokens: number | null;
    completion_tokens: number | null;
    cost_usd: number | null;
    started_at: string;
    first_token_at: string | null;
    ended_at: string | null;
    error: {
      code: string;
      message: string;
      status: number | null;
      detail: string | null;
    } | null;
  };
  RunStep: {
    seq: number;
    kind: 'model' | 'tool';
    outcome: 'started' | 'succeeded' | 'failed' | 'unknown';
    awaits_outcome: boolean;
    attempt: number;
    asked_by: number | null;
    model: string | null;
    parameters: unknown;
    answer: string | null;
    calls:
      | {
          id: string;
          name: string;
          arguments: string;
        }[]
      | null;
    tool: string | null;
    server: string | null;
    definition_hash: string | null;
    rule: ('allow' | 'ask' | 'deny') | null;
    arguments: string | null;
    child_id: string | null;
    result: string | null;
    untrusted: boolean | null;
    prompt_tokens: number | null;
    completion_tokens: number | null;
    cost_usd: number | null;
    started_at: string;
    first_token_at: string | null;
    ended_at: string | null;
    error: {
      code: string;
      message: string;
      status: number | null;
      detail: string | null;
    } | null;
    messages: {
      role: string;
      content: string;
      calls:
        | {
            id: string;
            name: string;
            arguments: string;
          }[]
        | null;
    }[];
    added: unknown;
  };
  CancelRunAnswer: {
    id: string;
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
  };
  RunFeedback: {
    rating: ('up' | 'down') | null;
    comment: string | null;
  };
  ApprovalList: {
    items: RuntimeAnswers['Approval'][];
    next_cursor: string | null;
  };
  DecideApprovalAnswer: {
    id: string;
    state: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
    run: RuntimeAnswers['CancelRunAnswer'];
  };
  UserList: {
    items: RuntimeAnswers['User'][];
    total: number;
    limit: number;
    offset: number;
  };
  User: {
    id: string;
    email: string;
    name: string;
    role: 'user' | 'admin';
    project: string;
    status: 'active' | 'inactive';
    created_at: string;
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
  ContentList: {
    items: RuntimeAnswers['Content'][];
    total: number;
    limit: number;
    offset: number;
  };
  Content: {
    id: string;
    title: string;
    slug: string;
    content: string;
    source: string;
    kind: string;
    public: boolean;
    tags: string[];
    created_at: string;
    updated_at: string;
    file?: {
      id: string;
      passage: number;
      page: number | null;
    };
    knowledge_source?: {
      id: string;
      name: string;
      url: string;
      passage: number;
      page: number | null;
    };
  };
  SearchContentList: {
    results: RuntimeAnswers['ContentSummary'][];
    total: number;
  };
  ContentSummary: {
    id: string;
    title: string;
    slug: string;
    content: string;
    source: string;
    kind: string;
    public: boolean;
    tags: string[];
    created_at: string;
    updated_at: string;
    file?: {
      id: string;
      passage: number;
      page: number | null;
    };
    knowledge_source?: {
      id: string;
      name: string;
      url: string;
      passage: number;
      page: number | null;
    };
    score: number;
    snippet: string;
  };
  McpServerList: {
    servers: RuntimeAnswers['McpServer'][];
  };
  McpServer: {
    name: string;
    endpoint: string;
    transport: 'streamable-http';
    tools: string[];
  };
  ServerEntryList: {
    servers: RuntimeAnswers['ServerEntry'][];
    metadata: {
      count: number;
      nextCursor?: string;
    };
  };
  ServerEntry: {
    server: {
      $schema: string;
      name: string;
      title: string;
      description: string;
      version: string;
      remotes: {
        type: 'streamable-http';
        url: string;
      }[];
    };
    _meta: {
      'io.modelcontextprotocol.registry/official': {
        status: 'active';
        publishedAt?: string;
        updatedAt?: string;
        isLatest: true;
      };
    };
  };
  McpConnectionList: {
    connections: RuntimeAnswers['McpConnection'][];
  };
  McpConnection: {
    server_id: string;
    name: string;
    slug: string;
    connected: boolean;
    connected_at: string | null;
    scope: string | null;
    connect_url: string;
  };
  EndMcpConnectionAnswer: {
    server_id: string;
  };
  UploadedFile: {
    id: string;
    path: string;
    size: number;
    content_type: string;
    sha256: string;
    created_at: string;
  };
  FileList: {
    items: RuntimeAnswers['UploadedFile'][];
    total: number;
    limit: number;
    offset: number;
  };
  FileKnowledge: {
    file_id: string;
    path: string;
    tags: string[];
    state: 'waiting' | 'indexing' | 'ready' | 'failed';
    failure: {
      code: string;
      message: string;
    } | null;
    passages: number;
    created_at: string;
    updated_at: string;
  };
  KnowledgeList: {
    items: RuntimeAnswers['FileKnowledge'][];
    total: number;
    limit: number;
    offset: number;
  };
  KnowledgeSourceList: {
    items: RuntimeAnswers['KnowledgeSource'][];
    total: number;
    limit: number;
    offset: number;
  };
  KnowledgeSource: {
    id: string;
    name: string;
    url: string;
    tags: string[];
    schedule: string | null;
    timezone: string;
    state: 'waiting' | 'fetching' | 'ready' | 'failed';
    failure: {
      code: string;
      message: string;
      status: number | null;
    } | null;
    passages: number;
    last_fetched_at: string | null;
    next_fetch_at: string | null;
    version: number;
    created_at: string;
    updated_at: string;
  };
  Metrics:
    | {
        metric:
          | 'requests'
          | 'errors'
          | 'latency_p95_ms'
          | 'agent_messages'
          | 'model_tokens'
          | 'model_cost_usd'
          | 'mcp_calls'
          | 'content_searches'
          | 'active_users';
        from: string;
        to: string;
        interval: 'day';
        points: {
          date: string;
          value: number;
        }[];
        total: number;
        unpriced_events?: number;
      }
    | {
        metrics: {
          metric:
            | 'requests'
            | 'errors'
            | 'latency_p95_ms'
            | 'agent_messages'
            | 'model_tokens'
            | 'model_cost_usd'
            | 'mcp_calls'
            | 'content_searches'
            | 'active_users';
          from: string;
          to: string;
          interval: 'day';
          points: {
            date: string;
            value: number;
          }[];
          total: number;
          unpriced_events?: number;
        }[];
      };
}
