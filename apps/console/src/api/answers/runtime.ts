/** Generated from docs/openapi/runtime.json by `npm run openapi`: do not edit. */
export interface RuntimeAnswers {
  getHealth: {
    status: 'ok' | 'degraded';
    version: string;
    uptime_seconds: number;
  };
  getJwks: {
    keys: {
      [key: string]: unknown;
    }[];
  };
  getDefaultAgentCard: {
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
  getAgentCard: RuntimeAnswers['getDefaultAgentCard'];
  getAgentCardBesideAgent: RuntimeAnswers['getDefaultAgentCard'];
  getAgentCardBelowAgent: RuntimeAnswers['getDefaultAgentCard'];
  listAgentCards: RuntimeAnswers['getDefaultAgentCard'][];
  listAgents: {
    agents: {
      name: string;
      status: 'running' | 'stopped' | 'degraded';
      endpoint: string;
      capabilities: string[];
    }[];
  };
  getAgent: {
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
  stopAgent: {
    name: string;
    stopped_at: string | null;
  };
  releaseAgent: RuntimeAnswers['stopAgent'];
  sendMessage: {
    id: string;
    content: string;
    agent: string;
    timestamp: string;
    context_id: string;
  };
  'sendMessage.message.started': {
    agent: string;
    context_id: string;
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
  'sendMessage.message.completed': RuntimeAnswers['sendMessage'];
  'sendMessage.run.waiting': {
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
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat';
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
  'sendMessage.error': RuntimeAnswers['Error'];
  listContexts: {
    items: {
      id: string;
      title: string;
      created_at: string;
      updated_at: string;
    }[];
    total: number;
    limit: number;
    offset: number;
  };
  getContext: {
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
      } | null;
    }[];
  };
  deleteContext: {
    id: string;
  };
  startRun: RuntimeAnswers['sendMessage.run.waiting'];
  listRuns: {
    items: RuntimeAnswers['sendMessage.run.waiting'][];
    next_cursor: string | null;
  };
  retryRun: RuntimeAnswers['sendMessage.run.waiting'];
  getRun: {
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
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat';
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
    input: string | null;
    data: unknown;
    output: string | null;
    feedback_comment: string | null;
    credential: string | null;
    metadata: unknown;
    trace_id: string | null;
    content_removed_at: string | null;
    budget: {
      id: string;
      name: string;
      level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger' | 'run';
    } | null;
  };
  'followRun.run.queued': Record<string, never>;
  'followRun.run.running': {
    taken_over?: true;
  };
  'followRun.run.waiting': {
    waiting_for: 'approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child';
  } & {
    [key: string]: unknown;
  };
  'followRun.message.delta': RuntimeAnswers['sendMessage.message.delta'];
  'followRun.tool.call': RuntimeAnswers['sendMessage.tool.call'];
  'followRun.tool.result': RuntimeAnswers['sendMessage.tool.result'];
  'followRun.run.completed': RuntimeAnswers['followRun.run.queued'];
  'followRun.run.failed': {
    code: string;
  };
  'followRun.run.canceled': RuntimeAnswers['followRun.run.queued'];
  listRunSteps: {
    items: {
      seq: number;
      kind: 'model' | 'tool';
      outcome: 'started' | 'succeeded' | 'failed' | 'unknown';
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
    }[];
    next_cursor: string | null;
  };
  getRunStep: {
    seq: number;
    kind: 'model' | 'tool';
    outcome: 'started' | 'succeeded' | 'failed' | 'unknown';
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
  cancelRun: {
    id: string;
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
  };
  decideRunOutcome: RuntimeAnswers['cancelRun'];
  putRunFeedback: {
    rating: ('up' | 'down') | null;
    comment: string | null;
  };
  listApprovals: {
    items: {
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
    }[];
    next_cursor: string | null;
  };
  listRunApprovals: RuntimeAnswers['listApprovals'];
  decideApproval: {
    id: string;
    state: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
    run: RuntimeAnswers['cancelRun'];
  };
  listUsers: {
    items: RuntimeAnswers['getUser'][];
    total: number;
    limit: number;
    offset: number;
  };
  createUser: RuntimeAnswers['getUser'];
  getUser: {
    id: string;
    email: string;
    name: string;
    role: 'user' | 'admin';
    project: 'Core' | 'Commerce';
    status: 'active' | 'inactive';
    created_at: string;
  };
  updateUser: RuntimeAnswers['getUser'];
  deactivateUser: RuntimeAnswers['getUser'];
  listContent: {
    items: RuntimeAnswers['getContent'][];
    total: number;
    limit: number;
    offset: number;
  };
  createContent: RuntimeAnswers['getContent'];
  searchContent: {
    results: {
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
      score: number;
      snippet: string;
    }[];
    total: number;
  };
  getContent: {
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
  };
  listMcpServers: {
    servers: {
      name: string;
      endpoint: string;
      transport: 'streamable-http';
      tools: string[];
    }[];
  };
  listServerEntries: {
    servers: RuntimeAnswers['getServerEntry'][];
    metadata: {
      count: number;
      nextCursor?: string;
    };
  };
  listServerEntryVersions: RuntimeAnswers['listServerEntries'];
  getServerEntry: {
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
  listMcpConnections: {
    connections: {
      server_id: string;
      name: string;
      slug: string;
      connected: boolean;
      connected_at: string | null;
      scope: string | null;
      connect_url: string;
    }[];
  };
  endMcpConnection: {
    server_id: string;
  };
  'file.create': {
    id: string;
    path: string;
    size: number;
    content_type: string;
    sha256: string;
    created_at: string;
  };
  'file.list': {
    items: RuntimeAnswers['file.create'][];
    total: number;
    limit: number;
    offset: number;
  };
  'file.get': RuntimeAnswers['file.create'];
  'file.delete': RuntimeAnswers['deleteContext'];
  getMetrics:
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
  Error: {
    error: {
      code: string;
      message: string;
      details: {
        field: string;
        reason: string;
      };
    };
  };
}
