/* Made by `npm run openapi`: do not edit. */
/** Generated from docs/openapi/runtime.json. */
export interface Runtime {
  ApiError: {
    /** @description What went amiss. */
    error: {
      /** @description Name of the error for programs. Later releases may add names. */
      code: string;
      /** @description Error message: what is wrong and what to do. */
      message: string;
      /** @description The first field at fault. */
      details: {
        /** @description The field at fault, dotted; empty when no field is. */
        field: string;
        /** @description Why it is refused. */
        reason: string;
      };
    };
  };
  Health: {
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'ok' | 'degraded';
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: string;
    /** @description Seconds since the start of the process. */
    uptime_seconds: number;
  };
  Jwks: {
    /** @description Public keys. */
    keys: {
      [key: string]: unknown;
    }[];
  };
  DefaultAgentCard: {
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: string;
    /** @description URLs of the agent, each with its protocol. */
    supportedInterfaces: {
      /** @description Absolute URL. */
      url: string;
      /**
       * @description Protocol binding of A2A.
       * @enum {string}
       */
      protocolBinding: 'JSONRPC' | 'HTTP+JSON';
      /**
       * @description Version of the protocol.
       * @enum {string}
       */
      protocolVersion: '1.0' | '0.3';
    }[];
    /** @description Capabilities. */
    capabilities: {
      /** @description Whether the agent supports streaming. */
      streaming: boolean;
      /** @description Whether the agent supports push notifications. */
      pushNotifications: boolean;
    } & {
      [key: string]: unknown;
    };
    /** @description Media types that the agent accepts. */
    defaultInputModes: string[];
    /** @description Media types that the agent returns. */
    defaultOutputModes: string[];
    /** @description Skills of the agent. */
    skills: ({
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tags: string[];
    } & {
      [key: string]: unknown;
    })[];
    /** @description Signatures of the card (JWS). */
    signatures?: {
      /** @description Protected header (JWS), in base64url. */
      protected: string;
      /** @description Signature (JWS), in base64url. */
      signature: string;
    }[];
  } & {
    [key: string]: unknown;
  };
  Agent: {
    /** @description Name. */
    name: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'running' | 'stopped' | 'degraded';
    /** @description URL of the service. */
    endpoint: string;
    /** @description Capabilities. */
    capabilities: string[];
    /** @description Description, as free text. */
    description: string;
    /** @description Skills of the agent. */
    skills: {
      /** @description Name. */
      name: string;
      /** @description Description, as free text. */
      description: string;
    }[];
    /** @description Time at which an admin stopped the agent; no run of it starts */
    stopped_at: string | null;
  };
  Context: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Beginning of the first message */
    title: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
    /** @description Agent. */
    agent: string;
    /** @description The last 500, oldest first */
    messages: {
      /** @description Unique id. It never changes. */
      id: string;
      /**
       * @description Role of the author.
       * @enum {string}
       */
      role: 'user' | 'assistant';
      /** @description Text of the message, or its parts. */
      content: string;
      /** @description Time at which the message was stored, in UTC. */
      timestamp: string;
      /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
      failed: boolean;
      /** @description Of a user's message: its images */
      images: Runtime['ConversationImage'][];
      /** @description Calls of tools, each with its answer. */
      tools: {
        /** @description Unique id. It never changes. */
        id: string;
        /** @description Name of a tool. */
        tool: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
        /** @description Beginning of the answer; null while there is none */
        answer: string | null;
        /** @description Whether the call failed. */
        failed: boolean;
      }[];
      /** @description Latest run that answers the message; only on messages of users */
      run: {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Current state.
         * @enum {string}
         */
        state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
        /** @description What the run waits for; null: nothing. */
        waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
        /** @description The user's rating of the answer */
        feedback: ('up' | 'down') | null;
      } | null;
    }[];
  };
  Conversation: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Title that the user chose, or the beginning of the first message */
    title: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
    /** @description Agent. */
    agent: string;
    /** @description Whether it stands before all others */
    pinned: boolean;
    /** @description Whether all users of the project may read it */
    shared: boolean;
    /** @description Whether the conversation is yours. Calls of tools are shown to its owner only */
    own: boolean;
    /** @description Name of the user who owns the conversation */
    user_name: string;
    /** @description The last 500, oldest first */
    messages: {
      /** @description Unique id. It never changes. */
      id: string;
      /**
       * @description Role of the author.
       * @enum {string}
       */
      role: 'user' | 'assistant';
      /** @description Text of the message, or its parts. */
      content: string;
      /** @description Time at which the message was stored, in UTC. */
      timestamp: string;
      /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
      failed: boolean;
      /** @description Of a user's message: its images */
      images: Runtime['ConversationImage'][];
      /** @description Calls of tools, each with its answer. */
      tools: {
        /** @description Unique id. It never changes. */
        id: string;
        /** @description Name of a tool. */
        tool: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
        /** @description Beginning of the answer; null while there is none */
        answer: string | null;
        /** @description Whether the call failed. */
        failed: boolean;
      }[];
      /** @description Latest run that answers the message; only on messages of users */
      run: {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Current state.
         * @enum {string}
         */
        state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
        /** @description What the run waits for; null: nothing. */
        waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
        /** @description The user's rating of the answer */
        feedback: ('up' | 'down') | null;
      } | null;
    }[];
  };
  ConversationImage: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /**
     * @description Media type.
     * @enum {string}
     */
    content_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
    /** @description Bytes */
    size: number;
    /** @description Pixels */
    width: number;
    /** @description Pixels */
    height: number;
  };
  Run: {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; null: nothing. */
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    /** @description Time at which the run entered this state */
    state_at: string;
    /** @description Agent, prompt or model that runs. */
    subject: {
      /**
       * @description Kind.
       * @enum {string}
       */
      kind: 'agent' | 'prompt' | 'model';
      /** @description Null: the built-in agent, or a model */
      id: string | null;
      /** @description Name. */
      name: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number | null;
    };
    /** @description Account for which the run acts. */
    user: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    };
    /**
     * @description Interface through which the run was started.
     * @enum {string}
     */
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    /** @description Beginning of the message that the run answers */
    title: string | null;
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /** @description The conversation of the prompt API that a prompt's run has begun or continued */
    conversation: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description The message there that is its answer */
      message_id: string | null;
    } | null;
    /** @description The run whose agent started this one */
    parent_id: string | null;
    /** @description The run that this one repeats */
    retry_of: string | null;
    /** @description Name of a language model. */
    model: string | null;
    /** @description Number of calls of the model and of tools. */
    steps: number;
    /** @description Number of calls of tools. */
    tool_calls: number;
    /** @description Tokens of the input; null: unknown. */
    prompt_tokens: number;
    /** @description Tokens of the output; null: unknown. */
    completion_tokens: number;
    /** @description Cost in US dollars; null: the price is unknown */
    cost_usd: number | null;
    /** @description Time of queueing, in UTC. */
    queued_at: string;
    /** @description Start time, in UTC; null: not started. */
    started_at: string | null;
    /** @description End time, in UTC; null: not ended. */
    ended_at: string | null;
    /** @description The error; null or absent: no error. */
    error: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
      /** @description HTTP status of the upstream server; only with the scope `runs:read_all` */
      status: number | null;
      /** @description Error text of the upstream server; only with the scope `runs:read_all` */
      detail: string | null;
    } | null;
    /** @description Rating of the run; null: none. */
    feedback: ('up' | 'down') | null;
    /** @description Whether it is the caller's own */
    is_own: boolean;
    /** @description Number of processes that have executed the run */
    attempt: number;
    /** @description Of a queued run: its position among those of the project that wait for a place, from 1; counted up to 1000 */
    queue_position: number | null;
    /** @description Message that the run answers */
    input: string | null;
    /** @description Images of that message */
    images: Runtime['ConversationImage'][];
    /** @description Input of the run besides the message */
    data: unknown;
    /** @description Answer of the run */
    output: string | null;
    /** @description Comment of the rating; null: none. */
    feedback_comment: string | null;
    /** @description The kind of credential that started it */
    credential: string | null;
    /** @description The agents and clients for which that credential acts, the nearest first (`act` of RFC 8693) */
    actors: {
      /** @description Issuer that names the actor; null: this installation */
      issuer: string | null;
      /** @description Id of an agent or a client */
      sub: string;
      /** @description Version of the agent */
      version: number | null;
    }[];
    /** @description Key-value pairs of your own. */
    metadata: unknown;
    /** @description Id of the trace (W3C Trace Context); null: it was not traced. */
    trace_id: string | null;
    /** @description When retention removed the texts of its steps; those of its conversation are kept with that */
    content_removed_at: string | null;
    /** @description The budget that it waits for */
    budget: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
      /**
       * @description What the budget limits.
       * @enum {string}
       */
      level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger' | 'run';
    } | null;
    /** @description The MCP server at which it waits for an account of its user */
    connection: {
      /** @description Id of an MCP server. */
      server_id: string;
      /** @description Name. */
      name: string;
      /** @description URL of the page where you connect your account. */
      connect_url: string;
    } | null;
  };
  RunStep: {
    /** @description Number of the step, from 1. */
    seq: number;
    /**
     * @description Kind.
     * @enum {string}
     */
    kind: 'model' | 'tool';
    /**
     * @description Outcome.
     * @enum {string}
     */
    outcome: 'started' | 'succeeded' | 'failed' | 'unknown';
    /** @description Whether the run waits for a person to state whether this call had its effect */
    awaits_outcome: boolean;
    /** @description Number of the attempt, from 1. */
    attempt: number;
    /** @description The step of the model's answer that asked for this call of a tool */
    asked_by: number | null;
    /** @description Name of a language model. */
    model: string | null;
    /** @description Parameters of the call of the model. */
    parameters: unknown;
    /** @description Text of the model's answer; null: none yet. */
    answer: string | null;
    /** @description Calls of tools that the model's answer asks for */
    calls:
      | {
          /** @description Unique id. It never changes. */
          id: string;
          /** @description Name. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }[]
      | null;
    /** @description Name of a tool. */
    tool: string | null;
    /** @description Id of the tool's MCP server or plugin */
    server: string | null;
    /** @description SHA-256 of the tool's definition, hexadecimal */
    definition_hash: string | null;
    /** @description The tool's rule when the call was made or refused; null: no such tool, or not kept */
    rule: ('allow' | 'ask' | 'deny') | null;
    /** @description Arguments of the call, as JSON. */
    arguments: string | null;
    /** @description The run that the call of an agent has started */
    child_id: string | null;
    /** @description Result of the call; null: none yet. */
    result: string | null;
    /** @description Whether untrusted text influenced the step */
    untrusted: boolean | null;
    /** @description Tokens of the input; null: unknown. */
    prompt_tokens: number | null;
    /** @description Tokens of the output; null: unknown. */
    completion_tokens: number | null;
    /** @description Cost in US dollars; null: the price is unknown. */
    cost_usd: number | null;
    /** @description Start time, in UTC; null: not started. */
    started_at: string;
    /** @description Time of the first token of the answer; null: none yet. */
    first_token_at: string | null;
    /** @description End time, in UTC; null: not ended. */
    ended_at: string | null;
    /** @description The error; null or absent: no error. */
    error: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
      /** @description HTTP status of the upstream server; only with the scope `runs:read_all` */
      status: number | null;
      /** @description Error text of the upstream server; only with the scope `runs:read_all` */
      detail: string | null;
    } | null;
    /** @description The messages of the conversation that the model read: the last 200, up to 8 MiB, oldest first */
    messages: {
      /** @description Role of the author. */
      role: string;
      /** @description Text of the message, or its parts. */
      content: string;
      /** @description Calls of tools that the message asks for; null: none. */
      calls:
        | {
            /** @description Unique id. It never changes. */
            id: string;
            /** @description Name. */
            name: string;
            /** @description Arguments of the call, as JSON. */
            arguments: string;
          }[]
        | null;
    }[];
    /** @description Messages that it read besides those of the conversation */
    added: unknown;
  };
  User: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description E-mail address. */
    email: string;
    /** @description Name. */
    name: string;
    /**
     * @description Role of the account.
     * @enum {string}
     */
    role: 'user' | 'admin';
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Time of creation, in UTC. */
    created_at: string;
  };
  Content: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Title to display. */
    title: string;
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Text. */
    content: string;
    /** @description Source. */
    source: string;
    /** @description Kind. */
    kind: string;
    /** @description Whether all projects may read the content. */
    public: boolean;
    /** @description Tags. */
    tags: string[];
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
    /** @description The file that a passage is from; others have none */
    file?: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description The number of the passage in the file, from 1 */
      passage: number;
      /** @description The page, in formats with pages */
      page: number | null;
    };
    /** @description The knowledge source that a passage is from; others have none */
    knowledge_source?: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
      /** @description Address of the page or document */
      url: string;
      /** @description The number of the passage in the text, from 1 */
      passage: number;
      /** @description The page, in formats with pages */
      page: number | null;
    };
  };
  ServerEntry: {
    /** @description Description of the MCP server. */
    server: {
      /** @description URL of the JSON Schema of the description. */
      $schema: string;
      /** @description Host of this installation in reverse, and the name of the server in paths */
      name: string;
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Another one after each change of the entry */
      version: string;
      /** @description Remote endpoints of the server. */
      remotes: {
        /**
         * @description Type.
         * @constant
         */
        type: 'streamable-http';
        /** @description Absolute URL. */
        url: string;
      }[];
    };
    /** @description Metadata of the registry about the entry. */
    _meta: {
      /** @description Metadata of the official MCP registry. */
      'io.modelcontextprotocol.registry/official': {
        /**
         * @description Status.
         * @constant
         */
        status: 'active';
        /** @description Time of publication, in UTC. */
        publishedAt?: string;
        /** @description Time of the last change, in UTC. */
        updatedAt?: string;
        /**
         * @description Whether it is the latest version.
         * @constant
         */
        isLatest: true;
      };
    };
  };
  /** UploadedFile */
  UploadedFile: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Path of the file. */
    path: string;
    /** @description Size in bytes. */
    size: number;
    /** @description Media type. */
    content_type: string;
    /** @description SHA-256 of the bytes, hexadecimal. */
    sha256: string;
    /**
     * Format: date-time
     * @description Time of creation, in UTC.
     */
    created_at: string;
  };
  /** FileKnowledge */
  FileKnowledge: {
    /** @description Id of a file. */
    file_id: string;
    /** @description Path of the file. */
    path: string;
    /** @description Tags. */
    tags: string[];
    /**
     * @description Passages of an earlier indexing are found until the next one is `ready`
     * @enum {string}
     */
    state: 'waiting' | 'indexing' | 'ready' | 'failed';
    /** @description Reason for which there are no new passages */
    failure: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
    } | null;
    /** @description Passages that are written; all of them when `ready` */
    passages: number;
    /**
     * Format: date-time
     * @description Time of creation, in UTC.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, in UTC.
     */
    updated_at: string;
  };
  /** KnowledgeSource */
  KnowledgeSource: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Absolute URL. */
    url: string;
    /** @description Tags. */
    tags: string[];
    /** @description Cron expression at whose times it is fetched; null: only by refresh */
    schedule: string | null;
    /** @description IANA time zone of the schedule. */
    timezone: string;
    /**
     * @description Passages of the last fetch that succeeded are found in each state
     * @enum {string}
     */
    state: 'waiting' | 'fetching' | 'ready' | 'failed';
    /** @description Reason for which the last fetch gave no text */
    failure: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
      /** @description Status of the server's answer; null without one */
      status: number | null;
    } | null;
    /** @description Passages that searches find */
    passages: number;
    /** @description When the text was last fetched, or found unchanged; null: never */
    last_fetched_at: string | null;
    /** @description When it is fetched next; null: while it is fetched, and without a schedule */
    next_fetch_at: string | null;
    /** @description Version of what people set. Fetches do not change it */
    version: number;
    /**
     * Format: date-time
     * @description Time of creation, in UTC.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description Time of the last change, in UTC.
     */
    updated_at: string;
  };
  Metrics:
    | {
        /**
         * @description Name of the metric.
         * @enum {string}
         */
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
        /** @description Start of the period. */
        from: string;
        /** @description End of the period. */
        to: string;
        /**
         * @description Length of the interval between two points.
         * @constant
         */
        interval: 'day';
        /** @description Values over time, oldest first. */
        points: {
          /** @description Day in UTC. */
          date: string;
          /** @description Value. */
          value: number;
        }[];
        /** @description Value of the whole period: a user active on two days counts once, a percentile is of all requests */
        total: number;
        /** @description Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out */
        unpriced_events?: number;
      }
    | {
        /** @description Each metric with its points. */
        metrics: {
          /**
           * @description Name of the metric.
           * @enum {string}
           */
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
          /** @description Start of the period. */
          from: string;
          /** @description End of the period. */
          to: string;
          /**
           * @description Length of the interval between two points.
           * @constant
           */
          interval: 'day';
          /** @description Values over time, oldest first. */
          points: {
            /** @description Day in UTC. */
            date: string;
            /** @description Value. */
            value: number;
          }[];
          /** @description Value of the whole period: a user active on two days counts once, a percentile is of all requests */
          total: number;
          /** @description Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out */
          unpriced_events?: number;
        }[];
      };
  AgentSummary: {
    /** @description Name. */
    name: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'running' | 'stopped' | 'degraded';
    /** @description URL of the service. */
    endpoint: string;
    /** @description Capabilities. */
    capabilities: string[];
  };
  ContextSummary: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Beginning of the first message */
    title: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  ConversationSummary: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Title that the user chose, or the beginning of the first message */
    title: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
    /** @description Agent. */
    agent: string;
    /** @description Whether it stands before all others */
    pinned: boolean;
    /** @description Whether all users of the project may read it */
    shared: boolean;
  };
  RunSummary: {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; null: nothing. */
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    /** @description Time at which the run entered this state */
    state_at: string;
    /** @description Agent, prompt or model that runs. */
    subject: {
      /**
       * @description Kind.
       * @enum {string}
       */
      kind: 'agent' | 'prompt' | 'model';
      /** @description Null: the built-in agent, or a model */
      id: string | null;
      /** @description Name. */
      name: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number | null;
    };
    /** @description Account for which the run acts. */
    user: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    };
    /**
     * @description Interface through which the run was started.
     * @enum {string}
     */
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    /** @description Beginning of the message that the run answers */
    title: string | null;
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /** @description The conversation of the prompt API that a prompt's run has begun or continued */
    conversation: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description The message there that is its answer */
      message_id: string | null;
    } | null;
    /** @description The run whose agent started this one */
    parent_id: string | null;
    /** @description The run that this one repeats */
    retry_of: string | null;
    /** @description Name of a language model. */
    model: string | null;
    /** @description Number of calls of the model and of tools. */
    steps: number;
    /** @description Number of calls of tools. */
    tool_calls: number;
    /** @description Tokens of the input; null: unknown. */
    prompt_tokens: number;
    /** @description Tokens of the output; null: unknown. */
    completion_tokens: number;
    /** @description Cost in US dollars; null: the price is unknown */
    cost_usd: number | null;
    /** @description Time of queueing, in UTC. */
    queued_at: string;
    /** @description Start time, in UTC; null: not started. */
    started_at: string | null;
    /** @description End time, in UTC; null: not ended. */
    ended_at: string | null;
    /** @description The error; null or absent: no error. */
    error: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
      /** @description HTTP status of the upstream server; only with the scope `runs:read_all` */
      status: number | null;
      /** @description Error text of the upstream server; only with the scope `runs:read_all` */
      detail: string | null;
    } | null;
    /** @description Rating of the run; null: none. */
    feedback: ('up' | 'down') | null;
  };
  RunStepSummary: {
    /** @description Number of the step, from 1. */
    seq: number;
    /**
     * @description Kind.
     * @enum {string}
     */
    kind: 'model' | 'tool';
    /**
     * @description Outcome.
     * @enum {string}
     */
    outcome: 'started' | 'succeeded' | 'failed' | 'unknown';
    /** @description Whether the run waits for a person to state whether this call had its effect */
    awaits_outcome: boolean;
    /** @description Number of the attempt, from 1. */
    attempt: number;
    /** @description The step of the model's answer that asked for this call of a tool */
    asked_by: number | null;
    /** @description Name of a language model. */
    model: string | null;
    /** @description Parameters of the call of the model. */
    parameters: unknown;
    /** @description Text of the model's answer; null: none yet. */
    answer: string | null;
    /** @description Calls of tools that the model's answer asks for */
    calls:
      | {
          /** @description Unique id. It never changes. */
          id: string;
          /** @description Name. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }[]
      | null;
    /** @description Name of a tool. */
    tool: string | null;
    /** @description Id of the tool's MCP server or plugin */
    server: string | null;
    /** @description SHA-256 of the tool's definition, hexadecimal */
    definition_hash: string | null;
    /** @description The tool's rule when the call was made or refused; null: no such tool, or not kept */
    rule: ('allow' | 'ask' | 'deny') | null;
    /** @description Arguments of the call, as JSON. */
    arguments: string | null;
    /** @description The run that the call of an agent has started */
    child_id: string | null;
    /** @description Result of the call; null: none yet. */
    result: string | null;
    /** @description Whether untrusted text influenced the step */
    untrusted: boolean | null;
    /** @description Tokens of the input; null: unknown. */
    prompt_tokens: number | null;
    /** @description Tokens of the output; null: unknown. */
    completion_tokens: number | null;
    /** @description Cost in US dollars; null: the price is unknown. */
    cost_usd: number | null;
    /** @description Start time, in UTC; null: not started. */
    started_at: string;
    /** @description Time of the first token of the answer; null: none yet. */
    first_token_at: string | null;
    /** @description End time, in UTC; null: not ended. */
    ended_at: string | null;
    /** @description The error; null or absent: no error. */
    error: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
      /** @description HTTP status of the upstream server; only with the scope `runs:read_all` */
      status: number | null;
      /** @description Error text of the upstream server; only with the scope `runs:read_all` */
      detail: string | null;
    } | null;
  };
  Approval: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Id of a run. */
    run_id: string;
    /**
     * @description `used`: the call was made. `canceled`: the run ended before a decision
     * @enum {string}
     */
    state: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
    /** @description Agent. */
    agent: {
      /** @description Name. */
      name: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number | null;
    };
    /** @description The tool's MCP server or plugin */
    server: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    };
    /** @description Name of a tool. */
    tool: string;
    /** @description Id of the tool call. */
    call_id: string;
    /** @description The step with the answer of the model that asks for the call */
    step: number;
    /** @description Arguments as the model wrote them, as JSON */
    arguments: string;
    /** @description JSON Schema of the arguments */
    parameters: unknown;
    /** @description What the run had read that neither its user nor this installation wrote */
    tainted_by: string[];
    /** @description Account for which the run acts. */
    requester: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    };
    /** @description Whether another user than the requester has to decide */
    other_decider: boolean;
    /** @description Whether the caller may decide now */
    may_decide: boolean;
    /** @description The arguments that were approved instead */
    edited_arguments: string | null;
    /** @description Short reason. */
    reason: string | null;
    /** @description Account that decided; null: no decision yet. */
    decided_by: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    } | null;
    /** @description Time of the decision; null: none yet. */
    decided_at: string | null;
    /** @description Expiry time; null: never. */
    expires_at: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
  };
  ContentSummary: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Title to display. */
    title: string;
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Text. */
    content: string;
    /** @description Source. */
    source: string;
    /** @description Kind. */
    kind: string;
    /** @description Whether all projects may read the content. */
    public: boolean;
    /** @description Tags. */
    tags: string[];
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
    /** @description The file that a passage is from; others have none */
    file?: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description The number of the passage in the file, from 1 */
      passage: number;
      /** @description The page, in formats with pages */
      page: number | null;
    };
    /** @description The knowledge source that a passage is from; others have none */
    knowledge_source?: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
      /** @description Address of the page or document */
      url: string;
      /** @description The number of the passage in the text, from 1 */
      passage: number;
      /** @description The page, in formats with pages */
      page: number | null;
    };
    /** @description Relevance; comparable within one search only */
    score: number;
    /** @description Text around the match, as plain text */
    snippet: string;
  };
  McpServer: {
    /** @description Name. */
    name: string;
    /** @description URL of the service. */
    endpoint: string;
    /**
     * @description `streamable-http` for an MCP server, `a2a` for an external agent.
     * @constant
     */
    transport: 'streamable-http';
    /** @description Names of the available tools. */
    tools: string[];
  };
  McpConnection: {
    /** @description Id of an MCP server. */
    server_id: string;
    /** @description Name. */
    name: string;
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Whether your account is connected. */
    connected: boolean;
    /** @description Time at which you connected your account; null: not connected. */
    connected_at: string | null;
    /** @description OAuth scopes, separated by spaces. */
    scope: string | null;
    /** @description URL of the page where you connect your account. */
    connect_url: string;
  };
  AgentList: {
    /** @description Agents of this page. */
    agents: Runtime['AgentSummary'][];
  };
  ContextList: {
    /** @description Records of this page. */
    items: Runtime['ContextSummary'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Maximum number of records per page. */
    limit: number;
    /** @description Number of records to skip. */
    offset: number;
  };
  ConversationList: {
    /** @description Records of this page. */
    items: Runtime['ConversationSummary'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Maximum number of records per page. */
    limit: number;
    /** @description Number of records to skip. */
    offset: number;
  };
  RunList: {
    /** @description Records of this page. */
    items: Runtime['RunSummary'][];
    /** @description Cursor of the next page; null on the last page */
    next_cursor: string | null;
  };
  RunStepList: {
    /** @description Records of this page. */
    items: Runtime['RunStepSummary'][];
    /** @description Cursor of the next page; null on the last page */
    next_cursor: string | null;
  };
  RunFeedback: {
    /** @description Null removes the feedback */
    rating: ('up' | 'down') | null;
    /**
     * @description Free text; null: none.
     * @default null
     */
    comment: string | null;
  };
  ApprovalList: {
    /** @description Records of this page. */
    items: Runtime['Approval'][];
    /** @description Cursor of the next page; null on the last page */
    next_cursor: string | null;
  };
  UserList: {
    /** @description Records of this page. */
    items: Runtime['User'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Maximum number of records per page. */
    limit: number;
    /** @description Number of records to skip. */
    offset: number;
  };
  ContentList: {
    /** @description Records of this page. */
    items: Runtime['Content'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Maximum number of records per page. */
    limit: number;
    /** @description Number of records to skip. */
    offset: number;
  };
  SearchContentList: {
    /** @description Matching passages, best match first. */
    results: Runtime['ContentSummary'][];
    /** @description Number of records in all pages. */
    total: number;
  };
  McpServerList: {
    /** @description MCP servers. */
    servers: Runtime['McpServer'][];
  };
  ServerEntryList: {
    /** @description MCP servers. */
    servers: Runtime['ServerEntry'][];
    /** @description Number of entries, and the cursor of the next page. */
    metadata: {
      /** @description Entries of this page */
      count: number;
      /** @description Cursor of the next page; absent on the last page */
      nextCursor?: string;
    };
  };
  McpConnectionList: {
    /** @description MCP servers that need an account of your own. */
    connections: Runtime['McpConnection'][];
  };
  FileList: {
    /** @description Records of this page. */
    items: Runtime['UploadedFile'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Maximum number of records per page. */
    limit: number;
    /** @description Number of records to skip. */
    offset: number;
  };
  KnowledgeList: {
    /** @description Records of this page. */
    items: Runtime['FileKnowledge'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Maximum number of records per page. */
    limit: number;
    /** @description Number of records to skip. */
    offset: number;
  };
  KnowledgeSourceList: {
    /** @description Records of this page. */
    items: Runtime['KnowledgeSource'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Maximum number of records per page. */
    limit: number;
    /** @description Number of records to skip. */
    offset: number;
  };
  SendMessageRequest: {
    /** @description May be empty with images */
    content: string;
    /** @description Id of a conversation with an agent. */
    context_id?: string;
    /** @description Images for the agent, 5 MiB together; the model of the agent has to read images */
    images?: (
      | {
          /** @description A PNG, JPEG, WebP or GIF image in base64 */
          data: string;
          /** @description Name of its file, for people: the model reads none */
          name?: string;
        }
      | {
          /** @description An image of an earlier message of the conversation */
          id: string;
        }
    )[];
    /** @description Your message of the conversation that this one replaces, together with all after it: an edit, or the same content for another answer. 409 while a run of the conversation has not ended */
    replaces?: string;
  };
  ConversationChanges: {
    /** @description Title to display. */
    title?: string;
    /** @description Whether it stands before all others */
    pinned?: boolean;
    /** @description Whether all users of the project may read it */
    shared?: boolean;
  };
  NewRun: {
    /** @description Name of the agent */
    agent: string;
    /** @description May be empty with images */
    content: string;
    /** @description Id of a conversation with an agent. */
    context_id?: string;
    /** @description Images for the agent, 5 MiB together; the model of the agent has to read images */
    images?: (
      | {
          /** @description A PNG, JPEG, WebP or GIF image in base64 */
          data: string;
          /** @description Name of its file, for people: the model reads none */
          name?: string;
        }
      | {
          /** @description An image of an earlier message of the conversation */
          id: string;
        }
    )[];
    /** @description The most that the run, and the runs that its agent starts, may spend; it waits when that is used up */
    budget?:
      | {
          /**
           * @description Unit of the amount: US dollars or tokens.
           * @constant
           */
          unit: 'usd';
          /** @description Maximum amount, in `unit`. */
          amount: number;
        }
      | {
          /**
           * @description Unit of the amount: US dollars or tokens.
           * @constant
           */
          unit: 'tokens';
          /** @description Maximum amount, in `unit`. */
          amount: number;
        };
    /**
     * @description Kept with the run; at most 16 KiB of JSON
     * @default {}
     */
    metadata?: {
      [key: string]: unknown;
    };
  };
  RetryRunRequest: {
    /**
     * @description `same`: the version of its agent that the run was started with, within what the agent may do now
     * @default current
     * @enum {string}
     */
    version?: 'current' | 'same';
    /** @description The most that the new run may spend; without it, the amount of the budget that the run has, if any */
    budget?:
      | {
          /**
           * @description Unit of the amount: US dollars or tokens.
           * @constant
           */
          unit: 'usd';
          /** @description Maximum amount, in `unit`. */
          amount: number;
        }
      | {
          /**
           * @description Unit of the amount: US dollars or tokens.
           * @constant
           */
          unit: 'tokens';
          /** @description Maximum amount, in `unit`. */
          amount: number;
        };
  };
  DecideRunOutcomeRequest: {
    /** @description The step whose outcome is unknown */
    step: number;
    /**
     * @description `stop` cancels the run; otherwise it goes on once every such step is decided
     * @enum {string}
     */
    outcome: 'happened' | 'did_not_happen' | 'stop';
    /** @description Note that the model reads, such as the number of an order */
    note?: string;
  };
  RunFeedbackReplacement: {
    /** @description Null removes the feedback */
    rating: ('up' | 'down') | null;
    /**
     * @description Free text; null: none.
     * @default null
     */
    comment?: string | null;
  };
  RunAgentDraftRequest: {
    /**
     * @description Name.
     * @default Draft
     */
    name?: string;
    /**
     * @description Description, as free text.
     * @default
     */
    description?: string;
    /**
     * @description Ids of the skills of the agent.
     * @default []
     */
    skill_ids?: string[];
    /**
     * @description Ids of the plugins that the agent may use.
     * @default []
     */
    plugin_ids?: string[];
    /**
     * @description Tags of the content that the agent may read.
     * @default []
     */
    content_tags?: string[];
    /**
     * @description Ids of the MCP servers whose tools the agent may use.
     * @default []
     */
    mcp_server_ids?: string[];
    /**
     * @description Ids of the agents that this agent may call.
     * @default []
     */
    agent_ids?: string[];
    /**
     * @description Allowed tools of MCP servers, as `server/tool` or `server/*`.
     * @default [
     *       "*"
     *     ]
     */
    mcp_tools?: string[];
    /**
     * @description Tools that need the approval of a person before each call.
     * @default []
     */
    ask_tools?: string[];
    /**
     * @description Name of a language model.
     * @default null
     */
    model?: string | null;
    /**
     * @description Parameters of its model's calls, in front of the model's own defaults
     * @default {}
     */
    model_parameters?: {
      /** @description 0: always the likeliest words; 2: the most varied */
      temperature?: number;
      /** @description Longest answer in tokens */
      max_tokens?: number;
      /** @description Share of the likeliest words to choose from */
      top_p?: number;
      /**
       * @description How long a reasoning model thinks; a provider refuses values that its model does not have
       * @enum {string}
       */
      reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
      /** @description Texts at which the answer ends */
      stop?: string[];
    };
    /**
     * @description System instructions for the model.
     * @default
     */
    instructions?: string;
    /**
     * @description What to do when the outcome of a tool call is unknown: ask a person, report it to the model, or fail the run.
     * @default ask
     * @enum {string}
     */
    on_unknown?: 'ask' | 'tell' | 'fail';
    /** @description May be empty with images */
    content: string;
    /** @description Id of a conversation with an agent. */
    context_id?: string;
    /** @description Images for the agent, 5 MiB together; the model of the agent has to read images */
    images?: (
      | {
          /** @description A PNG, JPEG, WebP or GIF image in base64 */
          data: string;
          /** @description Name of its file, for people: the model reads none */
          name?: string;
        }
      | {
          /** @description An image of an earlier message of the conversation */
          id: string;
        }
    )[];
    /** @description Name of the agent that the draft changes */
    agent?: string;
    /** @description The most that the run may spend */
    budget?:
      | {
          /**
           * @description Unit of the amount: US dollars or tokens.
           * @constant
           */
          unit: 'usd';
          /** @description Maximum amount, in `unit`. */
          amount: number;
        }
      | {
          /**
           * @description Unit of the amount: US dollars or tokens.
           * @constant
           */
          unit: 'tokens';
          /** @description Maximum amount, in `unit`. */
          amount: number;
        };
  };
  DecideApprovalRequest: {
    /**
     * @description Decision.
     * @enum {string}
     */
    decision: 'approve' | 'refuse';
    /** @description Replaces the model's arguments; valid by `parameters` */
    arguments?: {
      [key: string]: unknown;
    };
    /** @description Reason that the model reads */
    reason?: string;
  };
  NewUser: {
    /** @description E-mail address. */
    email: string;
    /** @description Name. */
    name: string;
  };
  UserChanges: {
    /** @description E-mail address. */
    email?: string;
    /** @description Name. */
    name?: string;
  };
  NewContent: {
    /** @description Title to display. */
    title: string;
    /** @description Text. */
    content: string;
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug?: string;
    /**
     * @description Source.
     * @default platform
     */
    source?: string;
    /**
     * @description Kind.
     * @default document
     */
    kind?: string;
    /**
     * @description Whether all projects may read the content.
     * @default false
     */
    public?: boolean;
    /**
     * @description Tags.
     * @default []
     */
    tags?: string[];
  };
  NewFile: {
    /**
     * Format: binary
     * @description The file.
     */
    file: string;
    /** @description Path of the file. */
    path: string;
  };
  FileKnowledgeReplacement: {
    /**
     * @description Tags.
     * @default []
     */
    tags?: string[];
  };
  NewKnowledgeSource: {
    /** @description Name. */
    name: string;
    /** @description Absolute URL. */
    url: string;
    /**
     * @description Tags.
     * @default []
     */
    tags?: string[];
    /**
     * @description Cron expression of five fields; null: the trigger is started by webhooks.
     * @default null
     */
    schedule?: string | null;
    /**
     * @description IANA time zone of the schedule.
     * @default UTC
     */
    timezone?: string;
  };
  KnowledgeSourceChanges: {
    /** @description Name. */
    name?: string;
    /** @description Absolute URL. */
    url?: string;
    /** @description Tags. */
    tags?: string[];
    /** @description Cron expression of five fields; null: the trigger is started by webhooks. */
    schedule?: string | null;
    /** @description IANA time zone of the schedule. */
    timezone?: string;
  };
  StopAgentAnswer: {
    /** @description Name. */
    name: string;
    /** @description Time at which the agent was stopped; null: not stopped. */
    stopped_at: string | null;
  };
  SendMessageAnswer: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Text of the answer. */
    content: string;
    /** @description Agent. */
    agent: string;
    /** @description Time at which the message was stored, in UTC. */
    timestamp: string;
    /** @description Id of a conversation with an agent. */
    context_id: string;
  };
  SendMessageAnswer202: {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; null: nothing. */
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    /** @description Time at which the run entered this state */
    state_at: string;
    /** @description Agent, prompt or model that runs. */
    subject: {
      /**
       * @description Kind.
       * @enum {string}
       */
      kind: 'agent' | 'prompt' | 'model';
      /** @description Null: the built-in agent, or a model */
      id: string | null;
      /** @description Name. */
      name: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number | null;
    };
    /** @description Account. */
    user: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    };
    /**
     * @description Interface through which the run was started.
     * @enum {string}
     */
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    /** @description Beginning of the message that the run answers */
    title: string | null;
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /** @description The conversation of the prompt API that a prompt's run has begun or continued */
    conversation: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description The message there that is its answer */
      message_id: string | null;
    } | null;
    /** @description The run whose agent started this one */
    parent_id: string | null;
    /** @description The run that this one repeats */
    retry_of: string | null;
    /** @description Name of a language model. */
    model: string | null;
    /** @description Number of calls of the model and of tools. */
    steps: number;
    /** @description Number of calls of tools. */
    tool_calls: number;
    /** @description Tokens of the input; null: unknown. */
    prompt_tokens: number;
    /** @description Tokens of the output; null: unknown. */
    completion_tokens: number;
    /** @description Cost in US dollars; null: the price is unknown */
    cost_usd: number | null;
    /** @description Time of queueing, in UTC. */
    queued_at: string;
    /** @description Start time, in UTC; null: not started. */
    started_at: string | null;
    /** @description End time, in UTC; null: not ended. */
    ended_at: string | null;
    /** @description The error; null or absent: no error. */
    error: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
      /** @description HTTP status of the upstream server; only with the scope `runs:read_all` */
      status: number | null;
      /** @description Error text of the upstream server; only with the scope `runs:read_all` */
      detail: string | null;
    } | null;
    /** @description Rating of the run; null: none. */
    feedback: ('up' | 'down') | null;
    /** @description The calls of tools that wait for a decision, in the run and the runs below it: the latest 10. `GET /api/v1/runs/{run_id}/approvals?below=true` lists all */
    approvals: Runtime['Approval'][];
    /** @description The accounts that the run and the runs below it wait for: their user connects each at `connect_url` */
    connections: {
      /** @description Id of an MCP server. */
      server_id: string;
      /** @description Name. */
      name: string;
      /** @description URL of the page where you connect your account. */
      connect_url: string;
      /** @description Id of a run. */
      run_id: string;
    }[];
  };
  DeleteContextAnswer: {
    /** @description Unique id. It never changes. */
    id: string;
  };
  CancelRunAnswer: {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
  };
  DecideApprovalAnswer: {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
    /** @description Run. */
    run: Runtime['CancelRunAnswer'];
  };
  /** Identity */
  Identity: {
    /** @description The account for which the credential acts */
    user: {
      /** @description Id of the account */
      id: string;
      /** @description Name of the account */
      name: string;
      /** @description Address of the account */
      email: string;
    };
    /** @description The only project that the credential reaches */
    project: string;
    /** @description Roles of the account */
    roles: string[];
    /** @description The credential of the request */
    credential: {
      /**
       * @description Kind of the credential
       * @enum {string}
       */
      kind: 'api_key' | 'access_token' | 'gateway_token' | 'area_token' | 'provisioning_token';
      /**
       * @description Plan, which determines the rate limits
       * @enum {string}
       */
      plan: 'standard' | 'professional';
    };
    /** @description What the credential may do: its scopes that the account still has */
    scopes: string[];
  };
  EndMcpConnectionAnswer: {
    /** @description Id of an MCP server. */
    server_id: string;
  };
  'listAgents.query': {
    /**
     * @description Maximum number of records per page.
     * @default 1000
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
  };
  'getAgent.item': string;
  'sendMessage.query': {
    /**
     * @description Whether to answer with server-sent events.
     * @enum {string}
     */
    stream?: 'true' | 'false';
  };
  'sendMessage.message.started': {
    /** @description Agent. */
    agent: string;
    /** @description Id of a conversation with an agent. */
    context_id: string;
    /** @description Id of a run. */
    run_id: string;
  };
  'sendMessage.run.running': {
    /**
     * @description Another process continues the run; the text of an unfinished step starts again
     * @constant
     */
    taken_over: true;
  };
  'sendMessage.message.delta': {
    /** @description Number of the step. */
    step: number;
    /** @description Next piece of the answer. */
    delta: string;
  };
  'sendMessage.tool.call': {
    /** @description Number of the step. */
    step: number;
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name of a tool. */
    tool: string;
    /** @description Arguments of the call, as JSON. */
    arguments: string;
  };
  'sendMessage.tool.result': {
    /** @description Number of the step. */
    step: number;
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name of a tool. */
    tool: string;
    /** @description Whether the call succeeded. */
    ok: boolean;
  };
  'sendMessage.message.completed': Runtime['SendMessageAnswer'];
  'sendMessage.run.waiting': Runtime['SendMessageAnswer202'];
  'sendMessage.error': Runtime['ApiError'];
  'listContexts.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
  };
  'getContext.item': {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Role of the author.
     * @enum {string}
     */
    role: 'user' | 'assistant';
    /** @description Text of the message, or its parts. */
    content: string;
    /** @description Time at which the message was stored, in UTC. */
    timestamp: string;
    /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
    failed: boolean;
    /** @description Of a user's message: its images */
    images: Runtime['ConversationImage'][];
    /** @description Calls of tools, each with its answer. */
    tools: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name of a tool. */
      tool: string;
      /** @description Arguments of the call, as JSON. */
      arguments: string;
      /** @description Beginning of the answer; null while there is none */
      answer: string | null;
      /** @description Whether the call failed. */
      failed: boolean;
    }[];
    /** @description Latest run that answers the message; only on messages of users */
    run: {
      /** @description Unique id. It never changes. */
      id: string;
      /**
       * @description Current state.
       * @enum {string}
       */
      state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
      /** @description What the run waits for; null: nothing. */
      waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
      /** @description The user's rating of the answer */
      feedback: ('up' | 'down') | null;
    } | null;
  };
  'listConversations.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
    /** @description Only conversations with this agent */
    agent?: string;
    /** @description Only conversations with this text in the title */
    search?: string;
  };
  'getConversation.item': {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Role of the author.
     * @enum {string}
     */
    role: 'user' | 'assistant';
    /** @description Text of the message, or its parts. */
    content: string;
    /** @description Time at which the message was stored, in UTC. */
    timestamp: string;
    /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
    failed: boolean;
    /** @description Of a user's message: its images */
    images: Runtime['ConversationImage'][];
    /** @description Calls of tools, each with its answer. */
    tools: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name of a tool. */
      tool: string;
      /** @description Arguments of the call, as JSON. */
      arguments: string;
      /** @description Beginning of the answer; null while there is none */
      answer: string | null;
      /** @description Whether the call failed. */
      failed: boolean;
    }[];
    /** @description Latest run that answers the message; only on messages of users */
    run: {
      /** @description Unique id. It never changes. */
      id: string;
      /**
       * @description Current state.
       * @enum {string}
       */
      state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
      /** @description What the run waits for; null: nothing. */
      waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
      /** @description The user's rating of the answer */
      feedback: ('up' | 'down') | null;
    } | null;
  };
  'listRuns.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /** @description The `next_cursor` of an earlier answer */
    cursor?: string;
    /** @description Name or id of an agent */
    agent?: string;
    /**
     * Format: uuid
     * @description Prompt.
     */
    prompt?: string;
    /**
     * Format: uuid
     * @description A conversation of the prompt API
     */
    conversation_id?: string;
    /** @description Id of a user */
    user?: string;
    /**
     * @description Current state.
     * @enum {string}
     */
    state?: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; several of approval, input, budget, outcome, connection, child are separated by commas */
    waiting_for?: string;
    /**
     * @description Interface through which the run was started.
     * @enum {string}
     */
    channel?: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    /** @description Name of a language model. */
    model?: string;
    /** @description Name of a tool that the run called */
    tool?: string;
    /**
     * Format: date-time
     * @description Runs that were started at this time or later
     */
    since?: string;
    /**
     * Format: date-time
     * @description Runs that were started before this time
     */
    until?: string;
    /** @description US dollars */
    min_cost?: number;
    /** @description Seconds since the run began to execute */
    min_duration?: number;
    /** @description Whether the run or one of its steps failed, or the outcome of one is unknown */
    has_error?: unknown;
  };
  'followRun.run.queued': Record<string, never>;
  'followRun.run.running': {
    /**
     * @description Another process continues the run; the text of an unfinished step starts again
     * @constant
     */
    taken_over?: true;
  };
  'followRun.run.waiting': {
    /**
     * @description What the run waits for; null: nothing.
     * @enum {string}
     */
    waiting_for: 'approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child';
  } & {
    [key: string]: unknown;
  };
  'followRun.message.delta': {
    /** @description Number of the step. */
    step: number;
    /** @description Next piece of the answer. */
    delta: string;
  };
  'followRun.tool.call': {
    /** @description Number of the step. */
    step: number;
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name of a tool. */
    tool: string;
    /** @description Arguments of the call, as JSON. */
    arguments: string;
  };
  'followRun.tool.result': {
    /** @description Number of the step. */
    step: number;
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name of a tool. */
    tool: string;
    /** @description Whether the call succeeded. */
    ok: boolean;
  };
  'followRun.run.completed': Record<string, never>;
  'followRun.run.failed': {
    /** @description Error code for programs. It does not change between releases. */
    code: string;
  };
  'followRun.run.canceled': {
    /**
     * @description Why it was canceled, unless a person did that
     * @enum {string}
     */
    reason?: 'agent_stopped' | 'parent_ended';
  };
  'listRunSteps.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /** @description The `next_cursor` of an earlier answer */
    cursor?: string;
    /**
     * @description Outcome.
     * @enum {string}
     */
    outcome?: 'started' | 'succeeded' | 'failed' | 'unknown';
  };
  'getRunStep.item': {
    /** @description Role of the author. */
    role: string;
    /** @description Text of the message, or its parts. */
    content: string;
    /** @description Calls of tools that the message asks for; null: none. */
    calls:
      | {
          /** @description Unique id. It never changes. */
          id: string;
          /** @description Name. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }[]
      | null;
  };
  'listApprovals.query': {
    /**
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of an earlier answer */
    cursor?: string;
    /**
     * @description Current state.
     * @default pending
     * @enum {string}
     */
    state?: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
  };
  'listRunApprovals.query': {
    /**
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of an earlier answer */
    cursor?: string;
    /**
     * @description `true`: also those of the runs below it, which its agent has started by calls of other agents; each names its run
     * @default false
     * @enum {string}
     */
    below?: 'true' | 'false';
  };
  'listUsers.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
  };
  'searchContent.query': {
    /** @description Search text. */
    q: string;
    /** @description Source. */
    source?: string;
    /** @description Whether all projects may read the content. */
    public?: unknown;
    /**
     * @description Maximum number of records per page.
     * @default 10
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
  };
  'listMcpServers.query': {
    /**
     * @description Maximum number of records per page.
     * @default 1000
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
  };
  'listServerEntries.query': {
    /**
     * @description Maximum number of records per page.
     * @default 30
     */
    limit?: number;
    /** @description The `nextCursor` of an earlier answer */
    cursor?: string;
    /** @description A part of the name or title */
    search?: string;
    /**
     * Format: date-time
     * @description Returns only servers that changed at this time or later.
     */
    updated_since?: string;
    /** @description `latest`, or a version */
    version?: string;
  };
  'file.create.fields': {
    /** @description Path of the file. */
    path: string;
  };
  'file.list.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
    /** @description Returns only records that contain this text. */
    search?: string;
  };
  'putFileKnowledge.item': string;
  'getFileKnowledge.item': string;
  'listKnowledge.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
  };
  'listKnowledgeSources.query': {
    /**
     * @description Maximum number of records per page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Number of records to skip.
     * @default 0
     */
    offset?: number;
  };
  'createKnowledgeSource.item': string;
  'getKnowledgeSource.item': string;
  'updateKnowledgeSource.item': string;
  'refreshKnowledgeSource.item': string;
  'getMetrics.query': {
    /**
     * Format: date
     * @description Start of the period.
     */
    from?: string;
    /**
     * Format: date
     * @description End of the period.
     */
    to?: string;
    /**
     * @description Name of the metric.
     * @enum {string}
     */
    metric?:
      | 'requests'
      | 'errors'
      | 'latency_p95_ms'
      | 'agent_messages'
      | 'model_tokens'
      | 'model_cost_usd'
      | 'mcp_calls'
      | 'content_searches'
      | 'active_users';
  };
}
