/* Made by `npm run openapi`: do not edit. */
/** Generated from docs/openapi/platform.json. */
export interface Platform {
  ApiError: {
    /** @description What went amiss. */
    error: {
      /** @description Name of the error for programs. Later releases may add names. */
      code: string;
      /** @description Error message: what is wrong and what to do. */
      message: string;
      /** @description The HTTP status of the answer. */
      status: number;
    };
  };
  Skill: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /** @description System instructions for the model. */
    instructions: string;
    /** @description Parameters by name. */
    parameters: {
      [key: string]: {
        /**
         * @description Type.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description Accepted values. */
        enum?: (string | number | boolean)[];
        /** @description Value to use when none is given. */
        default?: string | number | boolean;
      };
    };
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  Agent: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Description, as free text. */
    description: string;
    /** @description Ids of the skills of the agent. */
    skill_ids: string[];
    /** @description Ids of the plugins that the agent may use. */
    plugin_ids: string[];
    /** @description Tags of the content that the agent may read. */
    content_tags: string[];
    /** @description Ids of the MCP servers whose tools the agent may use. */
    mcp_server_ids: string[];
    /** @description Agents that it may call as tools */
    agent_ids: string[];
    /** @description Tools of its MCP servers that it may use: *, server/* or server/tool. The clock and the calculator of this installation are not among *: platform/*, platform/current_time or platform/calculate */
    mcp_tools: string[];
    /** @description Tools that it calls only after a person's decision, besides those whose rule says so: *, server/*, server/tool, plugins/*, plugins/id, agents/* or agents/id */
    ask_tools: string[];
    /** @description Name of a language model. */
    model: string | null;
    /** @description Parameters of its model's calls, in front of the model's own defaults */
    model_parameters: {
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
    /** @description System instructions for the model. */
    instructions: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /**
     * @description What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
     * @enum {string}
     */
    on_unknown: 'ask' | 'tell' | 'fail';
    /** @description Time at which an admin stopped the agent; no run of it starts */
    stopped_at: string | null;
    /** @description Whether users and other agents may use the agent. */
    published: boolean;
    /** @description The installation answers for this one where none is named */
    is_default: boolean;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  SkillVersion: {
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: number;
    /** @description Time of the event, in UTC. */
    at: string;
    /** @description Author of the change. */
    by: {
      /** @description Id of an account. */
      user_id: string;
      /**
       * @description Kind of the actor: a user, a job or an MCP client.
       * @enum {string}
       */
      actor_kind: 'user' | 'job' | 'mcp';
      /** @description Id of the actor. */
      actor_id: string;
    };
    /** @description Names of the fields that changed. */
    changed: string[];
    /** @description Fields of the skill in this version. */
    state: {
      /** @description Name. */
      name: string;
      /** @description Description, as free text. */
      description: string;
      /** @description System instructions for the model. */
      instructions: string;
      /** @description Parameters by name. */
      parameters: {
        [key: string]: {
          /**
           * @description Type.
           * @enum {string}
           */
          type: 'string' | 'integer' | 'number' | 'boolean';
          /** @description Accepted values. */
          enum?: (string | number | boolean)[];
          /** @description Value to use when none is given. */
          default?: string | number | boolean;
        };
      };
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'active' | 'inactive';
    };
  };
  AgentVersion: {
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: number;
    /** @description Time of the event, in UTC. */
    at: string;
    /** @description Author of the change. */
    by: {
      /** @description Id of an account. */
      user_id: string;
      /**
       * @description Kind of the actor: a user, a job or an MCP client.
       * @enum {string}
       */
      actor_kind: 'user' | 'job' | 'mcp';
      /** @description Id of the actor. */
      actor_id: string;
    };
    /** @description Names of the fields that changed. */
    changed: string[];
    /** @description Fields of the agent in this version. */
    state: {
      /** @description Name. */
      name?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Ids of the skills of the agent. */
      skill_ids?: string[];
      /** @description Ids of the plugins that the agent may use. */
      plugin_ids?: string[];
      /** @description Tags of the content that the agent may read. */
      content_tags?: string[];
      /** @description Ids of the MCP servers whose tools the agent may use. */
      mcp_server_ids?: string[];
      /** @description Agents that it may call as tools */
      agent_ids?: string[];
      /** @description Tools of its MCP servers that it may use: *, server/* or server/tool. The clock and the calculator of this installation are not among *: platform/*, platform/current_time or platform/calculate */
      mcp_tools?: string[];
      /** @description Tools that it calls only after a person's decision, besides those whose rule says so: *, server/*, server/tool, plugins/*, plugins/id, agents/* or agents/id */
      ask_tools?: string[];
      /** @description Name of a language model. */
      model?: string | null;
      /** @description Parameters of its model's calls, in front of the model's own defaults */
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
      /** @description System instructions for the model. */
      instructions?: string;
      /**
       * @description Status.
       * @enum {string}
       */
      status?: 'active' | 'inactive';
      /**
       * @description What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
       * @enum {string}
       */
      on_unknown?: 'ask' | 'tell' | 'fail';
      /** @description Whether users and other agents may use the agent. */
      published?: boolean;
    };
  };
  Plugin: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: number;
    /**
     * @description Type.
     * @enum {string}
     */
    type: 'tool' | 'data_source' | 'integration' | 'filter';
    /** @description Configuration of the plugin. `config_schema` describes it. */
    config: {
      [key: string]: unknown;
    };
    /** @description JSON Schema of the configuration. */
    config_schema: {
      [key: string]: unknown;
    };
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Whether the last check succeeded; null: not checked yet. */
    reachable: boolean | null;
    /** @description Time of the last check; null: never. */
    last_checked_at: string | null;
    /** @description Error of the last attempt; null after a success. */
    last_error: string | null;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  Content: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Title to display. */
    title: string;
    /** @description Text of the content item, in Markdown. */
    body: string;
    /** @description Tags. */
    tags: string[];
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  KnowledgeSearch: {
    /** @description Name of the model that makes vectors; null: full text only */
    embedding_model: string | null;
    /** @description Length of the vectors that is requested; null: the model's */
    dimensions: number | null;
    /**
     * @description `full_text`: no embedding model is set. `no_pgvector`: the database cannot compare vectors. `indexing`: vectors are made, until then searches are full text. `failing`: the model makes none, and is called again later. `ready`: searches use words and vectors.
     * @enum {string}
     */
    state: 'full_text' | 'no_pgvector' | 'indexing' | 'failing' | 'ready';
    /** @description The state in a sentence, for people */
    message: string;
    /** @description Content items and passages that have vectors */
    indexed: number;
    /** @description Content items and passages whose vectors are still to be made */
    pending: number;
    /** @description Content items and passages that the model refused; they are found by words alone */
    refused: number;
    /** @description Time of the last change, in UTC. */
    updated_at: string | null;
  };
  McpServer: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Absolute URL. */
    url: string;
    /** @description Description, as free text. */
    description: string;
    /** @description Headers of each request to the server, by name. */
    headers: {
      [key: string]: '********';
    };
    /** @description Authentication of requests to the server. */
    auth:
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'none';
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'agent_token';
          /** @description Id of an OAuth client. */
          client_id?: string;
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'client_credentials';
          /** @description Token endpoint of the authorization server. */
          token_url: string;
          /** @description Id of an OAuth client. */
          client_id: string;
          /**
           * @description Secret of the OAuth client. It is never returned.
           * @constant
           */
          client_secret: '********';
          /**
           * @description Authentication method of the client at the token endpoint.
           * @enum {string}
           */
          client_auth: 'client_secret_basic' | 'client_secret_post';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'user';
          /** @description Issuer URL of the authorization server. */
          issuer?: string;
          /** @description Id of an OAuth client. */
          client_id?: string;
          /**
           * @description Secret of the OAuth client. It is never returned.
           * @constant
           */
          client_secret?: '********';
          /**
           * @description Authentication method of the client at the token endpoint.
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        };
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive' | 'unreachable';
    /**
     * @description `streamable-http` for an MCP server, `a2a` for an external agent.
     * @enum {string}
     */
    transport: 'streamable-http' | 'a2a';
    /** @description How the card of an external agent is verified; null for an MCP server. */
    agent_card: {
      /** @description Whether the agent may be used only while its card has a valid signature. */
      require_signature: boolean;
      /** @description URL of the keys that may sign the card; null: the URL that the signature names, on the origin of the card. */
      jwks_url: string | null;
      /** @description Result of the last verification; null: not verified yet. */
      signature: ('verified' | 'unsigned' | 'invalid') | null;
    } | null;
    /** @description Whether changed tools need an approval before they can be used. */
    pin_tools: boolean;
    /** @description Number of available tools. */
    tools_count: number;
    /** @description Time of the last use or the last answer; null: never. */
    last_seen_at: string | null;
    /** @description Error of the last attempt; null after a success. */
    last_error: string | null;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  McpRegistry: {
    /** @description Base address of the MCP registry; null: none is configured */
    url: string | null;
  };
  ToolPolicy: {
    /**
     * @description `ask_when_tainted`: a decision is needed in runs that have read text of others
     * @enum {string}
     */
    unmarked_tools: 'allow' | 'ask_when_tainted' | 'ask';
    /** @description Whether another user than the requester has to decide */
    other_decider: boolean;
    /** @description Whether it is the installation's setting */
    is_default: boolean;
    /** @description Time of the last change, in UTC. */
    updated_at: string | null;
  };
  PluginRule: {
    /** @description Whether an admin has said that a call may be repeated when its outcome is unknown, for the present definition */
    repeatable: boolean;
    /** @description The mark of an admin; null: none */
    rule: ('allow' | 'ask' | 'deny') | null;
    /** @description Whether the definition is the one that was marked */
    is_current: boolean;
    /** @description Whether another user than the requester has to decide */
    other_decider: boolean;
    /**
     * @description The rule in runs that have read no text of others
     * @enum {string}
     */
    effective: 'allow' | 'ask' | 'deny';
  };
  AgentRule: {
    /** @description The mark of an admin; null: none */
    rule: ('allow' | 'ask' | 'deny') | null;
    /** @description Whether the definition is the one that was marked */
    is_current: boolean;
    /** @description Whether another user than the requester has to decide */
    other_decider: boolean;
    /**
     * @description The rule in runs that have read no text of others
     * @enum {string}
     */
    effective: 'allow' | 'ask' | 'deny';
  };
  Guards: {
    /** @description What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has */
    rules: {
      /** @description API keys, tokens, passwords, private keys, connection strings */
      secrets?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Actions for e-mail addresses. */
      email?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers with + or 00, and the national ones of `phone_countries` */
      phone?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers of payment cards, by their check digit */
      card?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers of bank accounts, by their check digits */
      iban?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
    };
    /** @description Countries (ISO 3166-1 alpha-2) whose national telephone numbers count */
    phone_countries: string[];
    /** @description External guards, in the order in which they are asked */
    filters: {
      /** @description Id of a plugin. */
      plugin_id: string;
      /** @description Name. */
      name: string;
      /** @description The approved version */
      version: number;
      /** @description False: the plugin has changed since, or is inactive. It is not asked, and the runs end. */
      is_current: boolean;
      /** @description Values over time, oldest first. */
      points: ('input' | 'output' | 'tools')[];
      /**
       * @description When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
       * @enum {string}
       */
      on_failure: 'block' | 'allow';
    }[];
    /** @description Null: nothing was ever set */
    updated_at: string | null;
  };
  AgentGuards: {
    /** @description What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has */
    rules: {
      /** @description API keys, tokens, passwords, private keys, connection strings */
      secrets?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Actions for e-mail addresses. */
      email?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers with + or 00, and the national ones of `phone_countries` */
      phone?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers of payment cards, by their check digit */
      card?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers of bank accounts, by their check digits */
      iban?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
    };
    /** @description Countries (ISO 3166-1 alpha-2) whose national telephone numbers count */
    phone_countries: string[];
    /** @description External guards, in the order in which they are asked */
    filters: {
      /** @description Id of a plugin. */
      plugin_id: string;
      /** @description Name. */
      name: string;
      /** @description The approved version */
      version: number;
      /** @description False: the plugin has changed since, or is inactive. It is not asked, and the runs end. */
      is_current: boolean;
      /** @description Values over time, oldest first. */
      points: ('input' | 'output' | 'tools')[];
      /**
       * @description When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
       * @enum {string}
       */
      on_failure: 'block' | 'allow';
    }[];
    /** @description Null: nothing was ever set */
    updated_at: string | null;
    /** @description What holds for runs of the agent, with the rules of its project */
    effective: {
      /** @description What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has */
      rules: {
        /** @description API keys, tokens, passwords, private keys, connection strings */
        secrets?: {
          /**
           * @description For everything that a run receives, except the instructions that agents, skills and prompts have
           * @enum {string}
           */
          input?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what the model writes: answers, and arguments of calls
           * @enum {string}
           */
          output?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what tools, servers and other agents answer
           * @enum {string}
           */
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        /** @description Actions for e-mail addresses. */
        email?: {
          /**
           * @description For everything that a run receives, except the instructions that agents, skills and prompts have
           * @enum {string}
           */
          input?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what the model writes: answers, and arguments of calls
           * @enum {string}
           */
          output?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what tools, servers and other agents answer
           * @enum {string}
           */
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        /** @description Numbers with + or 00, and the national ones of `phone_countries` */
        phone?: {
          /**
           * @description For everything that a run receives, except the instructions that agents, skills and prompts have
           * @enum {string}
           */
          input?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what the model writes: answers, and arguments of calls
           * @enum {string}
           */
          output?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what tools, servers and other agents answer
           * @enum {string}
           */
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        /** @description Numbers of payment cards, by their check digit */
        card?: {
          /**
           * @description For everything that a run receives, except the instructions that agents, skills and prompts have
           * @enum {string}
           */
          input?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what the model writes: answers, and arguments of calls
           * @enum {string}
           */
          output?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what tools, servers and other agents answer
           * @enum {string}
           */
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
        /** @description Numbers of bank accounts, by their check digits */
        iban?: {
          /**
           * @description For everything that a run receives, except the instructions that agents, skills and prompts have
           * @enum {string}
           */
          input?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what the model writes: answers, and arguments of calls
           * @enum {string}
           */
          output?: 'off' | 'flag' | 'redact' | 'block';
          /**
           * @description For what tools, servers and other agents answer
           * @enum {string}
           */
          tools?: 'off' | 'flag' | 'redact' | 'block';
        };
      };
      /** @description Countries (ISO 3166-1 alpha-2) whose national telephone numbers count */
      phone_countries: string[];
      /** @description External guards, in the order in which they are asked */
      filters: {
        /** @description Id of a plugin. */
        plugin_id: string;
        /** @description Name. */
        name: string;
        /** @description The approved version */
        version: number;
        /** @description False: the plugin has changed since, or is inactive. It is not asked, and the runs end. */
        is_current: boolean;
        /** @description Values over time, oldest first. */
        points: ('input' | 'output' | 'tools')[];
        /**
         * @description When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
         * @enum {string}
         */
        on_failure: 'block' | 'allow';
      }[];
    };
  };
  Webhook: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Absolute URL. */
    url: string;
    /** @description Description, as free text. */
    description: string;
    /** @description Types of the events to send. */
    event_types: string[];
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Reason for which it was disabled; null: not disabled. */
    disabled_reason: ('failing' | 'gone') | null;
    /** @description Time since which all attempts have failed; null: the last one succeeded. */
    failing_since: string | null;
    /** @description Time until which the previous secret is valid; null: it is not valid. */
    former_secret_until: string | null;
    /** @description Number of deliveries that wait for an attempt. */
    waiting: number;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  WebhookDelivery: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description The event. */
    event: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Type. */
      type: string;
      /** @description Id of the record that the event is about. */
      subject: string;
      /** @description Number of the event for its subject, from 1. */
      sequence: number;
      /** @description Time of creation, in UTC. */
      created_at: string;
    };
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** @description Number of attempts. */
    attempts: number;
    /** @description Time of the next attempt; null: none. */
    next_attempt_at: string | null;
    /** @description Time of the last attempt; null: never. */
    last_attempt_at: string | null;
    /** @description HTTP status of the last answer; null: no answer. */
    last_status: number | null;
    /** @description Error of the last attempt; null after a success. */
    last_error: string | null;
    /** @description Start of the receiver's answer; null: none yet. */
    answer: string | null;
    /** @description Data of the event. */
    data: unknown;
  };
  Trigger: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /**
     * @description Kind.
     * @enum {string}
     */
    kind: 'cron' | 'webhook';
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Reason for which it was disabled; null: not disabled. */
    disabled_reason: ('owner' | 'failing') | null;
    /** @description Agent. */
    agent: string;
    /** @description Message that starts each run. */
    input: string;
    /**
     * @description Whether each run starts a new conversation or continues the same one.
     * @enum {string}
     */
    context: 'new' | 'same';
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /**
     * @description What to do when the previous run has not ended: skip, queue, or run both.
     * @enum {string}
     */
    overlap: 'skip' | 'queue' | 'allow';
    /**
     * @description What to do about scheduled times that were missed: nothing, or one run.
     * @enum {string}
     */
    missed: 'skip' | 'once';
    /** @description Cron expression of five fields; null: the trigger is started by webhooks. */
    schedule: string | null;
    /** @description IANA time zone of the schedule. */
    timezone: string | null;
    /** @description Earliest time of a firing; null: no limit. */
    starts_at: string | null;
    /** @description Latest time of a firing; null: no limit. */
    ends_at: string | null;
    /** @description Next scheduled time; null: none. */
    next_at: string | null;
    /** @description Path of the webhook on the runtime API; null for a schedule. */
    path: string | null;
    /** @description Signature scheme of the webhook requests. */
    signature: ('standard' | 'github' | 'stripe') | null;
    /** @description Time until which the previous secret is valid; null: it is not valid. */
    former_secret_until: string | null;
    /** @description Maximum cost; null: no limit. */
    budget: {
      /**
       * @description Unit of the amount: US dollars or tokens.
       * @enum {string}
       */
      unit: 'usd' | 'tokens';
      /** @description Maximum amount, in `unit`. */
      amount: number;
    } | null;
    /** @description Owner. */
    owner: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    };
    /** @description Number of consecutive failures that disables the trigger. */
    max_failures: number;
    /** @description Number of consecutive failures. */
    failures: number;
    /** @description Number of firings. */
    firings: number;
    /** @description Time of the last firing; null: never. */
    last_fired_at: string | null;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  Budget: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /**
     * @description What the budget limits.
     * @enum {string}
     */
    level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger' | 'run';
    /** @description The API key, client, user, agent, trigger or run; null for the whole project */
    subject: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    } | null;
    /**
     * @description Length of a period; periods start in UTC
     * @enum {string}
     */
    period: 'day' | 'month' | 'total';
    /**
     * @description Unit of the amount: US dollars or tokens.
     * @enum {string}
     */
    unit: 'usd' | 'tokens';
    /** @description US dollars, with six decimals at most, or tokens */
    amount: number;
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description The present period, in the unit of `amount` */
    window: {
      /** @description First day in UTC; null: the budget has no periods */
      starts_on: string | null;
      /** @description First day of the next period */
      ends_on: string | null;
      /** @description Amount that was spent in the period, in `unit`. */
      spent: number;
      /** @description What calls under way may still spend */
      reserved: number;
    };
    /** @description Runs of agents that wait for it; 1,000 at most are counted */
    waiting_runs: number;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
  };
  Client: {
    /** @description Id of an OAuth client. */
    client_id: string;
    /** @description Name. */
    name: string;
    /** @description Allowed redirect URIs. */
    redirect_uris: string[];
    /** @description Scopes of the credential. */
    scopes: string[];
    /** @description Tools of MCP servers that it may use: `*`, `server/*` or `server/tool` */
    mcp_tools: string[];
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description When the client and its tokens end, unless it is rotated; null: never */
    expires_at: string | null;
    /** @description Time of the last use; null: never. */
    last_used_at: string | null;
  };
  Model: {
    /** @description `environment:` and the name for a model of the environment */
    id: string;
    /** @description The name that agents and requests use */
    name: string;
    /**
     * @description `environment`: of `MODEL_*` or `MODELS_FILE`, which an operator changes
     * @enum {string}
     */
    source: 'project' | 'environment';
    /** @description Null for a model of the environment */
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
    /** @description Base URL; null without the scope `admin`, and for the built-in offline model */
    base_url: string | null;
    /** @description Name of the model at the base URL */
    upstream_model: string;
    /** @description Whether there is one; it is never shown */
    api_key: '********' | null;
    /** @description Default parameters; those of agents and prompts come first */
    parameters: {
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
    /** @description Tokens */
    context_window: number;
    /** @description Longest answer in tokens; null: unknown */
    max_output: number | null;
    /** @description Whether the model reads images */
    images: boolean;
    /** @description Whether its server fetches images from addresses that clients name */
    image_urls: boolean;
    /** @description US dollars for a million tokens at this moment; null: unknown */
    prices: {
      /** @description US dollars for a million input tokens */
      input: number;
      /** @description US dollars for a million output tokens */
      output: number;
    } | null;
    /** @description Models that are called in turn when this one does not answer */
    fallbacks: string[];
    /** @description Used where an agent or a request names no model */
    is_default: boolean;
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description How the model last answered this project */
    health: {
      /**
       * @description `unknown`: not called yet. `paused`: not called for some seconds after failures in a row
       * @enum {string}
       */
      state: 'unknown' | 'healthy' | 'failing' | 'paused';
      /** @description Time of the last answer, to within a minute */
      last_success_at: string | null;
      /** @description The latest failure, also when a later call succeeded */
      last_failure: {
        /** @description Time of the event, in UTC. */
        at: string;
        /**
         * @description Kind.
         * @enum {string}
         */
        kind: 'timeout' | 'rate_limited' | 'failed' | 'unreachable' | 'rejected' | 'garbage';
        /** @description HTTP status of the answer; null: there was none */
        status: number | null;
        /** @description Error text of the model server, without credentials; null without the scope `admin` */
        message: string | null;
      } | null;
    };
    /** @description Time of creation, in UTC. */
    created_at: string | null;
    /** @description Time of the last change, in UTC. */
    updated_at: string | null;
  };
  McpServerTool: {
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /** @description JSON Schema of the arguments. */
    input_schema: {
      [key: string]: unknown;
    };
  };
  QuarantinedTool: {
    /** @description Name. */
    name: string;
    /**
     * @description Short reason.
     * @enum {string}
     */
    reason: 'new' | 'changed' | 'removed';
    /** @description SHA-256 of the definition, hexadecimal. */
    hash: string | null;
    /** @description Definition that an admin approved; null: none. */
    approved: {
      /** @description Description, as free text. */
      description: string;
      /** @description JSON Schema of the arguments. */
      input_schema: {
        [key: string]: unknown;
      };
      /** @description Title to display. */
      title?: string;
      /** @description Hints of the tool, as its MCP server declares them. */
      annotations?: {
        [key: string]: unknown;
      };
      /** @description JSON Schema of the output. */
      output_schema?: {
        [key: string]: unknown;
      };
      /** @description Members of the definition that MCP does not define. */
      other_members?: {
        [key: string]: unknown;
      };
    } | null;
    /** @description Definition that the server sends at present. */
    current: {
      /** @description Description, as free text. */
      description: string;
      /** @description JSON Schema of the arguments. */
      input_schema: {
        [key: string]: unknown;
      };
      /** @description Title to display. */
      title?: string;
      /** @description Hints of the tool, as its MCP server declares them. */
      annotations?: {
        [key: string]: unknown;
      };
      /** @description JSON Schema of the output. */
      output_schema?: {
        [key: string]: unknown;
      };
      /** @description Members of the definition that MCP does not define. */
      other_members?: {
        [key: string]: unknown;
      };
    } | null;
    /** @description Differences between the approved and the current definition. */
    difference: {
      /** @description Path of the field. */
      path: string;
      /** @description Value in the approved definition; null: none. */
      approved?: unknown;
      /** @description Value in the current definition. */
      current?: unknown;
    }[];
  };
  McpRegistrySummary: {
    /** @description The name in the registry, with its namespace */
    name: string;
    /** @description Title to display. */
    title: string | null;
    /** @description Description, as free text. */
    description: string;
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: string;
    /** @description Whether its author advises against it */
    is_deprecated: boolean;
    /** @description One for each remote address by Streamable HTTP; empty for servers that only run locally */
    drafts: {
      /** @description Name. */
      name: string;
      /** @description Description, as free text. */
      description: string;
      /** @description The address by Streamable HTTP; `{name}` in it stands for a value to enter */
      url: string;
      /** @description Headers of each request to the server, by name. */
      headers: {
        /** @description Name. */
        name: string;
        /** @description What the registry proposes; `{name}` in it stands for a value to enter */
        value: string;
        /** @description Description, as free text. */
        description: string;
        /** @description Whether the server needs it */
        is_required: boolean;
        /** @description Whether its value is a secret */
        is_secret: boolean;
      }[];
      /** @description What is to be entered in `url` and `headers` */
      inputs: {
        /** @description It stands in braces in `url`, or in the value of a header */
        name: string;
        /** @description Description, as free text. */
        description: string;
        /** @description Whether the server needs it */
        is_required: boolean;
        /** @description Whether its value is a secret */
        is_secret: boolean;
        /** @description Accepted values. */
        choices: string[];
      }[];
    }[];
  };
  ToolRule: {
    /** @description Name. */
    name: string;
    /** @description Identifies the approved definition */
    hash: string;
    /** @description Whether an admin has said that a call may be repeated when its outcome is unknown, for the present definition */
    repeatable: boolean;
    /** @description The mark of an admin; null: none */
    rule: ('allow' | 'ask' | 'deny') | null;
    /** @description Whether the definition is the one that was marked */
    is_current: boolean;
    /** @description Whether another user than the requester has to decide */
    other_decider: boolean;
    /**
     * @description The rule in runs that have read no text of others
     * @enum {string}
     */
    effective: 'allow' | 'ask' | 'deny';
    /**
     * @description `allow` where the server says that the tool only reads
     * @enum {string}
     */
    suggested: 'allow' | 'ask' | 'deny';
  };
  WebhookDeliverySummary: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description The event. */
    event: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Type. */
      type: string;
      /** @description Id of the record that the event is about. */
      subject: string;
      /** @description Number of the event for its subject, from 1. */
      sequence: number;
      /** @description Time of creation, in UTC. */
      created_at: string;
    };
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** @description Number of attempts. */
    attempts: number;
    /** @description Time of the next attempt; null: none. */
    next_attempt_at: string | null;
    /** @description Time of the last attempt; null: never. */
    last_attempt_at: string | null;
    /** @description HTTP status of the last answer; null: no answer. */
    last_status: number | null;
    /** @description Error of the last attempt; null after a success. */
    last_error: string | null;
    /** @description Start of the receiver's answer; null: none yet. */
    answer: string | null;
  };
  TriggerFiring: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Number of the firing, from 1. */
    number: number;
    /**
     * @description What started the firing.
     * @enum {string}
     */
    source: 'schedule' | 'webhook' | 'test';
    /** @description Time of the event, in UTC. */
    at: string;
    /**
     * @description Current state.
     * @enum {string}
     */
    state: 'pending' | 'started' | 'completed' | 'failed' | 'canceled' | 'skipped';
    /** @description Short reason. */
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
    /** @description Id of a run. */
    run_id: string | null;
    /** @description Message that started the run. */
    input: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description End time, in UTC; null: not ended. */
    ended_at: string | null;
  };
  BudgetSubject: {
    /** @description For `subject_id` of a new budget */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Distinguishes subjects with the same name: an owner, an address or a slug */
    detail: string;
  };
  ModelPrice: {
    /** @description Null: a price of the installation, which its operator changes */
    id: string | null;
    /** @description Name of a language model. */
    model: string;
    /** @description US dollars for a million tokens */
    input: number;
    /** @description US dollars for a million tokens */
    output: number;
    /** @description Null: until the first price of the project */
    valid_from: string | null;
    /** @description Whether the price applies at present. */
    is_current: boolean;
    /** @description Time of creation, in UTC. */
    created_at: string | null;
  };
  Key: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Start of the key, without its secret */
    prefix: string;
    /** @description Scopes of the credential. */
    scopes: string[];
    /**
     * @description Plan of the key, which sets its rate limits.
     * @enum {string}
     */
    plan: 'standard' | 'professional';
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Expiry time; null: never. */
    expires_at: string | null;
    /** @description Time of the last use; null: never. */
    last_used_at: string | null;
    /** @description Id of the key by which it was replaced */
    successor_id: string | null;
  };
  ModelPreset: {
    /**
     * @description Unique id. It never changes.
     * @enum {string}
     */
    id: 'openai' | 'anthropic' | 'google' | 'azure' | 'mistral' | 'groq' | 'ollama' | 'vllm' | 'litellm' | 'compatible';
    /** @description Name. */
    name: string;
    /** @description A part in capitals is to be replaced; null: of your own */
    base_url: string | null;
    /** @description Whether the provider requires an API key */
    needs_key: boolean;
    /** @description The provider's list of its models */
    models_url: string | null;
  };
  SkillList: {
    /** @description Records of this page. */
    items: Platform['Skill'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  AgentList: {
    /** @description Records of this page. */
    items: Platform['Agent'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  SkillVersionList: {
    /** @description Records of this page. */
    items: Platform['SkillVersion'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  AgentVersionList: {
    /** @description Records of this page. */
    items: Platform['AgentVersion'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  PluginList: {
    /** @description Records of this page. */
    items: Platform['Plugin'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  ContentList: {
    /** @description Records of this page. */
    items: Platform['Content'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  McpServerList: {
    /** @description Records of this page. */
    items: Platform['McpServer'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  McpServerToolList: {
    /** @description Records of this page. */
    items: Platform['McpServerTool'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  QuarantinedToolList: {
    /** @description Records of this page. */
    items: Platform['QuarantinedTool'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  McpRegistryList: {
    /** @description Records of this page. */
    items: Platform['McpRegistrySummary'][];
    /** @description Entries of the page that are malformed or too large */
    skipped: number;
    /** @description Cursor of the next page; null on the last page */
    next_cursor: string | null;
    /** @description Why the registry gave no entries; null: it answered */
    error: string | null;
  };
  ToolRuleList: {
    /** @description Records of this page. */
    items: Platform['ToolRule'][];
  };
  WebhookList: {
    /** @description Records of this page. */
    items: Platform['Webhook'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  WebhookDeliveryList: {
    /** @description Records of this page. */
    items: Platform['WebhookDeliverySummary'][];
    /** @description Cursor of the next page; null on the last one. */
    next_cursor: string | null;
  };
  TriggerList: {
    /** @description Records of this page. */
    items: Platform['Trigger'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  TriggerTimeList: {
    /** @description Times in UTC, earliest first. */
    times: string[];
  };
  TriggerFiringList: {
    /** @description Records of this page. */
    items: Platform['TriggerFiring'][];
    /** @description Cursor of the next page; null on the last one. */
    next_cursor: string | null;
  };
  BudgetList: {
    /** @description Records of this page. */
    items: Platform['Budget'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records per page. */
    per_page: number;
  };
  OwnBudgetList: {
    /** @description Records of this page. */
    items: Platform['Budget'][];
  };
  BudgetSubjectList: {
    /** @description Records of this page. */
    items: Platform['BudgetSubject'][];
  };
  ModelPriceList: {
    /** @description Records of this page. */
    items: Platform['ModelPrice'][];
    /** @description Names of the models. */
    models: string[];
  };
  KeyList: {
    /** @description Records of this page. */
    items: Platform['Key'][];
  };
  ClientList: {
    /** @description Records of this page. */
    items: Platform['Client'][];
  };
  ModelList: {
    /** @description Records of this page. */
    items: Platform['Model'][];
  };
  ModelPresetList: {
    /** @description Records of this page. */
    items: Platform['ModelPreset'][];
  };
  NewSkill: {
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /** @description System instructions for the model. */
    instructions: string;
    /**
     * @description Parameters by name.
     * @default {}
     */
    parameters?: {
      [key: string]: {
        /**
         * @description Type.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description Accepted values. */
        enum?: (string | number | boolean)[];
        /** @description Value to use when none is given. */
        default?: string | number | boolean;
      };
    };
  };
  SkillReplacement: {
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /** @description System instructions for the model. */
    instructions: string;
    /**
     * @description Parameters by name.
     * @default {}
     */
    parameters?: {
      [key: string]: {
        /**
         * @description Type.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description Accepted values. */
        enum?: (string | number | boolean)[];
        /** @description Value to use when none is given. */
        default?: string | number | boolean;
      };
    };
    /**
     * @description Status.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  SkillChanges: {
    /** @description Name. */
    name?: string;
    /** @description Description, as free text. */
    description?: string;
    /** @description System instructions for the model. */
    instructions?: string;
    /** @description Parameters by name. */
    parameters?: {
      [key: string]: {
        /**
         * @description Type.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description Accepted values. */
        enum?: (string | number | boolean)[];
        /** @description Value to use when none is given. */
        default?: string | number | boolean;
      };
    };
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  NewAgent: {
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
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
    /** @description Whether users and other agents may use the agent. */
    published?: boolean;
  };
  AgentReplacement: {
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
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
    /** @description Whether users and other agents may use the agent. */
    published?: boolean;
    /**
     * @description Status.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug?: string;
    /** @description Whether requests that name no agent use this one. */
    is_default?: boolean;
    /** @description Time at which the agent was stopped; null: not stopped. */
    stopped_at?: string | null;
  };
  AgentChanges: {
    /** @description Name. */
    name?: string;
    /** @description Description, as free text. */
    description?: string;
    /** @description Ids of the skills of the agent. */
    skill_ids?: string[];
    /** @description Ids of the plugins that the agent may use. */
    plugin_ids?: string[];
    /** @description Tags of the content that the agent may read. */
    content_tags?: string[];
    /** @description Ids of the MCP servers whose tools the agent may use. */
    mcp_server_ids?: string[];
    /** @description Ids of the agents that this agent may call. */
    agent_ids?: string[];
    /** @description Allowed tools of MCP servers, as `server/tool` or `server/*`. */
    mcp_tools?: string[];
    /** @description Tools that need the approval of a person before each call. */
    ask_tools?: string[];
    /** @description Name of a language model. */
    model?: string | null;
    /** @description Parameters of its model's calls, in front of the model's own defaults */
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
    /** @description System instructions for the model. */
    instructions?: string;
    /**
     * @description What to do when the outcome of a tool call is unknown: ask a person, report it to the model, or fail the run.
     * @enum {string}
     */
    on_unknown?: 'ask' | 'tell' | 'fail';
    /** @description Whether users and other agents may use the agent. */
    published?: boolean;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug?: string;
    /** @description Whether requests that name no agent use this one. */
    is_default?: boolean;
    /** @description Time at which the agent was stopped; null: not stopped. */
    stopped_at?: string | null;
  };
  AssignSkillRequest: {
    /** @description Id of a skill. */
    skill_id: string;
  };
  NewPlugin: {
    /** @description Name. */
    name: string;
    /**
     * @description Description, as free text.
     * @default
     */
    description?: string;
    /**
     * @description Type.
     * @enum {string}
     */
    type: 'tool' | 'data_source' | 'integration' | 'filter';
    /** @description Configuration of the plugin. `config_schema` describes it. */
    config: {
      [key: string]: unknown;
    };
    /**
     * @description JSON Schema of the configuration.
     * @default {}
     */
    config_schema?: {
      [key: string]: unknown;
    };
  };
  PluginChanges: {
    /** @description Name. */
    name?: string;
    /** @description Description, as free text. */
    description?: string;
    /**
     * @description Type.
     * @enum {string}
     */
    type?: 'tool' | 'data_source' | 'integration' | 'filter';
    /** @description Configuration of the plugin. `config_schema` describes it. */
    config?: {
      [key: string]: unknown;
    };
    /** @description JSON Schema of the configuration. */
    config_schema?: {
      [key: string]: unknown;
    };
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Version number. Each change increases it. It is also the ETag. */
    version?: unknown;
    /** @description Whether the last check succeeded; null: not checked yet. */
    reachable?: unknown;
    /** @description Time of the last check; null: never. */
    last_checked_at?: unknown;
    /** @description Error of the last attempt; null after a success. */
    last_error?: unknown;
  };
  PluginConfigReplacement: {
    [key: string]: unknown;
  };
  NewContent: {
    /** @description Title to display. */
    title: string;
    /** @description Text of the content item, in Markdown. */
    body: string;
    /**
     * @description Tags.
     * @default []
     */
    tags?: string[];
  };
  ContentReplacement: {
    /** @description Title to display. */
    title: string;
    /** @description Text of the content item, in Markdown. */
    body: string;
    /**
     * @description Tags.
     * @default []
     */
    tags?: string[];
    /**
     * @description Status.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  ContentChanges: {
    /** @description Title to display. */
    title?: string;
    /** @description Text of the content item, in Markdown. */
    body?: string;
    /** @description Tags. */
    tags?: string[];
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  KnowledgeSearchReplacement: {
    /** @description Name of a model of the project that makes embeddings; null: full text only */
    embedding_model: string | null;
    /**
     * @description Length of the vectors, for models that make shorter ones on request; null: the model's
     * @default null
     */
    dimensions?: number | null;
  };
  NewMcpServer: {
    /** @description Name. */
    name: string;
    /** @description Absolute URL. */
    url: string;
    /**
     * @description Description, as free text.
     * @default
     */
    description?: string;
    /** @description Headers of each request to the server, by name. */
    headers?: {
      [key: string]: string;
    };
    /**
     * @description Authentication of requests to the server.
     * @default {
     *       "type": "none"
     *     }
     */
    auth?:
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'none';
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'agent_token';
          /** @description Id of an OAuth client. */
          client_id?: string;
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'client_credentials';
          /** @description Token endpoint of the authorization server. */
          token_url: string;
          /** @description Id of an OAuth client. */
          client_id: string;
          /** @description Secret of the OAuth client. It is never returned. */
          client_secret: string;
          /**
           * @description Authentication method of the client at the token endpoint.
           * @default client_secret_basic
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'user';
          /** @description Issuer URL of the authorization server. */
          issuer?: string;
          /** @description Id of an OAuth client. */
          client_id?: string;
          /** @description Secret of the OAuth client. It is never returned. */
          client_secret?: string;
          /**
           * @description Authentication method of the client at the token endpoint.
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        };
    /** @description How the card of an external agent is verified; null for an MCP server. */
    agent_card?: {
      /**
       * @description Whether the agent may be used only while its card has a valid signature.
       * @default false
       */
      require_signature?: boolean;
      /**
       * @description URL of the keys that may sign the card; null: the URL that the signature names, on the origin of the card.
       * @default null
       */
      jwks_url?: string | null;
      /** @description Result of the last verification; null: not verified yet. */
      signature?: unknown;
    } | null;
    /**
     * @description Whether changed tools need an approval before they can be used.
     * @default true
     */
    pin_tools?: boolean;
    /**
     * @description `streamable-http` for an MCP server, `a2a` for an external agent.
     * @default streamable-http
     * @enum {string}
     */
    transport?: 'streamable-http' | 'a2a';
  };
  McpServerChanges: {
    /** @description Name. */
    name?: string;
    /** @description Absolute URL. */
    url?: string;
    /** @description Description, as free text. */
    description?: string;
    /** @description Headers of each request to the server, by name. */
    headers?: {
      [key: string]: string;
    };
    /** @description Authentication of requests to the server. */
    auth?:
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'none';
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'agent_token';
          /** @description Id of an OAuth client. */
          client_id?: string;
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'client_credentials';
          /** @description Token endpoint of the authorization server. */
          token_url: string;
          /** @description Id of an OAuth client. */
          client_id: string;
          /** @description Secret of the OAuth client. It is never returned. */
          client_secret: string;
          /**
           * @description Authentication method of the client at the token endpoint.
           * @default client_secret_basic
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'user';
          /** @description Issuer URL of the authorization server. */
          issuer?: string;
          /** @description Id of an OAuth client. */
          client_id?: string;
          /** @description Secret of the OAuth client. It is never returned. */
          client_secret?: string;
          /**
           * @description Authentication method of the client at the token endpoint.
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        };
    /** @description How the card of an external agent is verified; null for an MCP server. */
    agent_card?: {
      /**
       * @description Whether the agent may be used only while its card has a valid signature.
       * @default false
       */
      require_signature?: boolean;
      /**
       * @description URL of the keys that may sign the card; null: the URL that the signature names, on the origin of the card.
       * @default null
       */
      jwks_url?: string | null;
      /** @description Result of the last verification; null: not verified yet. */
      signature?: unknown;
    } | null;
    /** @description Whether changed tools need an approval before they can be used. */
    pin_tools?: boolean;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive' | 'unreachable';
    /** @description Name in URLs: lower-case letters, digits and hyphens. */
    slug?: unknown;
    /** @description `streamable-http` for an MCP server, `a2a` for an external agent. */
    transport?: unknown;
    /** @description Number of available tools. */
    tools_count?: unknown;
    /** @description Time of the last use or the last answer; null: never. */
    last_seen_at?: unknown;
    /** @description Error of the last attempt; null after a success. */
    last_error?: unknown;
  };
  ApproveToolRequest: {
    /** @description SHA-256 of the definition, hexadecimal. */
    hash: string;
  };
  MakeChangesRequest: {
    /** @description Changes. */
    changes: (
      | (
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'skill';
              /**
               * @description Action.
               * @constant
               */
              action: 'create';
              /** @description A name, such as `@a`, for later changes of the request */
              ref?: string;
              /** @description Fields of the new record */
              fields: Platform['NewSkill'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'skill';
              /**
               * @description Action.
               * @constant
               */
              action: 'update';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
              /** @description Fields that change */
              fields: Platform['SkillChanges'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'skill';
              /**
               * @description Action.
               * @constant
               */
              action: 'delete';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
            }
        )
      | (
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'content';
              /**
               * @description Action.
               * @constant
               */
              action: 'create';
              /** @description A name, such as `@a`, for later changes of the request */
              ref?: string;
              /** @description Fields of the new record */
              fields: Platform['NewContent'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'content';
              /**
               * @description Action.
               * @constant
               */
              action: 'update';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
              /** @description Fields that change */
              fields: Platform['ContentChanges'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'content';
              /**
               * @description Action.
               * @constant
               */
              action: 'delete';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
            }
        )
      | (
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'mcp_server';
              /**
               * @description Action.
               * @constant
               */
              action: 'create';
              /** @description A name, such as `@a`, for later changes of the request */
              ref?: string;
              /** @description Fields of the new record */
              fields: Platform['NewMcpServer'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'mcp_server';
              /**
               * @description Action.
               * @constant
               */
              action: 'update';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
              /** @description Fields that change */
              fields: Platform['McpServerChanges'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'mcp_server';
              /**
               * @description Action.
               * @constant
               */
              action: 'delete';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
            }
        )
      | (
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'agent';
              /**
               * @description Action.
               * @constant
               */
              action: 'create';
              /** @description A name, such as `@a`, for later changes of the request */
              ref?: string;
              /** @description Fields of the new record */
              fields: Platform['NewAgent'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'agent';
              /**
               * @description Action.
               * @constant
               */
              action: 'update';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
              /** @description Fields that change */
              fields: Platform['AgentChanges'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'agent';
              /**
               * @description Action.
               * @constant
               */
              action: 'delete';
              /** @description Id of the record, or the `ref` of an earlier change */
              id: string;
              /** @description The ETag of the version that was read */
              if_match?: string;
            }
        )
    )[];
  };
  ToolPolicyReplacement: {
    /**
     * @description Rule for tools that have no rule of their own.
     * @enum {string}
     */
    unmarked_tools: 'allow' | 'ask_when_tainted' | 'ask';
    /**
     * @description Whether another person than the requester must decide.
     * @default false
     */
    other_decider?: boolean;
  };
  ToolRulesReplacement: {
    /** @description Rules to set. */
    rules: {
      /** @description Name. */
      name: string;
      /** @description SHA-256 of the definition, hexadecimal. */
      hash: string;
      /** @description Whether calls are allowed, need an approval, or are denied; null: the policy of the project applies. */
      rule: ('allow' | 'ask' | 'deny') | null;
      /**
       * @description Whether another person than the requester must decide.
       * @default false
       */
      other_decider?: boolean;
      /** @description A call may be repeated when its outcome is unknown; left out, the mark stays as it is */
      repeatable?: boolean;
    }[];
  };
  PluginRuleReplacement: {
    /** @description Whether calls are allowed, need an approval, or are denied; null: the policy of the project applies. */
    rule: ('allow' | 'ask' | 'deny') | null;
    /**
     * @description Whether another person than the requester must decide.
     * @default false
     */
    other_decider?: boolean;
    /** @description A call may be repeated when its outcome is unknown; left out, the mark stays as it is */
    repeatable?: boolean;
  };
  AgentRuleReplacement: {
    /** @description Whether calls are allowed, need an approval, or are denied; null: the policy of the project applies. */
    rule: ('allow' | 'ask' | 'deny') | null;
    /**
     * @description Whether another person than the requester must decide.
     * @default false
     */
    other_decider?: boolean;
  };
  GuardsReplacement: {
    /** @description What each guard does with each text: `off`, `flag`, `redact` or `block`; left out, `off` or what the project has */
    rules: {
      /** @description API keys, tokens, passwords, private keys, connection strings */
      secrets?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Actions for e-mail addresses. */
      email?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers with + or 00, and the national ones of `phone_countries` */
      phone?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers of payment cards, by their check digit */
      card?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
      /** @description Numbers of bank accounts, by their check digits */
      iban?: {
        /**
         * @description For everything that a run receives, except the instructions that agents, skills and prompts have
         * @enum {string}
         */
        input?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what the model writes: answers, and arguments of calls
         * @enum {string}
         */
        output?: 'off' | 'flag' | 'redact' | 'block';
        /**
         * @description For what tools, servers and other agents answer
         * @enum {string}
         */
        tools?: 'off' | 'flag' | 'redact' | 'block';
      };
    };
    /**
     * @description Countries (ISO 3166-1 alpha-2) whose national telephone numbers count
     * @default []
     */
    phone_countries?: string[];
    /**
     * @description External guards, in the order in which they are asked
     * @default []
     */
    filters?: {
      /** @description A plugin of type `filter` */
      plugin_id: string;
      /** @description The version of the plugin that is approved: it must be the present one */
      version: number;
      /** @description Values over time, oldest first. */
      points: ('input' | 'output' | 'tools')[];
      /**
       * @description When the guard gives no valid answer in time: `block` ends the run, `allow` lets the text pass
       * @default block
       * @enum {string}
       */
      on_failure?: 'block' | 'allow';
    }[];
  };
  NewWebhook: {
    /** @description Name. */
    name: string;
    /** @description Absolute URL. */
    url: string;
    /**
     * @description Description, as free text.
     * @default
     */
    description?: string;
    /**
     * @description Types of the events to send.
     * @default []
     */
    event_types?: (
      | 'run.completed'
      | 'run.failed'
      | 'run.canceled'
      | 'run.waiting'
      | 'trigger.disabled'
      | 'approval.requested'
      | 'approval.decided'
      | 'budget.warning'
      | 'budget.exhausted'
    )[];
  };
  WebhookChanges: {
    /** @description Name. */
    name?: string;
    /** @description Absolute URL. */
    url?: string;
    /** @description Description, as free text. */
    description?: string;
    /** @description Types of the events to send. */
    event_types?: (
      | 'run.completed'
      | 'run.failed'
      | 'run.canceled'
      | 'run.waiting'
      | 'trigger.disabled'
      | 'approval.requested'
      | 'approval.decided'
      | 'budget.warning'
      | 'budget.exhausted'
    )[];
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  ReplayWebhookRequest: {
    /**
     * Format: date-time
     * @description Start of the period, included.
     */
    since: string;
    /**
     * Format: date-time
     * @description End of the period, excluded.
     */
    until?: string;
    /**
     * @description Whether to send delivered events again as well.
     * @default false
     */
    delivered?: boolean;
  };
  NewTrigger: {
    /** @description Name. */
    name: string;
    /**
     * @description Description, as free text.
     * @default
     */
    description?: string;
    /** @description Agent. */
    agent: string;
    /** @description Message that starts each run. */
    input: string;
    /**
     * @description Whether each run starts a new conversation or continues the same one.
     * @default new
     * @enum {string}
     */
    context?: 'new' | 'same';
    /**
     * @description What to do when the previous run has not ended: skip, queue, or run both.
     * @enum {string}
     */
    overlap?: 'skip' | 'queue' | 'allow';
    /**
     * @description What to do about scheduled times that were missed: nothing, or one run.
     * @default skip
     * @enum {string}
     */
    missed?: 'skip' | 'once';
    /** @description Cron expression of five fields; null: the trigger is started by webhooks. */
    schedule?: string;
    /** @description IANA time zone of the schedule. */
    timezone?: string;
    /** @description Earliest time of a firing; null: no limit. */
    starts_at?: string | null;
    /** @description Latest time of a firing; null: no limit. */
    ends_at?: string | null;
    /**
     * @description Signature scheme of the webhook requests.
     * @enum {string}
     */
    signature?: 'standard' | 'github' | 'stripe';
    /**
     * @description Maximum cost; null: no limit.
     * @default null
     */
    budget?:
      | (
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
            }
        )
      | null;
    /**
     * @description Number of consecutive failures that disables the trigger.
     * @default 10
     */
    max_failures?: number;
    /**
     * @description Kind.
     * @enum {string}
     */
    kind: 'cron' | 'webhook';
    /** @description Secret of the signatures. It is returned only once. */
    secret?: string;
  };
  TriggerChanges: {
    /** @description Name. */
    name?: string;
    /** @description Description, as free text. */
    description?: string;
    /** @description Agent. */
    agent?: string;
    /** @description Message that starts each run. */
    input?: string;
    /**
     * @description Whether each run starts a new conversation or continues the same one.
     * @enum {string}
     */
    context?: 'new' | 'same';
    /**
     * @description What to do when the previous run has not ended: skip, queue, or run both.
     * @enum {string}
     */
    overlap?: 'skip' | 'queue' | 'allow';
    /**
     * @description What to do about scheduled times that were missed: nothing, or one run.
     * @enum {string}
     */
    missed?: 'skip' | 'once';
    /** @description Cron expression of five fields; null: the trigger is started by webhooks. */
    schedule?: string;
    /** @description IANA time zone of the schedule. */
    timezone?: string;
    /** @description Earliest time of a firing; null: no limit. */
    starts_at?: string | null;
    /** @description Latest time of a firing; null: no limit. */
    ends_at?: string | null;
    /**
     * @description Signature scheme of the webhook requests.
     * @enum {string}
     */
    signature?: 'standard' | 'github' | 'stripe';
    /** @description Maximum cost; null: no limit. */
    budget?:
      | (
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
            }
        )
      | null;
    /** @description Number of consecutive failures that disables the trigger. */
    max_failures?: number;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Id of your own account, which becomes the owner of the trigger. */
    owner_id?: string;
  };
  RotateTriggerSecretRequest: {
    /** @description Secret of the signatures. It is returned only once. */
    secret?: string;
  };
  FireTriggerRequest: {
    /** @description Body of the webhook to simulate. */
    body?: string;
  };
  NewBudget: {
    /** @description Name. */
    name: string;
    /**
     * @description What the budget limits.
     * @enum {string}
     */
    level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger';
    /** @description Id of the API key, user, agent or trigger, or the `client_id` of the client; none for `project` */
    subject_id?: string;
    /**
     * @description Length of the period.
     * @enum {string}
     */
    period: 'day' | 'month' | 'total';
    /**
     * @description Unit of the amount: US dollars or tokens.
     * @enum {string}
     */
    unit: 'usd' | 'tokens';
    /** @description US dollars, with six decimals at most, or tokens */
    amount: number;
    /**
     * @description Status.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  BudgetChanges: {
    /** @description Name. */
    name?: string;
    /** @description Maximum amount, in `unit`. */
    amount?: number;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  NewModelPrice: {
    /** @description Name of a language model. */
    model: string;
    /** @description US dollars for a million tokens of input. */
    input: number;
    /** @description US dollars for a million tokens of output. */
    output: number;
    /**
     * Format: date-time
     * @description Default: now. Not in the past
     */
    valid_from?: string;
  };
  NewKey: {
    /** @description Name. */
    name: string;
    /** @description Scopes of the key of the request, by name; never `*`, `keys:write` or those of admins */
    scopes: string[];
    /**
     * @description At most that of the key of the request
     * @default standard
     * @enum {string}
     */
    plan?: 'standard' | 'professional';
    /** @description Null: no expiry. It ends no later than the key of the request; when left out, after 90 days or with that key */
    expires_in_days?: number | null;
  };
  NewClient: {
    /** @description Name. */
    name: string;
    /**
     * @description https anywhere, http on loopback addresses. None for a client that only uses its own grant
     * @default []
     */
    redirect_uris?: string[];
    /** @description Allowed tools of MCP servers, as `server/tool` or `server/*`. */
    mcp_tools?: string[];
    /** @description Scopes of the key of the request, by name; never `*` or those of keys and admins */
    scopes: string[];
    /** @description Null: no expiry. It ends no later than the key of the request; when left out, with that key */
    expires_in_days?: number | null;
  };
  ClientChanges: {
    /** @description Name. */
    name?: string;
    /** @description https anywhere, http on loopback addresses. None for a client that only uses its own grant */
    redirect_uris?: string[];
    /** @description Allowed tools of MCP servers, as `server/tool` or `server/*`. */
    mcp_tools?: string[];
  };
  RotateClientSecretRequest: {
    /**
     * @description 0 ends the former secret at once
     * @default 24
     */
    overlap_hours?: number;
    /** @description Null: no expiry. It ends no later than the key of the request; when left out, with that key */
    expires_in_days?: number | null;
  };
  NewModel: {
    /** @description Name. */
    name: string;
    /**
     * @description The provider that the address is of
     * @enum {string}
     */
    preset:
      'openai' | 'anthropic' | 'google' | 'azure' | 'mistral' | 'groq' | 'ollama' | 'vllm' | 'litellm' | 'compatible';
    /** @description Default: the preset's, where it has one */
    base_url?: string;
    /** @description Name of the model at the base URL. Default: `name` */
    upstream_model?: string;
    /**
     * @description Stored encrypted and never shown; null: the address needs none; `********` keeps the stored one
     * @default null
     */
    api_key?: string | null;
    /**
     * @description Default parameters; those of agents and prompts come first
     * @default {}
     */
    parameters?: {
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
     * @description Tokens that the model reads and writes at once
     * @default 128000
     */
    context_window?: number;
    /**
     * @description Longest answer in tokens; null: unknown
     * @default null
     */
    max_output?: number | null;
    /**
     * @description Whether it reads images: requests with images are refused elsewhere
     * @default false
     */
    images?: boolean;
    /**
     * @description Whether its server fetches images from https addresses that clients name; only for servers outside your network
     * @default false
     */
    image_urls?: boolean;
    /** @description US dollars for a million tokens; a new price from now on, as by `POST /api/v1/model-prices` */
    prices?: {
      /** @description US dollars for a million input tokens */
      input: number;
      /** @description US dollars for a million output tokens */
      output: number;
    };
    /**
     * @description Models that are called in turn when this one does not answer
     * @default []
     */
    fallbacks?: string[];
    /**
     * @description Used where an agent or a request names no model
     * @default false
     */
    is_default?: boolean;
    /**
     * @description `inactive`: no call reaches it
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  ModelChanges: {
    /**
     * @description The provider that the address is of
     * @enum {string}
     */
    preset?:
      'openai' | 'anthropic' | 'google' | 'azure' | 'mistral' | 'groq' | 'ollama' | 'vllm' | 'litellm' | 'compatible';
    /** @description Base address of an OpenAI-compatible API, `/v1` included */
    base_url?: string;
    /** @description Name of the model at the base URL */
    upstream_model?: string;
    /** @description Stored encrypted and never shown; null: the address needs none; `********` keeps the stored one */
    api_key?: string | null;
    /** @description Default parameters; those of agents and prompts come first */
    parameters?: {
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
    /** @description Tokens that the model reads and writes at once */
    context_window?: number;
    /** @description Longest answer in tokens; null: unknown */
    max_output?: number | null;
    /** @description Whether it reads images: requests with images are refused elsewhere */
    images?: boolean;
    /** @description Whether its server fetches images from https addresses that clients name; only for servers outside your network */
    image_urls?: boolean;
    /** @description US dollars for a million tokens; a new price from now on */
    prices?: {
      /** @description US dollars for a million input tokens */
      input: number;
      /** @description US dollars for a million output tokens */
      output: number;
    } | null;
    /** @description Models that are called in turn when this one does not answer */
    fallbacks?: string[];
    /** @description Used where an agent or a request names no model */
    is_default?: boolean;
    /**
     * @description `inactive`: no call reaches it
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Never changes: agents and runs refer to it */
    name?: string;
    /** @description Ignored in requests */
    source?: unknown;
    /** @description Ignored in requests */
    health?: unknown;
  };
  MakeChangesAnswer: {
    /** @description Changes. */
    changes: {
      /** @description Kind of the record */
      kind: string;
      /**
       * @description Action.
       * @enum {string}
       */
      action: 'create' | 'update' | 'delete';
      /** @description Unique id. It never changes. */
      id: string;
      /** @description The ETag of the record; null for one that is deleted */
      etag: string | null;
    }[];
  };
  CreatedWebhook: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Absolute URL. */
    url: string;
    /** @description Description, as free text. */
    description: string;
    /** @description Types of the events to send. */
    event_types: string[];
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Reason for which it was disabled; null: not disabled. */
    disabled_reason: ('failing' | 'gone') | null;
    /** @description Time since which all attempts have failed; null: the last one succeeded. */
    failing_since: string | null;
    /** @description Time until which the previous secret is valid; null: it is not valid. */
    former_secret_until: string | null;
    /** @description Number of deliveries that wait for an attempt. */
    waiting: number;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
    /** @description Secret of the signatures. It is returned only once. */
    secret: string;
  };
  ReplayWebhookAnswer: {
    /** @description Number of deliveries that are sent again. */
    replayed: number;
    /** @description Whether more deliveries remain. */
    more: boolean;
  };
  CreatedTrigger: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /**
     * @description Kind.
     * @enum {string}
     */
    kind: 'cron' | 'webhook';
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Reason for which it was disabled; null: not disabled. */
    disabled_reason: ('owner' | 'failing') | null;
    /** @description Agent. */
    agent: string;
    /** @description Message that starts each run. */
    input: string;
    /**
     * @description Whether each run starts a new conversation or continues the same one.
     * @enum {string}
     */
    context: 'new' | 'same';
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /**
     * @description What to do when the previous run has not ended: skip, queue, or run both.
     * @enum {string}
     */
    overlap: 'skip' | 'queue' | 'allow';
    /**
     * @description What to do about scheduled times that were missed: nothing, or one run.
     * @enum {string}
     */
    missed: 'skip' | 'once';
    /** @description Cron expression of five fields; null: the trigger is started by webhooks. */
    schedule: string | null;
    /** @description IANA time zone of the schedule. */
    timezone: string | null;
    /** @description Earliest time of a firing; null: no limit. */
    starts_at: string | null;
    /** @description Latest time of a firing; null: no limit. */
    ends_at: string | null;
    /** @description Next scheduled time; null: none. */
    next_at: string | null;
    /** @description Path of the webhook on the runtime API; null for a schedule. */
    path: string | null;
    /** @description Signature scheme of the webhook requests. */
    signature: ('standard' | 'github' | 'stripe') | null;
    /** @description Time until which the previous secret is valid; null: it is not valid. */
    former_secret_until: string | null;
    /** @description Maximum cost; null: no limit. */
    budget: {
      /**
       * @description Unit of the amount: US dollars or tokens.
       * @enum {string}
       */
      unit: 'usd' | 'tokens';
      /** @description Maximum amount, in `unit`. */
      amount: number;
    } | null;
    /** @description Owner. */
    owner: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Name. */
      name: string;
    };
    /** @description Number of consecutive failures that disables the trigger. */
    max_failures: number;
    /** @description Number of consecutive failures. */
    failures: number;
    /** @description Number of firings. */
    firings: number;
    /** @description Time of the last firing; null: never. */
    last_fired_at: string | null;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Time of the last change, in UTC. */
    updated_at: string;
    /** @description Secret of the signatures. It is returned only once. */
    secret: string | null;
  };
  CreatedKey: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Start of the key, without its secret */
    prefix: string;
    /** @description Scopes of the credential. */
    scopes: string[];
    /**
     * @description Plan of the key, which sets its rate limits.
     * @enum {string}
     */
    plan: 'standard' | 'professional';
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description Expiry time; null: never. */
    expires_at: string | null;
    /** @description Time of the last use; null: never. */
    last_used_at: string | null;
    /** @description Id of the key by which it was replaced */
    successor_id: string | null;
    /** @description The key itself */
    key: string;
  };
  CreatedClient: {
    /** @description Id of an OAuth client. */
    client_id: string;
    /** @description Name. */
    name: string;
    /** @description Allowed redirect URIs. */
    redirect_uris: string[];
    /** @description Scopes of the credential. */
    scopes: string[];
    /** @description Tools of MCP servers that it may use: `*`, `server/*` or `server/tool` */
    mcp_tools: string[];
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /** @description Time of creation, in UTC. */
    created_at: string;
    /** @description When the client and its tokens end, unless it is rotated; null: never */
    expires_at: string | null;
    /** @description Time of the last use; null: never. */
    last_used_at: string | null;
    /** @description Secret of the OAuth client. It is returned only once. */
    client_secret: string;
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
  TestDraftModelAnswer: {
    /** @description Whether the call succeeded. */
    ok: boolean;
    /** @description Milliseconds until the whole answer */
    latency_ms: number;
    /** @description What the model wrote, 200 characters at most */
    answer: string | null;
    /** @description The name by which the server answered */
    upstream_model: string | null;
    /** @description Error of the call; null: the model answered */
    failure: {
      /**
       * @description Kind.
       * @enum {string}
       */
      kind: 'timeout' | 'rate_limited' | 'failed' | 'unreachable' | 'rejected' | 'garbage';
      /** @description HTTP status of the answer; null: there was none */
      status: number | null;
      /** @description Error text of the model server, without credentials */
      message: string;
      /** @description What to do */
      advice: string;
    } | null;
  };
  'listSkills.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  'listAgents.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Id of an agent: those that it may call, without itself and those that call it in the end */
    callable_by?: string;
  };
  'createAgent.item': string;
  'getAgent.item': string;
  'replaceAgent.item': string;
  'updateAgent.item': string;
  'listAgentSkills.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  'markDefaultAgent.item': string;
  'listSkillVersions.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
  };
  'getSkillVersion.item': string;
  'listAgentVersions.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
  };
  'getAgentVersion.item': string;
  'restoreAgentVersion.item': string;
  'listPlugins.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  'getPluginConfig.answer': {
    [key: string]: unknown;
  };
  'replacePluginConfig.answer': {
    [key: string]: unknown;
  };
  'listContent.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'title';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'createContent.item': string;
  'getContent.item': string;
  'replaceContent.item': string;
  'updateContent.item': string;
  'listMcpServers.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive' | 'unreachable';
  };
  'listMcpServerTools.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
  };
  'listQuarantinedTools.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
  };
  'makeChanges.item': {
    /** @description Kind of the record */
    kind: string;
    /**
     * @description Action.
     * @enum {string}
     */
    action: 'create' | 'update' | 'delete';
    /** @description Unique id. It never changes. */
    id: string;
    /** @description The ETag of the record; null for one that is deleted */
    etag: string | null;
  };
  'searchMcpRegistry.query': {
    /** @description A part of the name */
    search?: string;
    /** @description `next_cursor` of an earlier answer */
    cursor?: string;
    /**
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
  };
  'getGuards.item': string;
  'putGuards.item': string;
  'getAgentGuards.item': string;
  'putAgentGuards.item': string;
  'listWebhooks.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  'createWebhook.item': string;
  'getWebhook.item': string;
  'updateWebhook.item': string;
  'rotateWebhookSecret.item': string;
  'listWebhookDeliveries.query': {
    /**
     * @description Current state.
     * @enum {string}
     */
    state?: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** @description Value of `next_cursor` from the previous page. */
    cursor?: string;
    /**
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
  };
  'listTriggers.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  'listTriggerTimes.query': {
    /** @description Cron expression of five fields; null: the trigger is started by webhooks. */
    schedule: string;
    /**
     * @description IANA time zone of the schedule.
     * @default UTC
     */
    timezone?: string;
    /**
     * Format: date-time
     * @description Earliest time of a firing; null: no limit.
     */
    starts_at?: string;
    /**
     * Format: date-time
     * @description Latest time of a firing; null: no limit.
     */
    ends_at?: string;
  };
  'listTriggerTimes.item': string;
  'listTriggerFirings.query': {
    /**
     * @description Current state.
     * @enum {string}
     */
    state?: 'pending' | 'started' | 'completed' | 'failed' | 'canceled' | 'skipped';
    /** @description Value of `next_cursor` from the previous page. */
    cursor?: string;
    /**
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
  };
  'listBudgets.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records per page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Returns only records that contain this text. */
    search?: string;
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /**
     * @description What the budget limits.
     * @enum {string}
     */
    level?: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger';
  };
  'listBudgetSubjects.query': {
    /**
     * @description What the budget limits.
     * @enum {string}
     */
    level: 'api_key' | 'client' | 'user' | 'agent' | 'trigger';
    /** @description Returns only records that contain this text. */
    search?: string;
  };
  'createKey.item': string;
  'revokeKey.query': {
    /**
     * @description `true` allows that the key of the request revokes itself, which is otherwise a conflict
     * @default false
     * @enum {string}
     */
    self?: 'true' | 'false';
  };
  'createClient.item': string;
  'getClient.item': string;
  'updateClient.item': string;
  'rotateClientSecret.item': string;
  'whoAmI.item': string;
}
