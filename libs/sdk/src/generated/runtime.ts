/* Made by `npm run openapi`: do not edit. */
/** Generated from docs/openapi/runtime.json. */
export interface Runtime {
  ApiError: {
    /** @description What went amiss. */
    error: {
      /** @description Name of the error for programs. Later releases may add names. */
      code: string;
      /** @description Sentence for people: what is wrong and what to do. */
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
     * @description State of the record.
     * @enum {string}
     */
    status: 'ok' | 'degraded';
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: string;
    /** @description Seconds since the process began. */
    uptime_seconds: number;
  };
  Jwks: {
    /** @description Keys, or their number. */
    keys: {
      [key: string]: unknown;
    }[];
  };
  DefaultAgentCard: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: string;
    /** @description Addresses of the agent, with the protocol of each. */
    supportedInterfaces: {
      /** @description Address, absolute. */
      url: string;
      /**
       * @description Form of requests.
       * @enum {string}
       */
      protocolBinding: 'JSONRPC' | 'HTTP+JSON';
      /**
       * @description Version of the protocol.
       * @enum {string}
       */
      protocolVersion: '1.0' | '0.3';
    }[];
    /** @description What it can do. */
    capabilities: {
      /** @description Whether it can stream. */
      streaming: boolean;
      /** @description Whether it can send push notifications. */
      pushNotifications: boolean;
    } & {
      [key: string]: unknown;
    };
    /** @description Media types that the agent reads. */
    defaultInputModes: string[];
    /** @description Media types that the agent writes. */
    defaultOutputModes: string[];
    /** @description Skills, or their number. */
    skills: ({
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tags: string[];
    } & {
      [key: string]: unknown;
    })[];
    /** @description Signatures of the card (JWS). */
    signatures?: {
      /** @description Whether moves need an admin and a reason; in a signature, its protected header. */
      protected: string;
      /** @description How posts are signed, or the signature itself. */
      signature: string;
    }[];
  } & {
    [key: string]: unknown;
  };
  Agent: {
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'running' | 'stopped' | 'degraded';
    /** @description Address of the service. */
    endpoint: string;
    /** @description What it can do. */
    capabilities: string[];
    /** @description Purpose of the record. */
    description: string;
    /** @description Skills, or their number. */
    skills: {
      /** @description Name for people and programs. */
      name: string;
      /** @description Purpose of the record. */
      description: string;
    }[];
    /** @description Since when an admin has stopped it; no run of it starts */
    stopped_at: string | null;
  };
  Context: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Beginning of the first message */
    title: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
    /** @description The agent concerned. */
    agent: string;
    /** @description The last 500, oldest first */
    messages: {
      /** @description Id of the record; it never changes. */
      id: string;
      /**
       * @description Who speaks, or the role of the account.
       * @enum {string}
       */
      role: 'user' | 'assistant';
      /** @description The text, or what is stored of it. */
      content: string;
      /** @description When the message was stored, in UTC. */
      timestamp: string;
      /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
      failed: boolean;
      /** @description Tools by name, or calls of them. */
      tools: {
        /** @description Id of the record; it never changes. */
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
      /** @description Of a user's message: the latest run that answers it */
      run: {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description State at present.
         * @enum {string}
         */
        state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
        /** @description What the run waits for; null: it does not wait. */
        waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
        /** @description The user's rating of the answer */
        feedback: ('up' | 'down') | null;
      } | null;
    }[];
  };
  Conversation: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description As its user named it, or the beginning of the first message */
    title: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
    /** @description The agent concerned. */
    agent: string;
    /** @description Whether it stands before all others */
    pinned: boolean;
    /** @description Whether all users of the project may read it */
    shared: boolean;
    /** @description Whether it is yours. What tools did is shown to its user only */
    own: boolean;
    /** @description Whose conversation it is */
    user_name: string;
    /** @description The last 500, oldest first */
    messages: {
      /** @description Id of the record; it never changes. */
      id: string;
      /**
       * @description Who speaks, or the role of the account.
       * @enum {string}
       */
      role: 'user' | 'assistant';
      /** @description The text, or what is stored of it. */
      content: string;
      /** @description When the message was stored, in UTC. */
      timestamp: string;
      /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
      failed: boolean;
      /** @description Tools by name, or calls of them. */
      tools: {
        /** @description Id of the record; it never changes. */
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
      /** @description Of a user's message: the latest run that answers it */
      run: {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description State at present.
         * @enum {string}
         */
        state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
        /** @description What the run waits for; null: it does not wait. */
        waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
        /** @description The user's rating of the answer */
        feedback: ('up' | 'down') | null;
      } | null;
    }[];
  };
  Run: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; null: it does not wait. */
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    /** @description When it came into this state */
    state_at: string;
    /** @description What it is about. */
    subject: {
      /**
       * @description Which kind it is.
       * @enum {string}
       */
      kind: 'agent' | 'prompt' | 'model';
      /** @description Null: the built-in agent, or a model */
      id: string | null;
      /** @description Name for people and programs. */
      name: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number | null;
    };
    /** @description The account concerned. */
    user: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    };
    /**
     * @description How the run was started.
     * @enum {string}
     */
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    /** @description Beginning of the message that it answers */
    title: string | null;
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /** @description The conversation of the prompt API that a prompt's run has begun or continued */
    conversation: {
      /** @description Id of the record; it never changes. */
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
    /** @description Calls of the model and of tools so far. */
    steps: number;
    /** @description Calls of tools so far. */
    tool_calls: number;
    /** @description Tokens that the model read; null: unknown. */
    prompt_tokens: number;
    /** @description Tokens that the model wrote; null: unknown. */
    completion_tokens: number;
    /** @description Null while no price is known */
    cost_usd: number | null;
    /** @description When it was queued, in UTC. */
    queued_at: string;
    /** @description When it began, in UTC; null: not yet. */
    started_at: string | null;
    /** @description When it ended, in UTC; null: not yet. */
    ended_at: string | null;
    /** @description What failed; null or absent: nothing. */
    error: {
      /** @description Name of the fault for programs; it stays the same in later releases. */
      code: string;
      /** @description Sentence for people. */
      message: string;
      /** @description The upstream's status, for `runs:read_all` */
      status: number | null;
      /** @description The upstream's words, for `runs:read_all` */
      detail: string | null;
    } | null;
    /** @description Rating of the run; null: none. */
    feedback: ('up' | 'down') | null;
    /** @description Whether it is the caller's own */
    is_own: boolean;
    /** @description How many processes have executed it */
    attempt: number;
    /** @description Of a queued run: its position among those of the project that wait for a place, from 1; counted up to 1000 */
    queue_position: number | null;
    /** @description The message that it answers */
    input: string | null;
    /** @description Its input besides a message */
    data: unknown;
    /** @description Its answer */
    output: string | null;
    /** @description Comment of the rating; null: none. */
    feedback_comment: string | null;
    /** @description The kind of credential that started it */
    credential: string | null;
    /** @description The agents and clients for which that credential acts, the nearest first (`act` of RFC 8693) */
    actors: {
      /** @description Who names the actor; null: this installation */
      issuer: string | null;
      /** @description Id of an agent or a client */
      sub: string;
      /** @description Of an agent */
      version: number | null;
    }[];
    /** @description Additional data. */
    metadata: unknown;
    /** @description Id of the trace (W3C Trace Context); null: it was not traced. */
    trace_id: string | null;
    /** @description When retention removed the texts of its steps; those of its conversation are kept with that */
    content_removed_at: string | null;
    /** @description The budget that it waits for */
    budget: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
      /**
       * @description What the budget counts.
       * @enum {string}
       */
      level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger' | 'run';
    } | null;
    /** @description The MCP server at which it waits for an account of its user */
    connection: {
      /** @description Id of an MCP server. */
      server_id: string;
      /** @description Name for people and programs. */
      name: string;
      /** @description Page on which to connect your account. */
      connect_url: string;
    } | null;
  };
  RunStep: {
    /** @description Number of the step, from 1. */
    seq: number;
    /**
     * @description Which kind it is.
     * @enum {string}
     */
    kind: 'model' | 'tool';
    /**
     * @description What it led to.
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
    /** @description Parameters by name. */
    parameters: unknown;
    /** @description Text of the answer; null: none yet. */
    answer: string | null;
    /** @description Calls of tools that the model's answer asks for */
    calls:
      | {
          /** @description Id of the record; it never changes. */
          id: string;
          /** @description Name for people and programs. */
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
    /** @description What the call returned; null: nothing yet. */
    result: string | null;
    /** @description Whether text of others had a part in it */
    untrusted: boolean | null;
    /** @description Tokens that the model read; null: unknown. */
    prompt_tokens: number | null;
    /** @description Tokens that the model wrote; null: unknown. */
    completion_tokens: number | null;
    /** @description Cost in US dollars; null while no price is known. */
    cost_usd: number | null;
    /** @description When it began, in UTC; null: not yet. */
    started_at: string;
    /** @description When the first token of the answer arrived; null: not yet. */
    first_token_at: string | null;
    /** @description When it ended, in UTC; null: not yet. */
    ended_at: string | null;
    /** @description What failed; null or absent: nothing. */
    error: {
      /** @description Name of the fault for programs; it stays the same in later releases. */
      code: string;
      /** @description Sentence for people. */
      message: string;
      /** @description The upstream's status, for `runs:read_all` */
      status: number | null;
      /** @description The upstream's words, for `runs:read_all` */
      detail: string | null;
    } | null;
    /** @description The messages of the conversation that the model read: the last 200, up to 8 MiB, oldest first */
    messages: {
      /** @description Who speaks, or the role of the account. */
      role: string;
      /** @description The text, or what is stored of it. */
      content: string;
      /** @description Calls of tools that the message asks for; null: none. */
      calls:
        | {
            /** @description Id of the record; it never changes. */
            id: string;
            /** @description Name for people and programs. */
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
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description E-mail address; in guards, the actions for e-mail addresses. */
    email: string;
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description Who speaks, or the role of the account.
     * @enum {string}
     */
    role: 'user' | 'admin';
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description When the record was made, in UTC. */
    created_at: string;
  };
  Content: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Title for people. */
    title: string;
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Where it comes from. */
    source: string;
    /** @description Which kind it is. */
    kind: string;
    /** @description Whether it may be read by all projects. */
    public: boolean;
    /** @description Words to find it by. */
    tags: string[];
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
    /** @description The file that a passage is from; content items have none */
    file?: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description The number of the passage in the file, from 1 */
      passage: number;
      /** @description The page, in formats with pages */
      page: number | null;
    };
  };
  ServerEntry: {
    /** @description Description of the MCP server. */
    server: {
      /** @description Address of the schema of this description. */
      $schema: string;
      /** @description Host of this installation in reverse, and the name of the server in paths */
      name: string;
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Another one after each change of the entry */
      version: string;
      /** @description Addresses of the server. */
      remotes: {
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'streamable-http';
        /** @description Address, absolute. */
        url: string;
      }[];
    };
    /** @description Facts of the registry about the entry. */
    _meta: {
      /** @description Facts in the form of the official MCP registry. */
      'io.modelcontextprotocol.registry/official': {
        /**
         * @description State of the record.
         * @constant
         */
        status: 'active';
        /** @description When it was published, in UTC. */
        publishedAt?: string;
        /** @description When it last changed, in UTC. */
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
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Where: a path or an address below the base address. */
    path: string;
    /** @description Size in bytes. */
    size: number;
    /** @description Media type. */
    content_type: string;
    /** @description SHA-256 of the bytes, hexadecimal. */
    sha256: string;
    /**
     * Format: date-time
     * @description When the record was made, in UTC.
     */
    created_at: string;
  };
  /** FileKnowledge */
  FileKnowledge: {
    /** @description Id of a file. */
    file_id: string;
    /** @description Where: a path or an address below the base address. */
    path: string;
    /** @description Words to find it by. */
    tags: string[];
    /**
     * @description Passages of an earlier indexing are found until the next one is `ready`
     * @enum {string}
     */
    state: 'waiting' | 'indexing' | 'ready' | 'failed';
    /** @description Why there are no new passages */
    failure: {
      /** @description Name of the fault for programs; it stays the same in later releases. */
      code: string;
      /** @description Sentence for people. */
      message: string;
    } | null;
    /** @description Passages that are written; all of them when `ready` */
    passages: number;
    /**
     * Format: date-time
     * @description When the record was made, in UTC.
     */
    created_at: string;
    /**
     * Format: date-time
     * @description When the record last changed, in UTC.
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
         * @description Length of one point.
         * @constant
         */
        interval: 'day';
        /** @description Values, oldest first. */
        points: {
          /** @description Day in UTC. */
          date: string;
          /** @description The value. */
          value: number;
        }[];
        /** @description Of the whole period: a user active on two days counts once, a percentile is of all requests */
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
           * @description Length of one point.
           * @constant
           */
          interval: 'day';
          /** @description Values, oldest first. */
          points: {
            /** @description Day in UTC. */
            date: string;
            /** @description The value. */
            value: number;
          }[];
          /** @description Of the whole period: a user active on two days counts once, a percentile is of all requests */
          total: number;
          /** @description Of `model_cost_usd`: model calls of the period whose price is not known; the cost leaves them out */
          unpriced_events?: number;
        }[];
      };
  AgentSummary: {
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'running' | 'stopped' | 'degraded';
    /** @description Address of the service. */
    endpoint: string;
    /** @description What it can do. */
    capabilities: string[];
  };
  ContextSummary: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Beginning of the first message */
    title: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
  };
  ConversationSummary: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description As its user named it, or the beginning of the first message */
    title: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
    /** @description The agent concerned. */
    agent: string;
    /** @description Whether it stands before all others */
    pinned: boolean;
    /** @description Whether all users of the project may read it */
    shared: boolean;
  };
  RunSummary: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; null: it does not wait. */
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    /** @description When it came into this state */
    state_at: string;
    /** @description What it is about. */
    subject: {
      /**
       * @description Which kind it is.
       * @enum {string}
       */
      kind: 'agent' | 'prompt' | 'model';
      /** @description Null: the built-in agent, or a model */
      id: string | null;
      /** @description Name for people and programs. */
      name: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number | null;
    };
    /** @description The account concerned. */
    user: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    };
    /**
     * @description How the run was started.
     * @enum {string}
     */
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    /** @description Beginning of the message that it answers */
    title: string | null;
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /** @description The conversation of the prompt API that a prompt's run has begun or continued */
    conversation: {
      /** @description Id of the record; it never changes. */
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
    /** @description Calls of the model and of tools so far. */
    steps: number;
    /** @description Calls of tools so far. */
    tool_calls: number;
    /** @description Tokens that the model read; null: unknown. */
    prompt_tokens: number;
    /** @description Tokens that the model wrote; null: unknown. */
    completion_tokens: number;
    /** @description Null while no price is known */
    cost_usd: number | null;
    /** @description When it was queued, in UTC. */
    queued_at: string;
    /** @description When it began, in UTC; null: not yet. */
    started_at: string | null;
    /** @description When it ended, in UTC; null: not yet. */
    ended_at: string | null;
    /** @description What failed; null or absent: nothing. */
    error: {
      /** @description Name of the fault for programs; it stays the same in later releases. */
      code: string;
      /** @description Sentence for people. */
      message: string;
      /** @description The upstream's status, for `runs:read_all` */
      status: number | null;
      /** @description The upstream's words, for `runs:read_all` */
      detail: string | null;
    } | null;
    /** @description Rating of the run; null: none. */
    feedback: ('up' | 'down') | null;
  };
  RunStepSummary: {
    /** @description Number of the step, from 1. */
    seq: number;
    /**
     * @description Which kind it is.
     * @enum {string}
     */
    kind: 'model' | 'tool';
    /**
     * @description What it led to.
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
    /** @description Parameters by name. */
    parameters: unknown;
    /** @description Text of the answer; null: none yet. */
    answer: string | null;
    /** @description Calls of tools that the model's answer asks for */
    calls:
      | {
          /** @description Id of the record; it never changes. */
          id: string;
          /** @description Name for people and programs. */
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
    /** @description What the call returned; null: nothing yet. */
    result: string | null;
    /** @description Whether text of others had a part in it */
    untrusted: boolean | null;
    /** @description Tokens that the model read; null: unknown. */
    prompt_tokens: number | null;
    /** @description Tokens that the model wrote; null: unknown. */
    completion_tokens: number | null;
    /** @description Cost in US dollars; null while no price is known. */
    cost_usd: number | null;
    /** @description When it began, in UTC; null: not yet. */
    started_at: string;
    /** @description When the first token of the answer arrived; null: not yet. */
    first_token_at: string | null;
    /** @description When it ended, in UTC; null: not yet. */
    ended_at: string | null;
    /** @description What failed; null or absent: nothing. */
    error: {
      /** @description Name of the fault for programs; it stays the same in later releases. */
      code: string;
      /** @description Sentence for people. */
      message: string;
      /** @description The upstream's status, for `runs:read_all` */
      status: number | null;
      /** @description The upstream's words, for `runs:read_all` */
      detail: string | null;
    } | null;
  };
  Approval: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Id of a run. */
    run_id: string;
    /**
     * @description `used`: the call was made. `canceled`: its run ended before a decision
     * @enum {string}
     */
    state: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
    /** @description The agent concerned. */
    agent: {
      /** @description Name for people and programs. */
      name: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number | null;
    };
    /** @description The tool's MCP server or plugin */
    server: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    };
    /** @description Name of a tool. */
    tool: string;
    /** @description Id of the tool call. */
    call_id: string;
    /** @description The step with the answer of the model that asks for the call */
    step: number;
    /** @description As the model wrote them: JSON */
    arguments: string;
    /** @description JSON Schema of the arguments */
    parameters: unknown;
    /** @description What the run had read that neither its user nor this installation wrote */
    tainted_by: string[];
    /** @description For whom the run acts. */
    requester: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    };
    /** @description Whether another user than the requester has to decide */
    other_decider: boolean;
    /** @description Whether the caller may decide now */
    may_decide: boolean;
    /** @description The arguments that were approved instead */
    edited_arguments: string | null;
    /** @description The reason, in a few words. */
    reason: string | null;
    /** @description Who decided; null: nobody yet. */
    decided_by: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    } | null;
    /** @description When it was decided; null: not yet. */
    decided_at: string | null;
    /** @description When it ceases to be valid; null: never. */
    expires_at: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
  };
  ContentSummary: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Title for people. */
    title: string;
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Where it comes from. */
    source: string;
    /** @description Which kind it is. */
    kind: string;
    /** @description Whether it may be read by all projects. */
    public: boolean;
    /** @description Words to find it by. */
    tags: string[];
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
    /** @description The file that a passage is from; content items have none */
    file?: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description The number of the passage in the file, from 1 */
      passage: number;
      /** @description The page, in formats with pages */
      page: number | null;
    };
    /** @description Comparable within one search only */
    score: number;
    /** @description Where the words are, as plain text */
    snippet: string;
  };
  McpServer: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Address of the service. */
    endpoint: string;
    /**
     * @description `streamable-http` for an MCP server, `a2a` for an agent of another system.
     * @constant
     */
    transport: 'streamable-http';
    /** @description Tools by name, or calls of them. */
    tools: string[];
  };
  McpConnection: {
    /** @description Id of an MCP server. */
    server_id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Whether you connected your account. */
    connected: boolean;
    /** @description When you connected your account; null: you did not. */
    connected_at: string | null;
    /** @description OAuth scopes, separated by spaces. */
    scope: string | null;
    /** @description Page on which to connect your account. */
    connect_url: string;
  };
  AgentList: {
    /** @description Agents, or their number. */
    agents: Runtime['AgentSummary'][];
  };
  ContextList: {
    /** @description The records of this page. */
    items: Runtime['ContextSummary'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description The most records on a page. */
    limit: number;
    /** @description Records to pass over before the first one of the page. */
    offset: number;
  };
  ConversationList: {
    /** @description The records of this page. */
    items: Runtime['ConversationSummary'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description The most records on a page. */
    limit: number;
    /** @description Records to pass over before the first one of the page. */
    offset: number;
  };
  RunList: {
    /** @description The records of this page. */
    items: Runtime['RunSummary'][];
    /** @description Leads on; null at the end */
    next_cursor: string | null;
  };
  RunStepList: {
    /** @description The records of this page. */
    items: Runtime['RunStepSummary'][];
    /** @description Leads on; null at the end */
    next_cursor: string | null;
  };
  RunFeedback: {
    /** @description Null removes the feedback */
    rating: ('up' | 'down') | null;
    /**
     * @description Comment for people; null: none.
     * @default null
     */
    comment: string | null;
  };
  ApprovalList: {
    /** @description The records of this page. */
    items: Runtime['Approval'][];
    /** @description Leads on; null at the end */
    next_cursor: string | null;
  };
  UserList: {
    /** @description The records of this page. */
    items: Runtime['User'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description The most records on a page. */
    limit: number;
    /** @description Records to pass over before the first one of the page. */
    offset: number;
  };
  ContentList: {
    /** @description The records of this page. */
    items: Runtime['Content'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description The most records on a page. */
    limit: number;
    /** @description Records to pass over before the first one of the page. */
    offset: number;
  };
  SearchContentList: {
    /** @description What was found, the best first. */
    results: Runtime['ContentSummary'][];
    /** @description Number of records in all pages. */
    total: number;
  };
  McpServerList: {
    /** @description The MCP servers. */
    servers: Runtime['McpServer'][];
  };
  ServerEntryList: {
    /** @description The MCP servers. */
    servers: Runtime['ServerEntry'][];
    /** @description Additional data. */
    metadata: {
      /** @description Entries of this page */
      count: number;
      /** @description Leads on; absent at the end */
      nextCursor?: string;
    };
  };
  McpConnectionList: {
    /** @description MCP servers that ask for an account of your own. */
    connections: Runtime['McpConnection'][];
  };
  FileList: {
    /** @description The records of this page. */
    items: Runtime['UploadedFile'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description The most records on a page. */
    limit: number;
    /** @description Records to pass over before the first one of the page. */
    offset: number;
  };
  KnowledgeList: {
    /** @description The records of this page. */
    items: Runtime['FileKnowledge'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description The most records on a page. */
    limit: number;
    /** @description Records to pass over before the first one of the page. */
    offset: number;
  };
  SendMessageRequest: {
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Id of a conversation with an agent. */
    context_id?: string;
    /** @description Your message of the conversation that this one replaces, together with all after it: an edit, or the same content for another answer. 409 while a run of the conversation has not ended */
    replaces?: string;
  };
  ConversationChanges: {
    /** @description Title for people. */
    title?: string;
    /** @description Whether it stands before all others */
    pinned?: boolean;
    /** @description Whether all users of the project may read it */
    shared?: boolean;
  };
  NewRun: {
    /** @description Name of the agent */
    agent: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Id of a conversation with an agent. */
    context_id?: string;
    /** @description The most that the run, and the runs that its agent starts, may spend; it waits when that is used up */
    budget?:
      | {
          /**
           * @description What is counted: US dollars or tokens.
           * @constant
           */
          unit: 'usd';
          /** @description The most that may be spent, in `unit`. */
          amount: number;
        }
      | {
          /**
           * @description What is counted: US dollars or tokens.
           * @constant
           */
          unit: 'tokens';
          /** @description The most that may be spent, in `unit`. */
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
           * @description What is counted: US dollars or tokens.
           * @constant
           */
          unit: 'usd';
          /** @description The most that may be spent, in `unit`. */
          amount: number;
        }
      | {
          /**
           * @description What is counted: US dollars or tokens.
           * @constant
           */
          unit: 'tokens';
          /** @description The most that may be spent, in `unit`. */
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
    /** @description For the model, such as the number of an order */
    note?: string;
  };
  RunFeedbackReplacement: {
    /** @description Null removes the feedback */
    rating: ('up' | 'down') | null;
    /**
     * @description Comment for people; null: none.
     * @default null
     */
    comment?: string | null;
  };
  RunAgentDraftRequest: {
    /**
     * @description Name for people and programs.
     * @default Draft
     */
    name?: string;
    /**
     * @description Purpose of the record.
     * @default
     */
    description?: string;
    /**
     * @description Ids of the skills that it has.
     * @default []
     */
    skill_ids?: string[];
    /**
     * @description Ids of the plugins that it may use.
     * @default []
     */
    plugin_ids?: string[];
    /**
     * @description Tags of the content that it may read.
     * @default []
     */
    content_tags?: string[];
    /**
     * @description Ids of the MCP servers whose tools it may use.
     * @default []
     */
    mcp_server_ids?: string[];
    /**
     * @description Ids of the agents that it may call.
     * @default []
     */
    agent_ids?: string[];
    /**
     * @description Tools of MCP servers that it may use, as `server/tool` or `server/*`.
     * @default [
     *       "*"
     *     ]
     */
    mcp_tools?: string[];
    /**
     * @description Tools that wait for the approval of a person.
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
     * @description What the model reads before each conversation.
     * @default
     */
    instructions?: string;
    /**
     * @description What happens when the outcome of a tool call is unknown: a person is asked, the model is told, or the run fails.
     * @default ask
     * @enum {string}
     */
    on_unknown?: 'ask' | 'tell' | 'fail';
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Id of a conversation with an agent. */
    context_id?: string;
    /** @description Name of the agent that the draft changes */
    agent?: string;
    /** @description The most that the run may spend */
    budget?:
      | {
          /**
           * @description What is counted: US dollars or tokens.
           * @constant
           */
          unit: 'usd';
          /** @description The most that may be spent, in `unit`. */
          amount: number;
        }
      | {
          /**
           * @description What is counted: US dollars or tokens.
           * @constant
           */
          unit: 'tokens';
          /** @description The most that may be spent, in `unit`. */
          amount: number;
        };
  };
  DecideApprovalRequest: {
    /**
     * @description What was or is decided.
     * @enum {string}
     */
    decision: 'approve' | 'refuse';
    /** @description Replaces the model's arguments; valid by `parameters` */
    arguments?: {
      [key: string]: unknown;
    };
    /** @description For the model */
    reason?: string;
  };
  NewUser: {
    /** @description E-mail address; in guards, the actions for e-mail addresses. */
    email: string;
    /** @description Name for people and programs. */
    name: string;
  };
  UserChanges: {
    /** @description E-mail address; in guards, the actions for e-mail addresses. */
    email?: string;
    /** @description Name for people and programs. */
    name?: string;
  };
  NewContent: {
    /** @description Title for people. */
    title: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug?: string;
    /**
     * @description Where it comes from.
     * @default platform
     */
    source?: string;
    /**
     * @description Which kind it is.
     * @default document
     */
    kind?: string;
    /**
     * @description Whether it may be read by all projects.
     * @default false
     */
    public?: boolean;
    /**
     * @description Words to find it by.
     * @default []
     */
    tags?: string[];
  };
  NewFile: {
    /**
     * Format: binary
     * @description Bytes of the file.
     */
    file: string;
    /** @description Where: a path or an address below the base address. */
    path: string;
  };
  FileKnowledgeReplacement: {
    /**
     * @description Words to find it by.
     * @default []
     */
    tags?: string[];
  };
  StopAgentAnswer: {
    /** @description Name for people and programs. */
    name: string;
    /** @description When it was stopped; null: it works. */
    stopped_at: string | null;
  };
  SendMessageAnswer: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description The agent concerned. */
    agent: string;
    /** @description When the message was stored, in UTC. */
    timestamp: string;
    /** @description Id of a conversation with an agent. */
    context_id: string;
  };
  SendMessageAnswer202: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; null: it does not wait. */
    waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
    /** @description When it came into this state */
    state_at: string;
    /** @description What it is about. */
    subject: {
      /**
       * @description Which kind it is.
       * @enum {string}
       */
      kind: 'agent' | 'prompt' | 'model';
      /** @description Null: the built-in agent, or a model */
      id: string | null;
      /** @description Name for people and programs. */
      name: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number | null;
    };
    /** @description The account concerned. */
    user: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    };
    /**
     * @description How the run was started.
     * @enum {string}
     */
    channel: 'messages' | 'a2a' | 'mcp' | 'console' | 'agent' | 'trigger' | 'prompt' | 'responses' | 'chat' | 'draft';
    /** @description Beginning of the message that it answers */
    title: string | null;
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /** @description The conversation of the prompt API that a prompt's run has begun or continued */
    conversation: {
      /** @description Id of the record; it never changes. */
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
    /** @description Calls of the model and of tools so far. */
    steps: number;
    /** @description Calls of tools so far. */
    tool_calls: number;
    /** @description Tokens that the model read; null: unknown. */
    prompt_tokens: number;
    /** @description Tokens that the model wrote; null: unknown. */
    completion_tokens: number;
    /** @description Null while no price is known */
    cost_usd: number | null;
    /** @description When it was queued, in UTC. */
    queued_at: string;
    /** @description When it began, in UTC; null: not yet. */
    started_at: string | null;
    /** @description When it ended, in UTC; null: not yet. */
    ended_at: string | null;
    /** @description What failed; null or absent: nothing. */
    error: {
      /** @description Name of the fault for programs; it stays the same in later releases. */
      code: string;
      /** @description Sentence for people. */
      message: string;
      /** @description The upstream's status, for `runs:read_all` */
      status: number | null;
      /** @description The upstream's words, for `runs:read_all` */
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
      /** @description Name for people and programs. */
      name: string;
      /** @description Page on which to connect your account. */
      connect_url: string;
      /** @description Id of a run. */
      run_id: string;
    }[];
  };
  DeleteContextAnswer: {
    /** @description Id of the record; it never changes. */
    id: string;
  };
  CancelRunAnswer: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
  };
  DecideApprovalAnswer: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
    /** @description The run concerned. */
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
     * @description The most records on a page.
     * @default 1000
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
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
    /** @description The agent concerned. */
    agent: string;
    /** @description Id of a conversation with an agent. */
    context_id: string;
    /** @description Id of a run. */
    run_id: string;
  };
  'sendMessage.run.running': {
    /**
     * @description Another process goes on; the text of a step that has not ended begins again
     * @constant
     */
    taken_over: true;
  };
  'sendMessage.message.delta': {
    /** @description Number of the step. */
    step: number;
    /** @description The next piece of the text. */
    delta: string;
  };
  'sendMessage.tool.call': {
    /** @description Number of the step. */
    step: number;
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name of a tool. */
    tool: string;
    /** @description Arguments of the call, as JSON. */
    arguments: string;
  };
  'sendMessage.tool.result': {
    /** @description Number of the step. */
    step: number;
    /** @description Id of the record; it never changes. */
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
     * @description The most records on a page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
     * @default 0
     */
    offset?: number;
  };
  'getContext.item': {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Who speaks, or the role of the account.
     * @enum {string}
     */
    role: 'user' | 'assistant';
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description When the message was stored, in UTC. */
    timestamp: string;
    /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
    failed: boolean;
    /** @description Tools by name, or calls of them. */
    tools: {
      /** @description Id of the record; it never changes. */
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
    /** @description Of a user's message: the latest run that answers it */
    run: {
      /** @description Id of the record; it never changes. */
      id: string;
      /**
       * @description State at present.
       * @enum {string}
       */
      state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
      /** @description What the run waits for; null: it does not wait. */
      waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
      /** @description The user's rating of the answer */
      feedback: ('up' | 'down') | null;
    } | null;
  };
  'listConversations.query': {
    /**
     * @description The most records on a page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
     * @default 0
     */
    offset?: number;
    /** @description Only conversations with this agent */
    agent?: string;
    /** @description Only conversations with this text in the title */
    search?: string;
  };
  'getConversation.item': {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Who speaks, or the role of the account.
     * @enum {string}
     */
    role: 'user' | 'assistant';
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description When the message was stored, in UTC. */
    timestamp: string;
    /** @description Of a user's message: the agent failed and has not answered it. Send the same message again to retry. */
    failed: boolean;
    /** @description Tools by name, or calls of them. */
    tools: {
      /** @description Id of the record; it never changes. */
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
    /** @description Of a user's message: the latest run that answers it */
    run: {
      /** @description Id of the record; it never changes. */
      id: string;
      /**
       * @description State at present.
       * @enum {string}
       */
      state: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
      /** @description What the run waits for; null: it does not wait. */
      waiting_for: ('approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child') | null;
      /** @description The user's rating of the answer */
      feedback: ('up' | 'down') | null;
    } | null;
  };
  'listRuns.query': {
    /**
     * @description The most records on a page.
     * @default 50
     */
    limit?: number;
    /** @description The `next_cursor` of an earlier answer */
    cursor?: string;
    /** @description Name or id of an agent */
    agent?: string;
    /**
     * Format: uuid
     * @description A prompt, by id or with its version and variables.
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
     * @description State at present.
     * @enum {string}
     */
    state?: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'canceled';
    /** @description What the run waits for; several of approval, input, budget, outcome, connection, child are separated by commas */
    waiting_for?: string;
    /**
     * @description How the run was started.
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
  'getRun.item': {
    /** @description Who names the actor; null: this installation */
    issuer: string | null;
    /** @description Id of an agent or a client */
    sub: string;
    /** @description Of an agent */
    version: number | null;
  };
  'followRun.run.queued': Record<string, never>;
  'followRun.run.running': {
    /**
     * @description Another process goes on; the text of a step that has not ended begins again
     * @constant
     */
    taken_over?: true;
  };
  'followRun.run.waiting': {
    /**
     * @description What the run waits for; null: it does not wait.
     * @enum {string}
     */
    waiting_for: 'approval' | 'input' | 'budget' | 'outcome' | 'connection' | 'child';
  } & {
    [key: string]: unknown;
  };
  'followRun.message.delta': {
    /** @description Number of the step. */
    step: number;
    /** @description The next piece of the text. */
    delta: string;
  };
  'followRun.tool.call': {
    /** @description Number of the step. */
    step: number;
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name of a tool. */
    tool: string;
    /** @description Arguments of the call, as JSON. */
    arguments: string;
  };
  'followRun.tool.result': {
    /** @description Number of the step. */
    step: number;
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name of a tool. */
    tool: string;
    /** @description Whether the call succeeded. */
    ok: boolean;
  };
  'followRun.run.completed': Record<string, never>;
  'followRun.run.failed': {
    /** @description Name of the fault for programs; it stays the same in later releases. */
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
     * @description The most records on a page.
     * @default 50
     */
    limit?: number;
    /** @description The `next_cursor` of an earlier answer */
    cursor?: string;
    /**
     * @description What it led to.
     * @enum {string}
     */
    outcome?: 'started' | 'succeeded' | 'failed' | 'unknown';
  };
  'getRunStep.item': {
    /** @description Who speaks, or the role of the account. */
    role: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Calls of tools that the message asks for; null: none. */
    calls:
      | {
          /** @description Id of the record; it never changes. */
          id: string;
          /** @description Name for people and programs. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }[]
      | null;
  };
  'listApprovals.query': {
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /** @description The `next_cursor` of an earlier answer */
    cursor?: string;
    /**
     * @description State at present.
     * @default pending
     * @enum {string}
     */
    state?: 'pending' | 'approved' | 'refused' | 'expired' | 'used' | 'canceled';
  };
  'listRunApprovals.query': {
    /**
     * @description The most records on a page.
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
     * @description The most records on a page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
     * @default 0
     */
    offset?: number;
  };
  'searchContent.query': {
    /** @description Words to search for. */
    q: string;
    /** @description Where it comes from. */
    source?: string;
    /** @description Whether it may be read by all projects. */
    public?: unknown;
    /**
     * @description The most records on a page.
     * @default 10
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
     * @default 0
     */
    offset?: number;
  };
  'listMcpServers.query': {
    /**
     * @description The most records on a page.
     * @default 1000
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
     * @default 0
     */
    offset?: number;
  };
  'listServerEntries.query': {
    /**
     * @description The most records on a page.
     * @default 30
     */
    limit?: number;
    /** @description The `nextCursor` of an earlier answer */
    cursor?: string;
    /** @description A part of the name or title */
    search?: string;
    /**
     * Format: date-time
     * @description Servers that changed at this time or later.
     */
    updated_since?: string;
    /** @description `latest`, or a version */
    version?: string;
  };
  'file.create.fields': {
    /** @description Where: a path or an address below the base address. */
    path: string;
  };
  'file.list.query': {
    /**
     * @description The most records on a page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
     * @default 0
     */
    offset?: number;
    /** @description Records that contain this text. */
    search?: string;
  };
  'putFileKnowledge.item': string;
  'getFileKnowledge.item': string;
  'listKnowledge.query': {
    /**
     * @description The most records on a page.
     * @default 50
     */
    limit?: number;
    /**
     * @description Records to pass over before the first one of the page.
     * @default 0
     */
    offset?: number;
  };
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
