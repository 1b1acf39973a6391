/* Made by `npm run openapi`: do not edit. */
/** Generated from docs/openapi/platform.json. */
export interface Platform {
  ApiError: {
    /** @description What went amiss. */
    error: {
      /** @description Name of the error for programs. Later releases may add names. */
      code: string;
      /** @description Sentence for people: what is wrong and what to do. */
      message: string;
      /** @description The HTTP status of the answer. */
      status: number;
    };
  };
  Skill: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description What the model reads before each conversation. */
    instructions: string;
    /** @description Parameters by name. */
    parameters: {
      [key: string]: {
        /**
         * @description Which type it is.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description The values that are accepted. */
        enum?: (string | number | boolean)[];
        /** @description Value where none is given. */
        default?: string | number | boolean;
      };
    };
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
  };
  Agent: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description Ids of the skills that it has. */
    skill_ids: string[];
    /** @description Ids of the plugins that it may use. */
    plugin_ids: string[];
    /** @description Tags of the content that it may read. */
    content_tags: string[];
    /** @description Ids of the MCP servers whose tools it may use. */
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
    /** @description What the model reads before each conversation. */
    instructions: string;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /**
     * @description What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
     * @enum {string}
     */
    on_unknown: 'ask' | 'tell' | 'fail';
    /** @description Since when an admin has stopped it; no run of it starts */
    stopped_at: string | null;
    /** @description Whether users and other agents may reach it. */
    published: boolean;
    /** @description The installation answers for this one where none is named */
    is_default: boolean;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
  };
  SkillVersion: {
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: number;
    /** @description When it happened, in UTC. */
    at: string;
    /** @description Who did it. */
    by: {
      /** @description Id of an account. */
      user_id: string;
      /**
       * @description Kind of who acted: a user, a job or a client of MCP.
       * @enum {string}
       */
      actor_kind: 'user' | 'job' | 'mcp';
      /** @description Id of who acted. */
      actor_id: string;
    };
    /** @description Fields that differ from the version before. */
    changed: string[];
    /** @description State at present. */
    state: {
      /** @description Name for people and programs. */
      name: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description What the model reads before each conversation. */
      instructions: string;
      /** @description Parameters by name. */
      parameters: {
        [key: string]: {
          /**
           * @description Which type it is.
           * @enum {string}
           */
          type: 'string' | 'integer' | 'number' | 'boolean';
          /** @description The values that are accepted. */
          enum?: (string | number | boolean)[];
          /** @description Value where none is given. */
          default?: string | number | boolean;
        };
      };
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'active' | 'inactive';
    };
  };
  AgentVersion: {
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: number;
    /** @description When it happened, in UTC. */
    at: string;
    /** @description Who did it. */
    by: {
      /** @description Id of an account. */
      user_id: string;
      /**
       * @description Kind of who acted: a user, a job or a client of MCP.
       * @enum {string}
       */
      actor_kind: 'user' | 'job' | 'mcp';
      /** @description Id of who acted. */
      actor_id: string;
    };
    /** @description Fields that differ from the version before. */
    changed: string[];
    /** @description State at present. */
    state: {
      /** @description Name for people and programs. */
      name?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Ids of the skills that it has. */
      skill_ids?: string[];
      /** @description Ids of the plugins that it may use. */
      plugin_ids?: string[];
      /** @description Tags of the content that it may read. */
      content_tags?: string[];
      /** @description Ids of the MCP servers whose tools it may use. */
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
      /** @description What the model reads before each conversation. */
      instructions?: string;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status?: 'active' | 'inactive';
      /**
       * @description What follows when the outcome of a tool's call is unknown: a person is asked, the model is told, or the run fails
       * @enum {string}
       */
      on_unknown?: 'ask' | 'tell' | 'fail';
      /** @description Whether users and other agents may reach it. */
      published?: boolean;
    };
  };
  Plugin: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: number;
    /**
     * @description Which type it is.
     * @enum {string}
     */
    type: 'tool' | 'data_source' | 'integration' | 'filter';
    /** @description Configuration of the plugin, as its `config_schema` describes. */
    config: {
      [key: string]: unknown;
    };
    /** @description JSON Schema of the configuration. */
    config_schema: {
      [key: string]: unknown;
    };
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Whether it answered the last check; null: not checked yet. */
    reachable: boolean | null;
    /** @description When it was last checked; null: never. */
    last_checked_at: string | null;
    /** @description Why the last attempt failed; null after a success. */
    last_error: string | null;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
  };
  Content: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Title for people. */
    title: string;
    /** @description Text of the content item, in Markdown. */
    body: string;
    /** @description Words to find it by. */
    tags: string[];
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
  };
  McpServer: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug: string;
    /** @description Address, absolute. */
    url: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description Headers of every request to the server, by name. */
    headers: {
      [key: string]: '********';
    };
    /** @description How calls of the server are authenticated. */
    auth:
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'none';
        }
      | {
          /**
           * @description Which type it is.
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
           * @description Which type it is.
           * @constant
           */
          type: 'client_credentials';
          /** @description Token endpoint of the authorization server. */
          token_url: string;
          /** @description Id of an OAuth client. */
          client_id: string;
          /**
           * @description Secret of the OAuth client; it is never read back.
           * @constant
           */
          client_secret: '********';
          /**
           * @description How the client proves its secret at the token endpoint.
           * @enum {string}
           */
          client_auth: 'client_secret_basic' | 'client_secret_post';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'user';
          /** @description Address of the authorization server. */
          issuer?: string;
          /** @description Id of an OAuth client. */
          client_id?: string;
          /**
           * @description Secret of the OAuth client; it is never read back.
           * @constant
           */
          client_secret?: '********';
          /**
           * @description How the client proves its secret at the token endpoint.
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        };
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive' | 'unreachable';
    /**
     * @description `streamable-http` for an MCP server, `a2a` for an agent of another system.
     * @enum {string}
     */
    transport: 'streamable-http' | 'a2a';
    /** @description How the card of an agent of another system is verified; null for an MCP server. */
    agent_card: {
      /** @description Whether the agent is used only with a validly signed card. */
      require_signature: boolean;
      /** @description Address of the keys that may sign the card; null: the one that the signature names, at the origin of the card. */
      jwks_url: string | null;
      /** @description How posts are signed, or the signature itself. */
      signature: ('verified' | 'unsigned' | 'invalid') | null;
    } | null;
    /** @description Whether tools that changed wait for an approval before they are available. */
    pin_tools: boolean;
    /** @description Number of available tools. */
    tools_count: number;
    /** @description When it last answered or was last used; null: never. */
    last_seen_at: string | null;
    /** @description Why the last attempt failed; null after a success. */
    last_error: string | null;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
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
    /** @description When the record last changed, in UTC. */
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
      /** @description E-mail address; in guards, the actions for e-mail addresses. */
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
      /** @description Name for people and programs. */
      name: string;
      /** @description The approved version */
      version: number;
      /** @description False: the plugin has changed since, or is inactive. It is not asked, and the runs end. */
      is_current: boolean;
      /** @description Values, oldest first. */
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
      /** @description E-mail address; in guards, the actions for e-mail addresses. */
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
      /** @description Name for people and programs. */
      name: string;
      /** @description The approved version */
      version: number;
      /** @description False: the plugin has changed since, or is inactive. It is not asked, and the runs end. */
      is_current: boolean;
      /** @description Values, oldest first. */
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
        /** @description E-mail address; in guards, the actions for e-mail addresses. */
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
        /** @description Name for people and programs. */
        name: string;
        /** @description The approved version */
        version: number;
        /** @description False: the plugin has changed since, or is inactive. It is not asked, and the runs end. */
        is_current: boolean;
        /** @description Values, oldest first. */
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
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Address, absolute. */
    url: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description Types of the events that are sent. */
    event_types: string[];
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Why it was disabled; null: it was not. */
    disabled_reason: ('failing' | 'gone') | null;
    /** @description Since when every attempt has failed; null: the last one succeeded. */
    failing_since: string | null;
    /** @description Until when the former secret is still valid; null: it is not. */
    former_secret_until: string | null;
    /** @description Deliveries that wait for their attempt. */
    waiting: number;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
  };
  WebhookDelivery: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description What happened. */
    event: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Which type it is. */
      type: string;
      /** @description What it is about. */
      subject: string;
      /** @description Number of the event for its subject, from 1. */
      sequence: number;
      /** @description When the record was made, in UTC. */
      created_at: string;
    };
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** @description Attempts so far. */
    attempts: number;
    /** @description When it is attempted next; null: not again. */
    next_attempt_at: string | null;
    /** @description When it was last attempted; null: never. */
    last_attempt_at: string | null;
    /** @description HTTP status of the last answer; null: there was none. */
    last_status: number | null;
    /** @description Why the last attempt failed; null after a success. */
    last_error: string | null;
    /** @description Text of the answer; null: none yet. */
    answer: string | null;
    /** @description The content. */
    data: unknown;
  };
  Trigger: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /**
     * @description Which kind it is.
     * @enum {string}
     */
    kind: 'cron' | 'webhook';
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Why it was disabled; null: it was not. */
    disabled_reason: ('owner' | 'failing') | null;
    /** @description The agent concerned. */
    agent: string;
    /** @description What it works on. */
    input: string;
    /**
     * @description Whether each run begins a conversation, or all continue one.
     * @enum {string}
     */
    context: 'new' | 'same';
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /**
     * @description What happens when the run before has not ended: skip, queue, or allow both.
     * @enum {string}
     */
    overlap: 'skip' | 'queue' | 'allow';
    /**
     * @description What happens with scheduled times that passed while nothing ran: none, or one run.
     * @enum {string}
     */
    missed: 'skip' | 'once';
    /** @description Cron expression of five fields; null: a webhook trigger. */
    schedule: string | null;
    /** @description IANA time zone of the schedule. */
    timezone: string | null;
    /** @description When it begins to fire; null: at once. */
    starts_at: string | null;
    /** @description When it ceases to fire; null: never. */
    ends_at: string | null;
    /** @description The next scheduled time; null: there is none. */
    next_at: string | null;
    /** @description Where: a path or an address below the base address. */
    path: string | null;
    /** @description How posts are signed, or the signature itself. */
    signature: ('standard' | 'github' | 'stripe') | null;
    /** @description Until when the former secret is still valid; null: it is not. */
    former_secret_until: string | null;
    /** @description The most that may be spent; null: no limit. */
    budget: {
      /**
       * @description What is counted: US dollars or tokens.
       * @enum {string}
       */
      unit: 'usd' | 'tokens';
      /** @description The most that may be spent, in `unit`. */
      amount: number;
    } | null;
    /** @description Who owns it. */
    owner: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    };
    /** @description Failures in a row after which it is disabled. */
    max_failures: number;
    /** @description Failures in a row. */
    failures: number;
    /** @description Firings so far. */
    firings: number;
    /** @description When it last fired; null: never. */
    last_fired_at: string | null;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
  };
  Budget: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description What the budget counts.
     * @enum {string}
     */
    level: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger' | 'run';
    /** @description The API key, client, user, agent, trigger or run; null for the whole project */
    subject: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    } | null;
    /**
     * @description In UTC
     * @enum {string}
     */
    period: 'day' | 'month' | 'total';
    /**
     * @description What is counted: US dollars or tokens.
     * @enum {string}
     */
    unit: 'usd' | 'tokens';
    /** @description US dollars, with six decimals at most, or tokens */
    amount: number;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description The present period, in the unit of `amount` */
    window: {
      /** @description First day in UTC; null: the budget has no periods */
      starts_on: string | null;
      /** @description First day of the next period */
      ends_on: string | null;
      /** @description What was spent in the period, in `unit`. */
      spent: number;
      /** @description What calls under way may still spend */
      reserved: number;
    };
    /** @description Runs of agents that wait for it; 1,000 at most are counted */
    waiting_runs: number;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
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
    /** @description Null without the scope `admin`, and for the built-in offline model */
    base_url: string | null;
    /** @description The name at the base address */
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
    /** @description Whether it reads images */
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
     * @description State of the record.
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
      /** @description When it last answered, to within a minute */
      last_success_at: string | null;
      /** @description The latest failure, also when a later call succeeded */
      last_failure: {
        /** @description When it happened, in UTC. */
        at: string;
        /**
         * @description Which kind it is.
         * @enum {string}
         */
        kind: 'timeout' | 'rate_limited' | 'failed' | 'unreachable' | 'rejected' | 'garbage';
        /** @description HTTP status of the answer; null: there was none */
        status: number | null;
        /** @description The server's own words, without credentials; null without the scope `admin` */
        message: string | null;
      } | null;
    };
    /** @description When the record was made, in UTC. */
    created_at: string | null;
    /** @description When the record last changed, in UTC. */
    updated_at: string | null;
  };
  McpServerTool: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description JSON Schema of the arguments. */
    input_schema: {
      [key: string]: unknown;
    };
  };
  QuarantinedTool: {
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description The reason, in a few words.
     * @enum {string}
     */
    reason: 'new' | 'changed' | 'removed';
    /** @description SHA-256 of the definition, hexadecimal. */
    hash: string | null;
    /** @description As an admin approved it; null: it never was. */
    approved: {
      /** @description Purpose of the record. */
      description: string;
      /** @description JSON Schema of the arguments. */
      input_schema: {
        [key: string]: unknown;
      };
      /** @description Title for people. */
      title?: string;
      /** @description Hints or notes of whoever wrote it. */
      annotations?: {
        [key: string]: unknown;
      };
      /** @description JSON Schema of the output. */
      output_schema?: {
        [key: string]: unknown;
      };
      /** @description Members of the definition that the protocol does not name. */
      other_members?: {
        [key: string]: unknown;
      };
    } | null;
    /** @description Whether it is in use now, or what the server sends now. */
    current: {
      /** @description Purpose of the record. */
      description: string;
      /** @description JSON Schema of the arguments. */
      input_schema: {
        [key: string]: unknown;
      };
      /** @description Title for people. */
      title?: string;
      /** @description Hints or notes of whoever wrote it. */
      annotations?: {
        [key: string]: unknown;
      };
      /** @description JSON Schema of the output. */
      output_schema?: {
        [key: string]: unknown;
      };
      /** @description Members of the definition that the protocol does not name. */
      other_members?: {
        [key: string]: unknown;
      };
    } | null;
    /** @description Each difference between the two, by path. */
    difference: {
      /** @description Where: a path or an address below the base address. */
      path: string;
      /** @description As an admin approved it; null: it never was. */
      approved?: unknown;
      /** @description Whether it is in use now, or what the server sends now. */
      current?: unknown;
    }[];
  };
  McpRegistrySummary: {
    /** @description The name in the registry, with its namespace */
    name: string;
    /** @description Title for people. */
    title: string | null;
    /** @description Purpose of the record. */
    description: string;
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: string;
    /** @description Whether its author advises against it */
    is_deprecated: boolean;
    /** @description One for each remote address by Streamable HTTP; empty for servers that only run locally */
    drafts: {
      /** @description Name for people and programs. */
      name: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description The address by Streamable HTTP; `{name}` in it stands for a value to enter */
      url: string;
      /** @description Headers of every request to the server, by name. */
      headers: {
        /** @description Name for people and programs. */
        name: string;
        /** @description What the registry proposes; `{name}` in it stands for a value to enter */
        value: string;
        /** @description Purpose of the record. */
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
        /** @description Purpose of the record. */
        description: string;
        /** @description Whether the server needs it */
        is_required: boolean;
        /** @description Whether its value is a secret */
        is_secret: boolean;
        /** @description The answers; there is one. */
        choices: string[];
      }[];
    }[];
  };
  ToolRule: {
    /** @description Name for people and programs. */
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
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description What happened. */
    event: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Which type it is. */
      type: string;
      /** @description What it is about. */
      subject: string;
      /** @description Number of the event for its subject, from 1. */
      sequence: number;
      /** @description When the record was made, in UTC. */
      created_at: string;
    };
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** @description Attempts so far. */
    attempts: number;
    /** @description When it is attempted next; null: not again. */
    next_attempt_at: string | null;
    /** @description When it was last attempted; null: never. */
    last_attempt_at: string | null;
    /** @description HTTP status of the last answer; null: there was none. */
    last_status: number | null;
    /** @description Why the last attempt failed; null after a success. */
    last_error: string | null;
    /** @description Text of the answer; null: none yet. */
    answer: string | null;
  };
  TriggerFiring: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Number of the firing, from 1. */
    number: number;
    /**
     * @description Where it comes from.
     * @enum {string}
     */
    source: 'schedule' | 'webhook' | 'test';
    /** @description When it happened, in UTC. */
    at: string;
    /**
     * @description State at present.
     * @enum {string}
     */
    state: 'pending' | 'started' | 'completed' | 'failed' | 'canceled' | 'skipped';
    /** @description The reason, in a few words. */
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
    /** @description What it works on. */
    input: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When it ended, in UTC; null: not yet. */
    ended_at: string | null;
  };
  BudgetSubject: {
    /** @description For `subject_id` of a new budget */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Tells subjects of one name apart: an owner, an address, a slug */
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
    /** @description Whether it is valid now. */
    is_current: boolean;
    /** @description When the record was made, in UTC. */
    created_at: string | null;
  };
  Key: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Start of the key, without its secret */
    prefix: string;
    /** @description What the credential may do. */
    scopes: string[];
    /**
     * @description Limits of requests: the plan of the key.
     * @enum {string}
     */
    plan: 'standard' | 'professional';
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When it ceases to be valid; null: never. */
    expires_at: string | null;
    /** @description When it was last used; null: never. */
    last_used_at: string | null;
    /** @description Id of the key by which it was replaced */
    successor_id: string | null;
  };
  ModelPreset: {
    /**
     * @description Id of the record; it never changes.
     * @enum {string}
     */
    id: 'openai' | 'anthropic' | 'google' | 'azure' | 'mistral' | 'groq' | 'ollama' | 'vllm' | 'litellm' | 'compatible';
    /** @description Name for people and programs. */
    name: string;
    /** @description A part in capitals is to be replaced; null: of your own */
    base_url: string | null;
    /** @description Whether the provider requires an API key */
    needs_key: boolean;
    /** @description The provider's list of its models */
    models_url: string | null;
  };
  SkillList: {
    /** @description The records of this page. */
    items: Platform['Skill'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  AgentList: {
    /** @description The records of this page. */
    items: Platform['Agent'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  SkillVersionList: {
    /** @description The records of this page. */
    items: Platform['SkillVersion'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  AgentVersionList: {
    /** @description The records of this page. */
    items: Platform['AgentVersion'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  PluginList: {
    /** @description The records of this page. */
    items: Platform['Plugin'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  ContentList: {
    /** @description The records of this page. */
    items: Platform['Content'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  McpServerList: {
    /** @description The records of this page. */
    items: Platform['McpServer'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  McpServerToolList: {
    /** @description The records of this page. */
    items: Platform['McpServerTool'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  QuarantinedToolList: {
    /** @description The records of this page. */
    items: Platform['QuarantinedTool'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  McpRegistryList: {
    /** @description The records of this page. */
    items: Platform['McpRegistrySummary'][];
    /** @description Entries of the page that are malformed or too large */
    skipped: number;
    /** @description Leads on; null at the end */
    next_cursor: string | null;
    /** @description Why the registry gave no entries; null: it answered */
    error: string | null;
  };
  ToolRuleList: {
    /** @description The records of this page. */
    items: Platform['ToolRule'][];
  };
  WebhookList: {
    /** @description The records of this page. */
    items: Platform['Webhook'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  WebhookDeliveryList: {
    /** @description The records of this page. */
    items: Platform['WebhookDeliverySummary'][];
    /** @description Cursor of the next page; null on the last one. */
    next_cursor: string | null;
  };
  TriggerList: {
    /** @description The records of this page. */
    items: Platform['Trigger'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  TriggerTimeList: {
    /** @description Times in UTC, earliest first. */
    times: string[];
  };
  TriggerFiringList: {
    /** @description The records of this page. */
    items: Platform['TriggerFiring'][];
    /** @description Cursor of the next page; null on the last one. */
    next_cursor: string | null;
  };
  BudgetList: {
    /** @description The records of this page. */
    items: Platform['Budget'][];
    /** @description Number of records in all pages. */
    total: number;
    /** @description Number of the page, from 1. */
    page: number;
    /** @description Records on a page. */
    per_page: number;
  };
  OwnBudgetList: {
    /** @description The records of this page. */
    items: Platform['Budget'][];
  };
  BudgetSubjectList: {
    /** @description The records of this page. */
    items: Platform['BudgetSubject'][];
  };
  ModelPriceList: {
    /** @description The records of this page. */
    items: Platform['ModelPrice'][];
    /** @description Models, by name or with their figures. */
    models: string[];
  };
  KeyList: {
    /** @description The records of this page. */
    items: Platform['Key'][];
  };
  ModelList: {
    /** @description The records of this page. */
    items: Platform['Model'][];
  };
  ModelPresetList: {
    /** @description The records of this page. */
    items: Platform['ModelPreset'][];
  };
  NewSkill: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description What the model reads before each conversation. */
    instructions: string;
    /**
     * @description Parameters by name.
     * @default {}
     */
    parameters?: {
      [key: string]: {
        /**
         * @description Which type it is.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description The values that are accepted. */
        enum?: (string | number | boolean)[];
        /** @description Value where none is given. */
        default?: string | number | boolean;
      };
    };
  };
  SkillReplacement: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description What the model reads before each conversation. */
    instructions: string;
    /**
     * @description Parameters by name.
     * @default {}
     */
    parameters?: {
      [key: string]: {
        /**
         * @description Which type it is.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description The values that are accepted. */
        enum?: (string | number | boolean)[];
        /** @description Value where none is given. */
        default?: string | number | boolean;
      };
    };
    /**
     * @description State of the record.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  SkillChanges: {
    /** @description Name for people and programs. */
    name?: string;
    /** @description Purpose of the record. */
    description?: string;
    /** @description What the model reads before each conversation. */
    instructions?: string;
    /** @description Parameters by name. */
    parameters?: {
      [key: string]: {
        /**
         * @description Which type it is.
         * @enum {string}
         */
        type: 'string' | 'integer' | 'number' | 'boolean';
        /** @description The values that are accepted. */
        enum?: (string | number | boolean)[];
        /** @description Value where none is given. */
        default?: string | number | boolean;
      };
    };
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  NewAgent: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
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
    /** @description Whether users and other agents may reach it. */
    published?: boolean;
  };
  AgentReplacement: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
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
    /** @description Whether users and other agents may reach it. */
    published?: boolean;
    /**
     * @description State of the record.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug?: string;
    /** @description Whether it answers where no agent is named. */
    is_default?: boolean;
    /** @description When it was stopped; null: it works. */
    stopped_at?: string | null;
  };
  AgentChanges: {
    /** @description Name for people and programs. */
    name?: string;
    /** @description Purpose of the record. */
    description?: string;
    /** @description Ids of the skills that it has. */
    skill_ids?: string[];
    /** @description Ids of the plugins that it may use. */
    plugin_ids?: string[];
    /** @description Tags of the content that it may read. */
    content_tags?: string[];
    /** @description Ids of the MCP servers whose tools it may use. */
    mcp_server_ids?: string[];
    /** @description Ids of the agents that it may call. */
    agent_ids?: string[];
    /** @description Tools of MCP servers that it may use, as `server/tool` or `server/*`. */
    mcp_tools?: string[];
    /** @description Tools that wait for the approval of a person. */
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
    /** @description What the model reads before each conversation. */
    instructions?: string;
    /**
     * @description What happens when the outcome of a tool call is unknown: a person is asked, the model is told, or the run fails.
     * @enum {string}
     */
    on_unknown?: 'ask' | 'tell' | 'fail';
    /** @description Whether users and other agents may reach it. */
    published?: boolean;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug?: string;
    /** @description Whether it answers where no agent is named. */
    is_default?: boolean;
    /** @description When it was stopped; null: it works. */
    stopped_at?: string | null;
  };
  AssignSkillRequest: {
    /** @description Id of a skill. */
    skill_id: string;
  };
  NewPlugin: {
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description Purpose of the record.
     * @default
     */
    description?: string;
    /**
     * @description Which type it is.
     * @enum {string}
     */
    type: 'tool' | 'data_source' | 'integration' | 'filter';
    /** @description Configuration of the plugin, as its `config_schema` describes. */
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
    /** @description Name for people and programs. */
    name?: string;
    /** @description Purpose of the record. */
    description?: string;
    /**
     * @description Which type it is.
     * @enum {string}
     */
    type?: 'tool' | 'data_source' | 'integration' | 'filter';
    /** @description Configuration of the plugin, as its `config_schema` describes. */
    config?: {
      [key: string]: unknown;
    };
    /** @description JSON Schema of the configuration. */
    config_schema?: {
      [key: string]: unknown;
    };
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version?: unknown;
    /** @description Whether it answered the last check; null: not checked yet. */
    reachable?: unknown;
    /** @description When it was last checked; null: never. */
    last_checked_at?: unknown;
    /** @description Why the last attempt failed; null after a success. */
    last_error?: unknown;
  };
  PluginConfigReplacement: {
    [key: string]: unknown;
  };
  NewContent: {
    /** @description Title for people. */
    title: string;
    /** @description Text of the content item, in Markdown. */
    body: string;
    /**
     * @description Words to find it by.
     * @default []
     */
    tags?: string[];
  };
  ContentReplacement: {
    /** @description Title for people. */
    title: string;
    /** @description Text of the content item, in Markdown. */
    body: string;
    /**
     * @description Words to find it by.
     * @default []
     */
    tags?: string[];
    /**
     * @description State of the record.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  ContentChanges: {
    /** @description Title for people. */
    title?: string;
    /** @description Text of the content item, in Markdown. */
    body?: string;
    /** @description Words to find it by. */
    tags?: string[];
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  NewMcpServer: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Address, absolute. */
    url: string;
    /**
     * @description Purpose of the record.
     * @default
     */
    description?: string;
    /** @description Headers of every request to the server, by name. */
    headers?: {
      [key: string]: string;
    };
    /**
     * @description How calls of the server are authenticated.
     * @default {
     *       "type": "none"
     *     }
     */
    auth?:
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'none';
        }
      | {
          /**
           * @description Which type it is.
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
           * @description Which type it is.
           * @constant
           */
          type: 'client_credentials';
          /** @description Token endpoint of the authorization server. */
          token_url: string;
          /** @description Id of an OAuth client. */
          client_id: string;
          /** @description Secret of the OAuth client; it is never read back. */
          client_secret: string;
          /**
           * @description How the client proves its secret at the token endpoint.
           * @default client_secret_basic
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'user';
          /** @description Address of the authorization server. */
          issuer?: string;
          /** @description Id of an OAuth client. */
          client_id?: string;
          /** @description Secret of the OAuth client; it is never read back. */
          client_secret?: string;
          /**
           * @description How the client proves its secret at the token endpoint.
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        };
    /** @description How the card of an agent of another system is verified; null for an MCP server. */
    agent_card?: {
      /**
       * @description Whether the agent is used only with a validly signed card.
       * @default false
       */
      require_signature?: boolean;
      /**
       * @description Address of the keys that may sign the card; null: the one that the signature names, at the origin of the card.
       * @default null
       */
      jwks_url?: string | null;
      /** @description How posts are signed, or the signature itself. */
      signature?: unknown;
    } | null;
    /**
     * @description Whether tools that changed wait for an approval before they are available.
     * @default true
     */
    pin_tools?: boolean;
    /**
     * @description `streamable-http` for an MCP server, `a2a` for an agent of another system.
     * @default streamable-http
     * @enum {string}
     */
    transport?: 'streamable-http' | 'a2a';
  };
  McpServerChanges: {
    /** @description Name for people and programs. */
    name?: string;
    /** @description Address, absolute. */
    url?: string;
    /** @description Purpose of the record. */
    description?: string;
    /** @description Headers of every request to the server, by name. */
    headers?: {
      [key: string]: string;
    };
    /** @description How calls of the server are authenticated. */
    auth?:
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'none';
        }
      | {
          /**
           * @description Which type it is.
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
           * @description Which type it is.
           * @constant
           */
          type: 'client_credentials';
          /** @description Token endpoint of the authorization server. */
          token_url: string;
          /** @description Id of an OAuth client. */
          client_id: string;
          /** @description Secret of the OAuth client; it is never read back. */
          client_secret: string;
          /**
           * @description How the client proves its secret at the token endpoint.
           * @default client_secret_basic
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        }
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'user';
          /** @description Address of the authorization server. */
          issuer?: string;
          /** @description Id of an OAuth client. */
          client_id?: string;
          /** @description Secret of the OAuth client; it is never read back. */
          client_secret?: string;
          /**
           * @description How the client proves its secret at the token endpoint.
           * @enum {string}
           */
          client_auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
          /** @description OAuth scopes, separated by spaces. */
          scope?: string;
        };
    /** @description How the card of an agent of another system is verified; null for an MCP server. */
    agent_card?: {
      /**
       * @description Whether the agent is used only with a validly signed card.
       * @default false
       */
      require_signature?: boolean;
      /**
       * @description Address of the keys that may sign the card; null: the one that the signature names, at the origin of the card.
       * @default null
       */
      jwks_url?: string | null;
      /** @description How posts are signed, or the signature itself. */
      signature?: unknown;
    } | null;
    /** @description Whether tools that changed wait for an approval before they are available. */
    pin_tools?: boolean;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive' | 'unreachable';
    /** @description Name in addresses: lower-case letters, digits and hyphens. */
    slug?: unknown;
    /** @description `streamable-http` for an MCP server, `a2a` for an agent of another system. */
    transport?: unknown;
    /** @description Number of available tools. */
    tools_count?: unknown;
    /** @description When it last answered or was last used; null: never. */
    last_seen_at?: unknown;
    /** @description Why the last attempt failed; null after a success. */
    last_error?: unknown;
  };
  ApproveToolRequest: {
    /** @description SHA-256 of the definition, hexadecimal. */
    hash: string;
  };
  MakeChangesRequest: {
    /** @description Fields that differ. */
    changes: (
      | (
          | {
              /**
               * @description Which kind it is.
               * @constant
               */
              kind: 'skill';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'skill';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'skill';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'content';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'content';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'content';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'mcp_server';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'mcp_server';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'mcp_server';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'agent';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'agent';
              /**
               * @description What was done or attempted.
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
               * @description Which kind it is.
               * @constant
               */
              kind: 'agent';
              /**
               * @description What was done or attempted.
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
     * @description What holds for tools without a rule of their own.
     * @enum {string}
     */
    unmarked_tools: 'allow' | 'ask_when_tainted' | 'ask';
    /**
     * @description Whether someone else than the requester has to decide.
     * @default false
     */
    other_decider?: boolean;
  };
  ToolRulesReplacement: {
    /** @description The rules to set. */
    rules: {
      /** @description Name for people and programs. */
      name: string;
      /** @description SHA-256 of the definition, hexadecimal. */
      hash: string;
      /** @description Whether calls are allowed, ask for an approval, or are denied; null: the policy of the project holds. */
      rule: ('allow' | 'ask' | 'deny') | null;
      /**
       * @description Whether someone else than the requester has to decide.
       * @default false
       */
      other_decider?: boolean;
      /** @description A call may be repeated when its outcome is unknown; left out, the mark stays as it is */
      repeatable?: boolean;
    }[];
  };
  PluginRuleReplacement: {
    /** @description Whether calls are allowed, ask for an approval, or are denied; null: the policy of the project holds. */
    rule: ('allow' | 'ask' | 'deny') | null;
    /**
     * @description Whether someone else than the requester has to decide.
     * @default false
     */
    other_decider?: boolean;
    /** @description A call may be repeated when its outcome is unknown; left out, the mark stays as it is */
    repeatable?: boolean;
  };
  AgentRuleReplacement: {
    /** @description Whether calls are allowed, ask for an approval, or are denied; null: the policy of the project holds. */
    rule: ('allow' | 'ask' | 'deny') | null;
    /**
     * @description Whether someone else than the requester has to decide.
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
      /** @description E-mail address; in guards, the actions for e-mail addresses. */
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
      /** @description Values, oldest first. */
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
    /** @description Name for people and programs. */
    name: string;
    /** @description Address, absolute. */
    url: string;
    /**
     * @description Purpose of the record.
     * @default
     */
    description?: string;
    /**
     * @description Types of the events that are sent.
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
    /** @description Name for people and programs. */
    name?: string;
    /** @description Address, absolute. */
    url?: string;
    /** @description Purpose of the record. */
    description?: string;
    /** @description Types of the events that are sent. */
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
     * @description State of the record.
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
     * @description Whether delivered events are sent again as well.
     * @default false
     */
    delivered?: boolean;
  };
  NewTrigger: {
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description Purpose of the record.
     * @default
     */
    description?: string;
    /** @description The agent concerned. */
    agent: string;
    /** @description What it works on. */
    input: string;
    /**
     * @description Whether each run begins a conversation, or all continue one.
     * @default new
     * @enum {string}
     */
    context?: 'new' | 'same';
    /**
     * @description What happens when the run before has not ended: skip, queue, or allow both.
     * @enum {string}
     */
    overlap?: 'skip' | 'queue' | 'allow';
    /**
     * @description What happens with scheduled times that passed while nothing ran: none, or one run.
     * @default skip
     * @enum {string}
     */
    missed?: 'skip' | 'once';
    /** @description Cron expression of five fields; null: a webhook trigger. */
    schedule?: string;
    /** @description IANA time zone of the schedule. */
    timezone?: string;
    /** @description When it begins to fire; null: at once. */
    starts_at?: string | null;
    /** @description When it ceases to fire; null: never. */
    ends_at?: string | null;
    /**
     * @description How posts are signed, or the signature itself.
     * @enum {string}
     */
    signature?: 'standard' | 'github' | 'stripe';
    /**
     * @description The most that may be spent; null: no limit.
     * @default null
     */
    budget?:
      | (
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
            }
        )
      | null;
    /**
     * @description Failures in a row after which it is disabled.
     * @default 10
     */
    max_failures?: number;
    /**
     * @description Which kind it is.
     * @enum {string}
     */
    kind: 'cron' | 'webhook';
    /** @description The secret of signatures, in this answer only. */
    secret?: string;
  };
  TriggerChanges: {
    /** @description Name for people and programs. */
    name?: string;
    /** @description Purpose of the record. */
    description?: string;
    /** @description The agent concerned. */
    agent?: string;
    /** @description What it works on. */
    input?: string;
    /**
     * @description Whether each run begins a conversation, or all continue one.
     * @enum {string}
     */
    context?: 'new' | 'same';
    /**
     * @description What happens when the run before has not ended: skip, queue, or allow both.
     * @enum {string}
     */
    overlap?: 'skip' | 'queue' | 'allow';
    /**
     * @description What happens with scheduled times that passed while nothing ran: none, or one run.
     * @enum {string}
     */
    missed?: 'skip' | 'once';
    /** @description Cron expression of five fields; null: a webhook trigger. */
    schedule?: string;
    /** @description IANA time zone of the schedule. */
    timezone?: string;
    /** @description When it begins to fire; null: at once. */
    starts_at?: string | null;
    /** @description When it ceases to fire; null: never. */
    ends_at?: string | null;
    /**
     * @description How posts are signed, or the signature itself.
     * @enum {string}
     */
    signature?: 'standard' | 'github' | 'stripe';
    /** @description The most that may be spent; null: no limit. */
    budget?:
      | (
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
            }
        )
      | null;
    /** @description Failures in a row after which it is disabled. */
    max_failures?: number;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /** @description Your own id: you become the owner of the trigger. */
    owner_id?: string;
  };
  RotateTriggerSecretRequest: {
    /** @description The secret of signatures, in this answer only. */
    secret?: string;
  };
  FireTriggerRequest: {
    /** @description Text of the content item, in Markdown. */
    body?: string;
  };
  NewBudget: {
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description What the budget counts.
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
     * @description What is counted: US dollars or tokens.
     * @enum {string}
     */
    unit: 'usd' | 'tokens';
    /** @description US dollars, with six decimals at most, or tokens */
    amount: number;
    /**
     * @description State of the record.
     * @default active
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  BudgetChanges: {
    /** @description Name for people and programs. */
    name?: string;
    /** @description The most that may be spent, in `unit`. */
    amount?: number;
    /**
     * @description State of the record.
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
    /** @description Name for people and programs. */
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
  NewModel: {
    /** @description Name for people and programs. */
    name: string;
    /**
     * @description The provider that the address is of
     * @enum {string}
     */
    preset:
      'openai' | 'anthropic' | 'google' | 'azure' | 'mistral' | 'groq' | 'ollama' | 'vllm' | 'litellm' | 'compatible';
    /** @description Default: the preset's, where it has one */
    base_url?: string;
    /** @description Default: the name */
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
    /** @description The name at the base address */
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
    /** @description Ignored */
    source?: unknown;
    /** @description Ignored */
    health?: unknown;
  };
  MakeChangesAnswer: {
    /** @description Fields that differ. */
    changes: {
      /** @description Kind of the record */
      kind: string;
      /**
       * @description What was done or attempted.
       * @enum {string}
       */
      action: 'create' | 'update' | 'delete';
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description The ETag of the record; null for one that is deleted */
      etag: string | null;
    }[];
  };
  CreatedWebhook: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Address, absolute. */
    url: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description Types of the events that are sent. */
    event_types: string[];
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Why it was disabled; null: it was not. */
    disabled_reason: ('failing' | 'gone') | null;
    /** @description Since when every attempt has failed; null: the last one succeeded. */
    failing_since: string | null;
    /** @description Until when the former secret is still valid; null: it is not. */
    former_secret_until: string | null;
    /** @description Deliveries that wait for their attempt. */
    waiting: number;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
    /** @description The secret of signatures, in this answer only. */
    secret: string;
  };
  ReplayWebhookAnswer: {
    /** @description Number of deliveries that wait again. */
    replayed: number;
    /** @description Whether further ones are left. */
    more: boolean;
  };
  CreatedTrigger: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /**
     * @description Which kind it is.
     * @enum {string}
     */
    kind: 'cron' | 'webhook';
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'active' | 'inactive';
    /** @description Why it was disabled; null: it was not. */
    disabled_reason: ('owner' | 'failing') | null;
    /** @description The agent concerned. */
    agent: string;
    /** @description What it works on. */
    input: string;
    /**
     * @description Whether each run begins a conversation, or all continue one.
     * @enum {string}
     */
    context: 'new' | 'same';
    /** @description Id of a conversation with an agent. */
    context_id: string | null;
    /**
     * @description What happens when the run before has not ended: skip, queue, or allow both.
     * @enum {string}
     */
    overlap: 'skip' | 'queue' | 'allow';
    /**
     * @description What happens with scheduled times that passed while nothing ran: none, or one run.
     * @enum {string}
     */
    missed: 'skip' | 'once';
    /** @description Cron expression of five fields; null: a webhook trigger. */
    schedule: string | null;
    /** @description IANA time zone of the schedule. */
    timezone: string | null;
    /** @description When it begins to fire; null: at once. */
    starts_at: string | null;
    /** @description When it ceases to fire; null: never. */
    ends_at: string | null;
    /** @description The next scheduled time; null: there is none. */
    next_at: string | null;
    /** @description Where: a path or an address below the base address. */
    path: string | null;
    /** @description How posts are signed, or the signature itself. */
    signature: ('standard' | 'github' | 'stripe') | null;
    /** @description Until when the former secret is still valid; null: it is not. */
    former_secret_until: string | null;
    /** @description The most that may be spent; null: no limit. */
    budget: {
      /**
       * @description What is counted: US dollars or tokens.
       * @enum {string}
       */
      unit: 'usd' | 'tokens';
      /** @description The most that may be spent, in `unit`. */
      amount: number;
    } | null;
    /** @description Who owns it. */
    owner: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Name for people and programs. */
      name: string;
    };
    /** @description Failures in a row after which it is disabled. */
    max_failures: number;
    /** @description Failures in a row. */
    failures: number;
    /** @description Firings so far. */
    firings: number;
    /** @description When it last fired; null: never. */
    last_fired_at: string | null;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When the record last changed, in UTC. */
    updated_at: string;
    /** @description The secret of signatures, in this answer only. */
    secret: string | null;
  };
  CreatedKey: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Start of the key, without its secret */
    prefix: string;
    /** @description What the credential may do. */
    scopes: string[];
    /**
     * @description Limits of requests: the plan of the key.
     * @enum {string}
     */
    plan: 'standard' | 'professional';
    /** @description `Core`, `Commerce`, or the id of a project that a platform admin made */
    project: string;
    /** @description When the record was made, in UTC. */
    created_at: string;
    /** @description When it ceases to be valid; null: never. */
    expires_at: string | null;
    /** @description When it was last used; null: never. */
    last_used_at: string | null;
    /** @description Id of the key by which it was replaced */
    successor_id: string | null;
    /** @description The key itself */
    key: string;
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
    /** @description Null: the model answered */
    failure: {
      /**
       * @description Which kind it is.
       * @enum {string}
       */
      kind: 'timeout' | 'rate_limited' | 'failed' | 'unreachable' | 'rejected' | 'garbage';
      /** @description HTTP status of the answer; null: there was none */
      status: number | null;
      /** @description The server's own words, without credentials */
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
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
     * @description Records on a page.
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
     * @description Records on a page.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'title';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
  };
  'listQuarantinedTools.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
  };
  'makeChanges.item': {
    /** @description Kind of the record */
    kind: string;
    /**
     * @description What was done or attempted.
     * @enum {string}
     */
    action: 'create' | 'update' | 'delete';
    /** @description Id of the record; it never changes. */
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
     * @description The most records on a page.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
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
     * @description State at present.
     * @enum {string}
     */
    state?: 'pending' | 'delivered' | 'failed' | 'skipped';
    /** @description The `next_cursor` of the page before. */
    cursor?: string;
    /**
     * @description The most records on a page.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
  };
  'listTriggerTimes.query': {
    /** @description Cron expression of five fields; null: a webhook trigger. */
    schedule: string;
    /**
     * @description IANA time zone of the schedule.
     * @default UTC
     */
    timezone?: string;
    /**
     * Format: date-time
     * @description When it begins to fire; null: at once.
     */
    starts_at?: string;
    /**
     * Format: date-time
     * @description When it ceases to fire; null: never.
     */
    ends_at?: string;
  };
  'listTriggerTimes.item': string;
  'listTriggerFirings.query': {
    /**
     * @description State at present.
     * @enum {string}
     */
    state?: 'pending' | 'started' | 'completed' | 'failed' | 'canceled' | 'skipped';
    /** @description The `next_cursor` of the page before. */
    cursor?: string;
    /**
     * @description The most records on a page.
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
     * @description Records on a page.
     * @default 20
     */
    per_page?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created_at
     * @enum {string}
     */
    sort?: 'created_at' | 'updated_at' | 'name';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Records that contain this text. */
    search?: string;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'active' | 'inactive';
    /**
     * @description What the budget counts.
     * @enum {string}
     */
    level?: 'project' | 'api_key' | 'client' | 'user' | 'agent' | 'trigger';
  };
  'listBudgetSubjects.query': {
    /**
     * @description What the budget counts.
     * @enum {string}
     */
    level: 'api_key' | 'client' | 'user' | 'agent' | 'trigger';
    /** @description Records that contain this text. */
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
  'whoAmI.item': string;
}
