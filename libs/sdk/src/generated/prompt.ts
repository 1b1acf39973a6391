/* Made by `npm run openapi`: do not edit. */
/** Generated from docs/openapi/prompt.json. */
export interface Prompt {
  ApiError: {
    /** @description What went amiss. */
    error: {
      /** @description Name of the error for programs. Later releases may add names. */
      code: string;
      /** @description Sentence for people: what is wrong and what to do. */
      message: string;
      /** @description The HTTP status of the answer. */
      status: number;
      /** @description Kind of the error, as in OpenAI's API. */
      type: string;
      /** @description The field at fault; null when no field is. */
      param: string | null;
    };
    /** @description Sentence for people: what is wrong and what to do. */
    message: string;
  };
  Prompt: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description The three parts of the instructions. */
    instruction: {
      /** @description Part that is the same in every run. */
      static: string;
      /** @description Part about the present state, which each run fills. */
      state: string;
      /** @description Part with variables, which each run fills. */
      dynamic: string;
    };
    /** @description What it works on. */
    input: Prompt['Definition'];
    /** @description What it produces. */
    output: Prompt['Definition'];
    /** @description Parameters of the model's calls, in front of the model's own defaults. */
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
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description Address of the record. */
    _link: string;
  };
  /** Definition */
  Definition: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Name for people and programs. */
    name: string;
    /** @description Purpose of the record. */
    description: string;
    /** @description Which type it is. */
    type: string | string[];
    /** @description Records that it refers to. */
    reference: {
      /** @description Id of the record, a UUID. */
      uuid: string;
      /** @description Address of the record. */
      link: string;
      /**
       * @description Which type it is.
       * @enum {string}
       */
      type: 'input' | 'output';
    }[];
    /** @description JSON Schema of the data. */
    schema: {
      [key: string]: unknown;
    };
  };
  PromptVersionUsage: {
    /** @description A prompt, by id or with its version and variables. */
    prompt: string;
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: number;
    /** @description The runs, or their number. */
    runs: number;
    /** @description What was used. */
    usage: {
      /** @description Tokens that the model read; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens that the model wrote; null: unknown. */
      completion_tokens: number;
      /** @description Tokens that were read and written. */
      total_tokens: number;
    };
    /** @description Cost in US dollars; null while no price is known. */
    cost_usd: number | null;
    /** @description Runs whose price is not known */
    unpriced_runs: number;
    /** @description Runs with tokens that are estimated: the model sent no count, or an answer was cut off */
    estimated_runs: number;
    /** @description The last run; null: never. */
    last_run: string | null;
    /** @description Models, by name or with their figures. */
    models: {
      /** @description Name of a language model. */
      model: string;
      /** @description The runs, or their number. */
      runs: number;
      /** @description What was used. */
      usage: {
        /** @description Tokens that the model read; null: unknown. */
        prompt_tokens: number;
        /** @description Tokens that the model wrote; null: unknown. */
        completion_tokens: number;
        /** @description Tokens that were read and written. */
        total_tokens: number;
      };
      /** @description Cost in US dollars; null while no price is known. */
      cost_usd: number | null;
      /** @description Runs whose price is not known */
      unpriced_runs: number;
      /** @description Runs with tokens that are estimated: the model sent no count, or an answer was cut off */
      estimated_runs: number;
    }[];
  };
  Model: {
    /** @description The name to send as `model` */
    id: string;
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'model';
    /** @description Unix time in seconds; 0 for a configured model */
    created: number;
    /**
     * @description What the name stands for
     * @enum {string}
     */
    owned_by: 'model' | 'agent' | 'prompt';
    /** @description Name for people */
    name: string;
  };
  /** ModelResponse */
  ModelResponse: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'response';
    /** @description When the record was made, in UTC. */
    created_at: number;
    /** @description When it was completed; null: not yet. */
    completed_at: number | null;
    /**
     * @description State of the record.
     * @enum {string}
     */
    status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
    /** @description Whether the response is made in the background. */
    background: boolean;
    /** @description What failed; null or absent: nothing. */
    error: {
      /** @description Name of the fault for programs; it stays the same in later releases. */
      code: string;
      /** @description Sentence for people. */
      message: string;
    } | null;
    /** @description Why the answer is incomplete; null: it is complete. */
    incomplete_details: {
      /**
       * @description The reason, in a few words.
       * @enum {string}
       */
      reason: 'max_output_tokens' | 'content_filter';
    } | null;
    /** @description What the model reads before each conversation. */
    instructions: string | null;
    /** @description The most tokens to write; null: the limit of the model. */
    max_output_tokens: number | null;
    /** @description Additional data. */
    metadata: {
      [key: string]: string;
    };
    /** @description Name of a language model. */
    model: string;
    /** @description What it produces. */
    output: (
      | {
          /** @description Id of the record; it never changes. */
          id: string;
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'message';
          /**
           * @description Who speaks, or the role of the account.
           * @constant
           */
          role: 'assistant';
          /**
           * @description State of the record.
           * @enum {string}
           */
          status: 'in_progress' | 'completed' | 'incomplete';
          /** @description The text, or what is stored of it. */
          content: (
            | {
                /**
                 * @description Which type it is.
                 * @constant
                 */
                type: 'output_text';
                /** @description The text, or settings of it. */
                text: string;
                /** @description Hints or notes of whoever wrote it. */
                annotations: unknown[];
              }
            | {
                /**
                 * @description Which type it is.
                 * @constant
                 */
                type: 'refusal';
                /** @description Text by which the model refused. */
                refusal: string;
              }
          )[];
        }
      | {
          /** @description Id of the record; it never changes. */
          id: string;
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'function_call';
          /**
           * @description State of the record.
           * @enum {string}
           */
          status: 'in_progress' | 'completed';
          /** @description Id of the tool call. */
          call_id: string;
          /** @description Name for people and programs. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }
      | {
          /** @description Id of the approval */
          id: string;
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'mcp_approval_request';
          /** @description Name of the tool */
          name: string;
          /** @description As the model wrote them: JSON */
          arguments: string;
          /** @description Name of the tool's MCP server or plugin */
          server_label: string;
        }
    )[];
    /** @description Whether the model may call several tools at once. */
    parallel_tool_calls: boolean;
    /** @description Id of the response that this one continues; null: none. */
    previous_response_id: string | null;
    /** @description A conversation, or its id. */
    conversation: {
      /** @description Id of the record; it never changes. */
      id: string;
    } | null;
    /** @description A prompt, by id or with its version and variables. */
    prompt: {
      /**
       * Format: uuid
       * @description Id of the record; it never changes.
       */
      id: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version?: string | null;
      /** @description Values of the variables, by name. */
      variables?: {
        [key: string]:
          | string
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'input_text';
              /** @description The text, or settings of it. */
              text: string;
            };
      } | null;
    } | null;
    /** @description Key of the model server's cache; null: none. */
    prompt_cache_key: string | null;
    /** @description Id of the end user for the model server; null: none. */
    safety_identifier: string | null;
    /** @description Whether the response is stored. */
    store: boolean;
    /** @description Randomness of the answer; null: the default of the model. */
    temperature: number | null;
    /** @description The text, or settings of it. */
    text: {
      /** @description Form of the text. */
      format: {
        /** @description Which type it is. */
        type: string;
      } & {
        [key: string]: unknown;
      };
    };
    /** @description Whether the model may call tools. */
    tool_choice:
      | ('auto' | 'none' | 'required')
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'function';
          /** @description Name for people and programs. */
          name: string;
        };
    /** @description Tools by name, or calls of them. */
    tools: {
      /**
       * @description Which type it is.
       * @constant
       */
      type: 'function';
      /** @description Name for people and programs. */
      name: string;
      /** @description Purpose of the record. */
      description?: string | null;
      /** @description Parameters by name. */
      parameters?: {
        [key: string]: unknown;
      } | null;
      /** @description Whether the answer has to fit the schema exactly. */
      strict?: boolean | null;
    }[];
    /** @description Settings of reasoning. */
    reasoning?: {
      /** @description How much the model reasons before it answers. */
      effort: string | null;
    };
    /** @description Share of likely tokens that are considered; null: the default of the model. */
    top_p: number | null;
    /**
     * @description What happens with input that is too long.
     * @enum {string}
     */
    truncation: 'auto' | 'disabled';
    /** @description What was used. */
    usage: {
      /** @description Tokens that the model read. */
      input_tokens: number;
      /** @description Tokens that the model read, by kind. */
      input_tokens_details?: {
        /** @description Tokens that came from the model server's cache. */
        cached_tokens: number;
      };
      /** @description Tokens that the model wrote. */
      output_tokens: number;
      /** @description Tokens that the model wrote, by kind. */
      output_tokens_details?: {
        /** @description Tokens of reasoning. */
        reasoning_tokens: number;
      };
      /** @description Tokens that were read and written. */
      total_tokens: number;
    } | null;
    /** @description The account concerned. */
    user: string | null;
    /** @description Remarks about input that was not used or is missing. */
    warnings: string[];
  };
  Conversation: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description Sentence for people. */
    message: {
      /** @description Id of the record; it never changes. */
      id: string;
      /**
       * @description Who speaks, or the role of the account.
       * @enum {string}
       */
      role: 'system' | 'user' | 'assistant' | 'tool';
      /** @description The text, or what is stored of it. */
      content: string;
      /** @description Records that it refers to. */
      reference: {
        /** @description Id of the record, a UUID. */
        uuid: string;
        /** @description Address of the record. */
        link: string;
        /** @description Which type it is. */
        type: string;
      }[];
      /** @description Name of a language model. */
      model: string;
      /** @description Additional data. */
      metadata: {
        /** @description Title for people. */
        title: string;
        /** @description Purpose of the record. */
        description: string;
        /** @description Words to find it by. */
        tag: string[];
        /** @description What changed in this version, for people. */
        log_message: string;
        /** @description When the record was made, in UTC. */
        created: string;
        /** @description When the record last changed, in UTC. */
        updated: string;
        /** @description Version of the record: each change makes the next one. It is also its ETag. */
        version: number;
        /**
         * @description State of the record.
         * @enum {string}
         */
        status: 'draft' | 'published' | 'archived';
        /** @description Name of the author. */
        author: string;
      };
    }[];
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description Address of the record. */
    _link: string;
  };
  /** ConversationItem */
  ConversationItem:
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'message';
        /**
         * @description Who speaks, or the role of the account.
         * @enum {string}
         */
        role: 'user' | 'assistant' | 'system';
        /**
         * @description State of the record.
         * @constant
         */
        status: 'completed';
        /** @description The text, or what is stored of it. */
        content: (
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'input_text';
              /** @description The text, or settings of it. */
              text: string;
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'input_image';
              /** @description The image as a data URL, or its address */
              image_url: string;
              /**
               * @description Further facts for people.
               * @enum {string}
               */
              detail: 'auto' | 'low' | 'high';
              /** @description Always null */
              file_id: null;
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'output_text';
              /** @description The text, or settings of it. */
              text: string;
              /** @description Hints or notes of whoever wrote it. */
              annotations: unknown[];
            }
        )[];
      }
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'function_call';
        /**
         * @description State of the record.
         * @constant
         */
        status: 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name for people and programs. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'function_call_output';
        /**
         * @description State of the record.
         * @constant
         */
        status: 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description A list when it has images */
        output:
          | string
          | (
              | {
                  /**
                   * @description Which type it is.
                   * @constant
                   */
                  type: 'input_text';
                  /** @description The text, or settings of it. */
                  text: string;
                }
              | {
                  /**
                   * @description Which type it is.
                   * @constant
                   */
                  type: 'input_image';
                  /** @description The image as a data URL, or its address */
                  image_url: string;
                  /**
                   * @description Further facts for people.
                   * @enum {string}
                   */
                  detail: 'auto' | 'low' | 'high';
                  /** @description Always null */
                  file_id: null;
                }
              | {
                  /**
                   * @description Which type it is.
                   * @constant
                   */
                  type: 'output_text';
                  /** @description The text, or settings of it. */
                  text: string;
                  /** @description Hints or notes of whoever wrote it. */
                  annotations: unknown[];
                }
            )[];
      };
  Agent: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description First characters. */
    prefix: string;
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description Address of the record. */
    _link: string;
  };
  Artifact: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description Address of the record. */
    _link: string;
  };
  /** Block */
  Block: {
    /** @description Id of the record; it never changes. */
    id: string;
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description First characters. */
    prefix: string;
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description Address of the record. */
    _link: string;
  };
  OwnUser: {
    /** @description The account concerned. */
    user: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Id of the record, a UUID. */
      uuid: string;
      /** @description Name for people and programs. */
      name: string;
      /** @description E-mail address; in guards, the actions for e-mail addresses. */
      email: string;
      /** @description Roles of the account. */
      roles: string[];
      /** @description The project that owns it. */
      project: string;
    };
    /** @description The text, or what is stored of it. */
    content: {
      /** @description A prompt, by id or with its version and variables. */
      prompt: number;
      /** @description Number of artifacts. */
      artifact: number;
      /** @description Number of blocks. */
      block: number;
      /** @description A conversation, or its id. */
      conversation: number;
    };
    /** @description What was used. */
    usage: {
      /** @description Use of models. */
      ai: {
        /** @description Number of runs. */
        execution: number;
        /** @description Number of tokens. */
        token: number;
      };
    };
  };
  ModelList: {
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'list';
    /** @description The content. */
    data: Prompt['Model'][];
  };
  ResponseInputItemList: {
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'list';
    /** @description The content. */
    data: Prompt['ConversationItem'][];
    /** @description Id of the first item of the page */
    first_id: string | null;
    /** @description Id of the last item of the page, for `after` */
    last_id: string | null;
    /** @description Whether items follow */
    has_more: boolean;
  };
  NewPrompt: {
    /** @description The three parts of the instructions. */
    instruction: {
      /**
       * @description Part that is the same in every run.
       * @default
       */
      static?: string;
      /**
       * @description Part about the present state, which each run fills.
       * @default
       */
      state?: string;
      /**
       * @description Part with variables, which each run fills.
       * @default
       */
      dynamic?: string;
    };
    /** @description What it works on. */
    input: {
      /**
       * @description Name for people and programs.
       * @default
       */
      name?: string;
      /**
       * @description Purpose of the record.
       * @default
       */
      description?: string;
      /**
       * @description Which type it is.
       * @default structured_data
       */
      type?: string | string[];
      /**
       * @description Records that it refers to.
       * @default []
       */
      reference?: string[];
      /**
       * @description JSON Schema of the data.
       * @default {}
       */
      schema?: {
        [key: string]: unknown;
      };
    };
    /** @description What it produces. */
    output: {
      /**
       * @description Name for people and programs.
       * @default
       */
      name?: string;
      /**
       * @description Purpose of the record.
       * @default
       */
      description?: string;
      /**
       * @description Which type it is.
       * @default structured_data
       */
      type?: string | string[];
      /**
       * @description Records that it refers to.
       * @default []
       */
      reference?: string[];
      /**
       * @description JSON Schema of the data.
       * @default {}
       */
      schema?: {
        [key: string]: unknown;
      };
    };
    /**
     * @description Parameters of the model's calls, in front of the model's own defaults.
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
    /** @description Additional data. */
    metadata: {
      /**
       * @description Title for people.
       * @default
       */
      title?: string;
      /**
       * @description Purpose of the record.
       * @default
       */
      description?: string;
      /**
       * @description Words to find it by.
       * @default []
       */
      tag?: string[];
      /**
       * @description What changed in this version, for people.
       * @default
       */
      log_message?: string;
      /**
       * @description State of the record.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  PromptChanges: {
    /** @description The three parts of the instructions. */
    instruction?: {
      /** @description Part that is the same in every run. */
      static?: string;
      /** @description Part about the present state, which each run fills. */
      state?: string;
      /** @description Part with variables, which each run fills. */
      dynamic?: string;
    };
    /** @description What it works on. */
    input?: {
      /** @description Name for people and programs. */
      name?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Which type it is. */
      type?: string | string[];
      /** @description Records that it refers to. */
      reference?: (
        | string
        | {
            /** @description Id of the record, a UUID. */
            uuid: string;
            /** @description Address of the record. */
            link: string;
            /**
             * @description Which type it is.
             * @enum {string}
             */
            type: 'input' | 'output';
          }
      )[];
      /** @description JSON Schema of the data. */
      schema?: {
        [key: string]: unknown;
      };
    };
    /** @description What it produces. */
    output?: {
      /** @description Name for people and programs. */
      name?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Which type it is. */
      type?: string | string[];
      /** @description Records that it refers to. */
      reference?: (
        | string
        | {
            /** @description Id of the record, a UUID. */
            uuid: string;
            /** @description Address of the record. */
            link: string;
            /**
             * @description Which type it is.
             * @enum {string}
             */
            type: 'input' | 'output';
          }
      )[];
      /** @description JSON Schema of the data. */
      schema?: {
        [key: string]: unknown;
      };
    };
    /** @description Parameters of the model's calls, in front of the model's own defaults. */
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
    /** @description Additional data. */
    metadata?: {
      /** @description Title for people. */
      title?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Words to find it by. */
      tag?: string[];
      /** @description What changed in this version, for people. */
      log_message?: string;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version?: number;
    };
  };
  RenderPromptRequest: {
    /** @description Sentence for people. */
    message?: string;
    /** @description Values of the input, as its schema describes. */
    structured_data?: {
      [key: string]: unknown;
    };
    /** @description Records that it refers to. */
    reference?: string[];
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version?: number;
    /** @description Name of a label: the version that it points at is used. */
    label?: string;
  };
  MovePromptLabelRequest: {
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: number;
    /** @description The reason, in a few words. */
    reason?: string;
    /** @description Whether moves need an admin and a reason; in a signature, its protected header. */
    protected?: boolean;
  };
  RunPromptRequest: {
    /** @description Sentence for people. */
    message?: string;
    /** @description Values of the input, as its schema describes. */
    structured_data?: {
      [key: string]: unknown;
    };
    /** @description Records that it refers to. */
    reference?: string[];
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version?: number;
    /** @description Name of a label: the version that it points at is used. */
    label?: string;
    /**
     * Format: uuid
     * @description A conversation, or its id.
     */
    conversation?: string;
    /** @description Name of a language model. */
    model?: string;
    /** @description Parameters of the model's calls, in front of the model's own defaults. */
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
    /** @description Whether to answer with server-sent events. */
    stream?: boolean;
  };
  RenderDraftRequest: {
    /** @description The three parts of the instructions. */
    instruction: {
      /**
       * @description Part that is the same in every run.
       * @default
       */
      static?: string;
      /**
       * @description Part about the present state, which each run fills.
       * @default
       */
      state?: string;
      /**
       * @description Part with variables, which each run fills.
       * @default
       */
      dynamic?: string;
    };
    /**
     * @description What it works on.
     * @default {}
     */
    input?: {
      /**
       * @description JSON Schema of the data.
       * @default {}
       */
      schema?: {
        [key: string]: unknown;
      };
      /**
       * @description Records that it refers to.
       * @default []
       */
      reference?: string[];
    };
    /**
     * @description What it produces.
     * @default {}
     */
    output?: {
      /**
       * @description JSON Schema of the data.
       * @default {}
       */
      schema?: {
        [key: string]: unknown;
      };
      /**
       * @description Records that it refers to.
       * @default []
       */
      reference?: string[];
    };
    /** @description Sentence for people. */
    message?: string;
    /** @description Values of the input, as its schema describes. */
    structured_data?: {
      [key: string]: unknown;
    };
  };
  RunDraftRequest: {
    /** @description The three parts of the instructions. */
    instruction: {
      /**
       * @description Part that is the same in every run.
       * @default
       */
      static?: string;
      /**
       * @description Part about the present state, which each run fills.
       * @default
       */
      state?: string;
      /**
       * @description Part with variables, which each run fills.
       * @default
       */
      dynamic?: string;
    };
    /**
     * @description What it works on.
     * @default {}
     */
    input?: {
      /**
       * @description JSON Schema of the data.
       * @default {}
       */
      schema?: {
        [key: string]: unknown;
      };
      /**
       * @description Records that it refers to.
       * @default []
       */
      reference?: string[];
    };
    /**
     * @description What it produces.
     * @default {}
     */
    output?: {
      /**
       * @description JSON Schema of the data.
       * @default {}
       */
      schema?: {
        [key: string]: unknown;
      };
      /**
       * @description Records that it refers to.
       * @default []
       */
      reference?: string[];
    };
    /** @description Sentence for people. */
    message?: string;
    /** @description Values of the input, as its schema describes. */
    structured_data?: {
      [key: string]: unknown;
    };
    /**
     * @description Parameters of the model's calls, in front of the model's own defaults.
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
     * Format: uuid
     * @description A prompt, by id or with its version and variables.
     */
    prompt?: string;
    /**
     * @description The conversation so far, oldest first.
     * @default []
     */
    history?: {
      /**
       * @description Who speaks, or the role of the account.
       * @enum {string}
       */
      role: 'user' | 'assistant';
      /** @description The text, or what is stored of it. */
      content: string;
    }[];
    /** @description Name of a language model. */
    model?: string;
    /** @description Whether to answer with server-sent events. */
    stream?: boolean;
  };
  NewChatCompletion: {
    /** @description `agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model; the default model when left out */
    model?: string | null;
    /** @description Messages of the conversation, oldest first. */
    messages: (
      | {
          /**
           * @description Who speaks, or the role of the account.
           * @enum {string}
           */
          role: 'system' | 'developer';
          /** @description The text, or what is stored of it. */
          content:
            | string
            | {
                /**
                 * @description Which type it is.
                 * @constant
                 */
                type: 'text';
                /** @description The text, or settings of it. */
                text: string;
              }[];
          /** @description Name for people and programs. */
          name?: string | null;
        }
      | {
          /**
           * @description Who speaks, or the role of the account.
           * @constant
           */
          role: 'user';
          /** @description The text, or what is stored of it. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'text';
                    /** @description The text, or settings of it. */
                    text: string;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'image_url';
                    /** @description The image */
                    image_url: {
                      /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                      url: string;
                      /** @description Further facts for people. */
                      detail?: ('auto' | 'low' | 'high') | null;
                    };
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'file';
                    /** @description Bytes of the file. */
                    file: {
                      /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                      file_data?: string | null;
                      /** @description Name under which the model reads the file */
                      filename?: string | null;
                      /** @description Id of a file. */
                      file_id?: string | null;
                    };
                  }
              )[];
          /** @description Name for people and programs. */
          name?: string | null;
        }
      | {
          /**
           * @description Who speaks, or the role of the account.
           * @constant
           */
          role: 'assistant';
          /** @description The text, or what is stored of it. */
          content?:
            | (
                | string
                | (
                    | {
                        /**
                         * @description Which type it is.
                         * @constant
                         */
                        type: 'text';
                        /** @description The text, or settings of it. */
                        text: string;
                      }
                    | {
                        /**
                         * @description Which type it is.
                         * @constant
                         */
                        type: 'refusal';
                        /** @description Text by which the model refused. */
                        refusal: string;
                      }
                  )[]
              )
            | null;
          /** @description Text by which the model refused. */
          refusal?: string | null;
          /** @description Name for people and programs. */
          name?: string | null;
          /** @description Calls of tools so far. */
          tool_calls?:
            | {
                /** @description Id of the record; it never changes. */
                id: string;
                /**
                 * @description Which type it is.
                 * @constant
                 */
                type: 'function';
                /** @description The function of the client, or a call of it. */
                function: {
                  /** @description Name for people and programs. */
                  name: string;
                  /** @description Arguments of the call, as JSON. */
                  arguments: string;
                };
              }[]
            | null;
          /** @description Not supported: leave it out. */
          audio?: unknown;
          /** @description Not supported: leave it out. */
          function_call?: unknown;
        }
      | {
          /**
           * @description Who speaks, or the role of the account.
           * @constant
           */
          role: 'tool';
          /** @description The text, or what is stored of it. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'text';
                    /** @description The text, or settings of it. */
                    text: string;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'image_url';
                    /** @description The image */
                    image_url: {
                      /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                      url: string;
                      /** @description Further facts for people. */
                      detail?: ('auto' | 'low' | 'high') | null;
                    };
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'file';
                    /** @description Bytes of the file. */
                    file: {
                      /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                      file_data?: string | null;
                      /** @description Name under which the model reads the file */
                      filename?: string | null;
                      /** @description Id of a file. */
                      file_id?: string | null;
                    };
                  }
              )[];
          /** @description Id of the call whose output the message is. */
          tool_call_id: string;
        }
    )[];
    /** @description Tools by name, or calls of them. */
    tools?:
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'function';
          /** @description The function of the client, or a call of it. */
          function: {
            /** @description Name for people and programs. */
            name: string;
            /** @description Purpose of the record. */
            description?: string | null;
            /** @description Parameters by name. */
            parameters?: {
              [key: string]: unknown;
            } | null;
            /** @description Whether the answer has to fit the schema exactly. */
            strict?: boolean | null;
          };
        }[]
      | null;
    /** @description Whether the model may call tools. */
    tool_choice?:
      | (
          | ('auto' | 'none' | 'required')
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'function';
              /** @description The function of the client, or a call of it. */
              function: {
                /** @description Name for people and programs. */
                name: string;
              };
            }
        )
      | null;
    /** @description Whether the model may call several tools at once. */
    parallel_tool_calls?: boolean | null;
    /** @description Form that the answer must have. */
    response_format?:
      | (
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'text';
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'json_object';
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'json_schema';
              /** @description Name and JSON Schema of the answer. */
              json_schema: {
                /** @description Name for people and programs. */
                name: string;
                /** @description JSON Schema of the data. */
                schema: {
                  [key: string]: unknown;
                };
                /** @description Whether the answer has to fit the schema exactly. */
                strict?: boolean | null;
                /** @description Purpose of the record. */
                description?: string | null;
              };
            }
        )
      | null;
    /** @description Whether to answer with server-sent events. */
    stream?: boolean | null;
    /** @description Settings of the stream. */
    stream_options?: {
      /** @description Whether the last chunk of a stream states the usage. */
      include_usage?: boolean | null;
      /** @description Not supported: leave it out. */
      include_obfuscation?: unknown;
    } | null;
    /** @description The most tokens to write, for older clients. */
    max_tokens?: number | null;
    /** @description The most tokens to write. */
    max_completion_tokens?: number | null;
    /** @description Randomness of the answer; null: the default of the model. */
    temperature?: number | null;
    /** @description Share of likely tokens that are considered; null: the default of the model. */
    top_p?: number | null;
    /** @description Texts at which the model stops. */
    stop?: (string | string[]) | null;
    /** @description Number for answers that can be repeated, where the model server supports it. */
    seed?: number | null;
    /** @description How much repeated words are avoided. */
    frequency_penalty?: number | null;
    /** @description How much repeated subjects are avoided. */
    presence_penalty?: number | null;
    /** @description How much the model reasons before it answers. */
    reasoning_effort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | null;
    /** @description How much the model writes. */
    verbosity?: ('low' | 'medium' | 'high') | null;
    /** @description false: the run keeps no content */
    store?: boolean | null;
    /** @description Additional data. */
    metadata?: {
      [key: string]: string;
    } | null;
    /** @description The account concerned. */
    user?: string | null;
    /** @description Id of the end user for the model server; null: none. */
    safety_identifier?: string | null;
    /** @description Key of the model server's cache; null: none. */
    prompt_cache_key?: string | null;
    /** @description Not supported: leave it out. */
    audio?: unknown;
    /** @description Not supported: leave it out. */
    function_call?: unknown;
    /** @description Not supported: leave it out. */
    functions?: unknown;
    /** @description Not supported: leave it out. */
    logit_bias?: unknown;
    /** @description Not supported: false or null. */
    logprobs?: unknown;
    /** @description Kinds of output: text. */
    modalities?: unknown;
    /** @description Not supported: leave it out. */
    moderation?: unknown;
    /** @description Number of a version, from 1. */
    n?: unknown;
    /** @description Not supported: leave it out. */
    prediction?: unknown;
    /** @description Not supported: leave it out. */
    prompt_cache_options?: unknown;
    /** @description Not supported: leave it out. */
    prompt_cache_retention?: unknown;
    /** @description Not supported: leave it out. */
    service_tier?: unknown;
    /** @description Not supported: leave it out. */
    top_logprobs?: unknown;
    /** @description Not supported: leave it out. */
    web_search_options?: unknown;
  };
  NewMessage: {
    /** @description `agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, or a configured model */
    model: string;
    /** @description Limit of the answer in tokens; an agent has its own */
    max_tokens: number;
    /** @description Messages of the conversation, oldest first. */
    messages: (
      | {
          /**
           * @description Who speaks, or the role of the account.
           * @constant
           */
          role: 'user';
          /** @description The text, or what is stored of it. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'text';
                    /** @description The text, or settings of it. */
                    text: string;
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Which type it is.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                    /** @description Not supported */
                    citations?: unknown;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'image';
                    /** @description Where it comes from. */
                    source:
                      | {
                          /**
                           * @description Which type it is.
                           * @constant
                           */
                          type: 'base64';
                          /**
                           * @description Type of the image
                           * @enum {string}
                           */
                          media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
                          /** @description The image in base64 */
                          data: string;
                        }
                      | {
                          /**
                           * @description Which type it is.
                           * @constant
                           */
                          type: 'url';
                          /** @description An https address, for models with `image_urls` */
                          url: string;
                        };
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Which type it is.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'document';
                    /** @description Where it comes from. */
                    source:
                      | {
                          /**
                           * @description Which type it is.
                           * @constant
                           */
                          type: 'text';
                          /**
                           * @description Always text/plain
                           * @constant
                           */
                          media_type: 'text/plain';
                          /** @description The text */
                          data: string;
                        }
                      | {
                          /**
                           * @description Which type it is.
                           * @constant
                           */
                          type: 'base64';
                          /**
                           * @description Always application/pdf
                           * @constant
                           */
                          media_type: 'application/pdf';
                          /** @description The document in base64: the model reads its text */
                          data: string;
                        };
                    /** @description Name of the document */
                    title?: string | null;
                    /** @description What the document is, before its text */
                    context?: string | null;
                    /** @description Not supported */
                    citations?: unknown;
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Which type it is.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'tool_result';
                    /** @description Id of the call */
                    tool_use_id: string;
                    /** @description The text, or what is stored of it. */
                    content?:
                      | (
                          | string
                          | (
                              | {
                                  /**
                                   * @description Which type it is.
                                   * @constant
                                   */
                                  type: 'text';
                                  /** @description The text, or settings of it. */
                                  text: string;
                                  /** @description Has no effect on the answer */
                                  cache_control?: {
                                    /**
                                     * @description Which type it is.
                                     * @constant
                                     */
                                    type: 'ephemeral';
                                  } | null;
                                  /** @description Not supported */
                                  citations?: unknown;
                                }
                              | {
                                  /**
                                   * @description Which type it is.
                                   * @constant
                                   */
                                  type: 'image';
                                  /** @description Where it comes from. */
                                  source:
                                    | {
                                        /**
                                         * @description Which type it is.
                                         * @constant
                                         */
                                        type: 'base64';
                                        /**
                                         * @description Type of the image
                                         * @enum {string}
                                         */
                                        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
                                        /** @description The image in base64 */
                                        data: string;
                                      }
                                    | {
                                        /**
                                         * @description Which type it is.
                                         * @constant
                                         */
                                        type: 'url';
                                        /** @description An https address, for models with `image_urls` */
                                        url: string;
                                      };
                                  /** @description Has no effect on the answer */
                                  cache_control?: {
                                    /**
                                     * @description Which type it is.
                                     * @constant
                                     */
                                    type: 'ephemeral';
                                  } | null;
                                }
                              | {
                                  /**
                                   * @description Which type it is.
                                   * @constant
                                   */
                                  type: 'document';
                                  /** @description Where it comes from. */
                                  source:
                                    | {
                                        /**
                                         * @description Which type it is.
                                         * @constant
                                         */
                                        type: 'text';
                                        /**
                                         * @description Always text/plain
                                         * @constant
                                         */
                                        media_type: 'text/plain';
                                        /** @description The text */
                                        data: string;
                                      }
                                    | {
                                        /**
                                         * @description Which type it is.
                                         * @constant
                                         */
                                        type: 'base64';
                                        /**
                                         * @description Always application/pdf
                                         * @constant
                                         */
                                        media_type: 'application/pdf';
                                        /** @description The document in base64: the model reads its text */
                                        data: string;
                                      };
                                  /** @description Name of the document */
                                  title?: string | null;
                                  /** @description What the document is, before its text */
                                  context?: string | null;
                                  /** @description Not supported */
                                  citations?: unknown;
                                  /** @description Has no effect on the answer */
                                  cache_control?: {
                                    /**
                                     * @description Which type it is.
                                     * @constant
                                     */
                                    type: 'ephemeral';
                                  } | null;
                                }
                            )[]
                        )
                      | null;
                    /** @description Whether the tool failed: the model reads `Error:` before the content */
                    is_error?: boolean | null;
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Which type it is.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                  }
              )[];
        }
      | {
          /**
           * @description Who speaks, or the role of the account.
           * @constant
           */
          role: 'assistant';
          /** @description The text, or what is stored of it. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'text';
                    /** @description The text, or settings of it. */
                    text: string;
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Which type it is.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                    /** @description Not supported */
                    citations?: unknown;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'tool_use';
                    /** @description Id of the record; it never changes. */
                    id: string;
                    /** @description Name for people and programs. */
                    name: string;
                    /** @description What it works on. */
                    input: {
                      [key: string]: unknown;
                    };
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Which type it is.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                  }
              )[];
        }
    )[];
    /** @description Instructions before the messages */
    system?:
      | (
          | string
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'text';
              /** @description The text, or settings of it. */
              text: string;
              /** @description Has no effect on the answer */
              cache_control?: {
                /**
                 * @description Which type it is.
                 * @constant
                 */
                type: 'ephemeral';
              } | null;
              /** @description Not supported */
              citations?: unknown;
            }[]
        )
      | null;
    /** @description Whether to answer with server-sent events. */
    stream?: boolean | null;
    /** @description Randomness of the answer; null: the default of the model. */
    temperature?: number | null;
    /** @description Share of likely tokens that are considered; null: the default of the model. */
    top_p?: number | null;
    /** @description Texts that end the answer, at most 4 */
    stop_sequences?: string[] | null;
    /** @description Tools by name, or calls of them. */
    tools?:
      | {
          /** @description Only `custom`, which is the default */
          type?: 'custom' | null;
          /** @description Name for people and programs. */
          name: string;
          /** @description Purpose of the record. */
          description?: string | null;
          /** @description JSON Schema of the arguments */
          input_schema: {
            [key: string]: unknown;
          };
          /** @description Whether the answer has to fit the schema exactly. */
          strict?: boolean | null;
          /** @description Has no effect on the answer */
          cache_control?: {
            /**
             * @description Which type it is.
             * @constant
             */
            type: 'ephemeral';
          } | null;
        }[]
      | null;
    /** @description Whether the model may call tools. */
    tool_choice?:
      | (
          | {
              /**
               * @description Which type it is.
               * @enum {string}
               */
              type: 'auto' | 'any';
              /** @description Whether an answer has at most one call */
              disable_parallel_tool_use?: boolean | null;
            }
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
              type: 'tool';
              /** @description Name for people and programs. */
              name: string;
              /** @description Whether an answer has at most one call */
              disable_parallel_tool_use?: boolean | null;
            }
        )
      | null;
    /** @description The form of the answer, and how much the model thinks */
    output_config?: {
      /** @description How much the model thinks */
      effort?: ('low' | 'medium' | 'high' | 'xhigh' | 'max') | null;
      /** @description Form of the text. */
      format?: {
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'json_schema';
        /** @description JSON Schema of the data. */
        schema: {
          [key: string]: unknown;
        };
      } | null;
    } | null;
    /** @description Additional data. */
    metadata?: {
      /** @description Id of an account. */
      user_id?: string | null;
    } | null;
    /** @description Has no effect on the answer */
    cache_control?: {
      /**
       * @description Which type it is.
       * @constant
       */
      type: 'ephemeral';
    } | null;
    /** @description Not supported */
    container?: unknown;
    /** @description Not supported */
    context_management?: unknown;
    /** @description Not supported */
    inference_geo?: unknown;
    /** @description Not supported */
    mcp_servers?: unknown;
    /** @description Not supported */
    output_format?: unknown;
    /** @description Not supported: leave it out. */
    service_tier?: unknown;
    /** @description Only `disabled` */
    thinking?: unknown;
    /** @description Not supported */
    top_k?: unknown;
  };
  NewEmbeddings: {
    /** @description A configured model that makes embeddings */
    model: string;
    /** @description Lists of tokens are not supported */
    input: string | string[];
    /** @description Length of the vectors, for models that can shorten them */
    dimensions?: number | null;
    /** @description base64: the 32-bit floats of a vector, little-endian; `float` by default */
    encoding_format?: ('float' | 'base64') | null;
    /** @description The account concerned. */
    user?: string | null;
  };
  NewResponse: {
    /** @description A prompt, by id or with its version and variables. */
    prompt?: {
      /**
       * Format: uuid
       * @description Id of the record; it never changes.
       */
      id: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version?: string | null;
      /** @description Values of the variables, by name. */
      variables?: {
        [key: string]:
          | string
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'input_text';
              /** @description The text, or settings of it. */
              text: string;
            };
      } | null;
    } | null;
    /** @description What it works on. */
    input?:
      | (
          | string
          | (
              | {
                  /**
                   * @description Which type it is.
                   * @constant
                   */
                  type?: 'message';
                  /**
                   * @description Who speaks, or the role of the account.
                   * @enum {string}
                   */
                  role: 'user' | 'assistant' | 'system' | 'developer';
                  /** @description The text, or what is stored of it. */
                  content:
                    | string
                    | (
                        | {
                            /**
                             * @description Which type it is.
                             * @enum {string}
                             */
                            type: 'input_text' | 'output_text';
                            /** @description The text, or settings of it. */
                            text: string;
                          }
                        | {
                            /**
                             * @description Which type it is.
                             * @constant
                             */
                            type: 'refusal';
                            /** @description Text by which the model refused. */
                            refusal: string;
                          }
                        | {
                            /**
                             * @description Which type it is.
                             * @constant
                             */
                            type: 'input_image';
                            /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                            image_url?: string | null;
                            /** @description Not supported */
                            file_id?: string | null;
                            /** @description Further facts for people. */
                            detail?: ('auto' | 'low' | 'high') | null;
                          }
                        | {
                            /**
                             * @description Which type it is.
                             * @constant
                             */
                            type: 'input_file';
                            /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                            file_data?: string | null;
                            /** @description Name under which the model reads the file */
                            filename?: string | null;
                            /** @description Not supported */
                            file_id?: string | null;
                            /** @description Not supported: addresses are not fetched */
                            file_url?: string | null;
                          }
                      )[];
                }
              | {
                  /**
                   * @description Which type it is.
                   * @constant
                   */
                  type: 'function_call';
                  /** @description Id of the tool call. */
                  call_id: string;
                  /** @description Name for people and programs. */
                  name: string;
                  /** @description Arguments of the call, as JSON. */
                  arguments: string;
                }
              | {
                  /**
                   * @description Which type it is.
                   * @constant
                   */
                  type: 'function_call_output';
                  /** @description Id of the tool call. */
                  call_id: string;
                  /** @description What it produces. */
                  output:
                    | string
                    | (
                        | {
                            /**
                             * @description Which type it is.
                             * @enum {string}
                             */
                            type: 'input_text' | 'output_text';
                            /** @description The text, or settings of it. */
                            text: string;
                          }
                        | {
                            /**
                             * @description Which type it is.
                             * @constant
                             */
                            type: 'input_image';
                            /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                            image_url?: string | null;
                            /** @description Not supported */
                            file_id?: string | null;
                            /** @description Further facts for people. */
                            detail?: ('auto' | 'low' | 'high') | null;
                          }
                        | {
                            /**
                             * @description Which type it is.
                             * @constant
                             */
                            type: 'input_file';
                            /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                            file_data?: string | null;
                            /** @description Name under which the model reads the file */
                            filename?: string | null;
                            /** @description Not supported */
                            file_id?: string | null;
                            /** @description Not supported: addresses are not fetched */
                            file_url?: string | null;
                          }
                      )[];
                }
              | {
                  /**
                   * @description Which type it is.
                   * @constant
                   */
                  type: 'mcp_approval_response';
                  /** @description Id of the `mcp_approval_request` */
                  approval_request_id: string;
                  /** @description false: the call is refused, and the run goes on without it */
                  approve: boolean;
                  /** @description For the model, when the call is refused */
                  reason?: string | null;
                  /** @description Id of the record; it never changes. */
                  id?: string | null;
                }
              | {
                  /** @description Which type it is. */
                  type?: 'item_reference' | null;
                  /** @description Id of the record; it never changes. */
                  id: string;
                }
            )[]
        )
      | null;
    /** @description What the model reads before each conversation. */
    instructions?: string | null;
    /** @description Id of the response that this one continues; null: none. */
    previous_response_id?: string | null;
    /** @description A conversation, or its id. */
    conversation?:
      | (
          | string
          | {
              /**
               * Format: uuid
               * @description Id of the record; it never changes.
               */
              id: string;
            }
        )
      | null;
    /** @description Name of a language model. */
    model?: string | null;
    /** @description The most tokens to write; null: the limit of the model. */
    max_output_tokens?: number | null;
    /** @description Randomness of the answer; null: the default of the model. */
    temperature?: number | null;
    /** @description The text, or settings of it. */
    text?: {
      /** @description Form of the text. */
      format?:
        | {
            /**
             * @description Which type it is.
             * @constant
             */
            type: 'text';
          }
        | {
            /**
             * @description Which type it is.
             * @constant
             */
            type: 'json_object';
          }
        | {
            /** @description Name for people and programs. */
            name: string;
            /** @description JSON Schema of the data. */
            schema: {
              [key: string]: unknown;
            };
            /** @description Whether the answer has to fit the schema exactly. */
            strict?: boolean | null;
            /** @description Purpose of the record. */
            description?: string | null;
            /**
             * @description Which type it is.
             * @constant
             */
            type: 'json_schema';
          };
      /** @description How much the model writes. */
      verbosity?: ('low' | 'medium' | 'high') | null;
    } | null;
    /** @description What happens with input that is too long. */
    truncation?: ('auto' | 'disabled') | null;
    /** @description Whether the response is stored. */
    store?: boolean | null;
    /** @description Whether to answer with server-sent events. */
    stream?: boolean | null;
    /** @description Additional data. */
    metadata?: {
      [key: string]: string;
    } | null;
    /** @description The account concerned. */
    user?: string | null;
    /** @description Id of the end user for the model server; null: none. */
    safety_identifier?: string | null;
    /** @description Key of the model server's cache; null: none. */
    prompt_cache_key?: string | null;
    /** @description Whether the model may call several tools at once. */
    parallel_tool_calls?: boolean | null;
    /** @description Whether the model may call tools. */
    tool_choice?:
      | (
          | ('auto' | 'none' | 'required')
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'function';
              /** @description Name for people and programs. */
              name: string;
            }
        )
      | null;
    /** @description Tools by name, or calls of them. */
    tools?:
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'function';
          /** @description Name for people and programs. */
          name: string;
          /** @description Purpose of the record. */
          description?: string | null;
          /** @description Parameters by name. */
          parameters?: {
            [key: string]: unknown;
          } | null;
          /** @description Whether the answer has to fit the schema exactly. */
          strict?: boolean | null;
        }[]
      | null;
    /** @description Share of likely tokens that are considered; null: the default of the model. */
    top_p?: number | null;
    /** @description Settings of reasoning. */
    reasoning?: {
      /** @description How much the model reasons before it answers. */
      effort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | null;
      /** @description Whether each run begins a conversation, or all continue one. */
      context?: unknown;
      /** @description Only `standard` */
      mode?: unknown;
      /** @description Not supported: leave it out. */
      summary?: unknown;
      /** @description Not supported: leave it out. */
      generate_summary?: unknown;
    } | null;
    /** @description Not supported: leave it out. */
    access_programs?: unknown;
    /** @description Whether the response is made in the background. */
    background?: boolean | null;
    /** @description Not supported: leave it out. */
    context_management?: unknown;
    /** @description Not supported: leave it out. */
    image?: unknown;
    /** @description Further parts to include in the answer. */
    include?:
      | (
          | 'code_interpreter_call.outputs'
          | 'computer_call_output.output.image_url'
          | 'file_search_call.results'
          | 'message.input_image.image_url'
          | 'reasoning.encrypted_content'
          | 'web_search_call.action.sources'
          | 'web_search_call.results'
        )[]
      | null;
    /** @description Not supported: leave it out. */
    max_tool_calls?: unknown;
    /** @description Not supported: leave it out. */
    moderation?: unknown;
    /** @description Not supported: leave it out. */
    prompt_cache_options?: unknown;
    /** @description Not supported: leave it out. */
    prompt_cache_retention?: unknown;
    /** @description Not supported: leave it out. */
    service_tier?: unknown;
    /** @description Settings of the stream. */
    stream_options?: unknown;
    /** @description Not supported: leave it out. */
    top_logprobs?: unknown;
  };
  NewConversation: {
    /** @description Additional data. */
    metadata: {
      /**
       * @description Title for people.
       * @default
       */
      title?: string;
      /**
       * @description Purpose of the record.
       * @default
       */
      description?: string;
      /**
       * @description Words to find it by.
       * @default []
       */
      tag?: string[];
      /**
       * @description What changed in this version, for people.
       * @default
       */
      log_message?: string;
      /**
       * @description State of the record.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  ConversationChanges: {
    /** @description Additional data. */
    metadata?: {
      /** @description Title for people. */
      title?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Words to find it by. */
      tag?: string[];
      /** @description What changed in this version, for people. */
      log_message?: string;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version?: number;
    };
  };
  StartConversationRequest: {
    /** @description First messages and calls of functions, at most 20 */
    items?:
      | (
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type?: 'message';
              /**
               * @description Who speaks, or the role of the account.
               * @enum {string}
               */
              role: 'user' | 'assistant' | 'system' | 'developer';
              /** @description The text, or what is stored of it. */
              content:
                | string
                | (
                    | {
                        /**
                         * @description Which type it is.
                         * @enum {string}
                         */
                        type: 'input_text' | 'output_text';
                        /** @description The text, or settings of it. */
                        text: string;
                      }
                    | {
                        /**
                         * @description Which type it is.
                         * @constant
                         */
                        type: 'refusal';
                        /** @description Text by which the model refused. */
                        refusal: string;
                      }
                    | {
                        /**
                         * @description Which type it is.
                         * @constant
                         */
                        type: 'input_image';
                        /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                        image_url?: string | null;
                        /** @description Not supported */
                        file_id?: string | null;
                        /** @description Further facts for people. */
                        detail?: ('auto' | 'low' | 'high') | null;
                      }
                    | {
                        /**
                         * @description Which type it is.
                         * @constant
                         */
                        type: 'input_file';
                        /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                        file_data?: string | null;
                        /** @description Name under which the model reads the file */
                        filename?: string | null;
                        /** @description Not supported */
                        file_id?: string | null;
                        /** @description Not supported: addresses are not fetched */
                        file_url?: string | null;
                      }
                  )[];
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'function_call';
              /** @description Id of the tool call. */
              call_id: string;
              /** @description Name for people and programs. */
              name: string;
              /** @description Arguments of the call, as JSON. */
              arguments: string;
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'function_call_output';
              /** @description Id of the tool call. */
              call_id: string;
              /** @description What it produces. */
              output:
                | string
                | (
                    | {
                        /**
                         * @description Which type it is.
                         * @enum {string}
                         */
                        type: 'input_text' | 'output_text';
                        /** @description The text, or settings of it. */
                        text: string;
                      }
                    | {
                        /**
                         * @description Which type it is.
                         * @constant
                         */
                        type: 'input_image';
                        /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                        image_url?: string | null;
                        /** @description Not supported */
                        file_id?: string | null;
                        /** @description Further facts for people. */
                        detail?: ('auto' | 'low' | 'high') | null;
                      }
                    | {
                        /**
                         * @description Which type it is.
                         * @constant
                         */
                        type: 'input_file';
                        /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                        file_data?: string | null;
                        /** @description Name under which the model reads the file */
                        filename?: string | null;
                        /** @description Not supported */
                        file_id?: string | null;
                        /** @description Not supported: addresses are not fetched */
                        file_url?: string | null;
                      }
                  )[];
            }
        )[]
      | null;
    /** @description The client's own pairs, at most 16 */
    metadata?: {
      [key: string]: string;
    } | null;
  };
  ChangeConversationRequest: {
    /** @description Replaces the pairs, at most 16; a name has 64 characters, a value 512 */
    metadata: {
      [key: string]: string;
    };
  };
  AddConversationItemsRequest: {
    /** @description Messages and calls of functions, 1 to 20 */
    items: (
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type?: 'message';
          /**
           * @description Who speaks, or the role of the account.
           * @enum {string}
           */
          role: 'user' | 'assistant' | 'system' | 'developer';
          /** @description The text, or what is stored of it. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Which type it is.
                     * @enum {string}
                     */
                    type: 'input_text' | 'output_text';
                    /** @description The text, or settings of it. */
                    text: string;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'refusal';
                    /** @description Text by which the model refused. */
                    refusal: string;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'input_image';
                    /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                    image_url?: string | null;
                    /** @description Not supported */
                    file_id?: string | null;
                    /** @description Further facts for people. */
                    detail?: ('auto' | 'low' | 'high') | null;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'input_file';
                    /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                    file_data?: string | null;
                    /** @description Name under which the model reads the file */
                    filename?: string | null;
                    /** @description Not supported */
                    file_id?: string | null;
                    /** @description Not supported: addresses are not fetched */
                    file_url?: string | null;
                  }
              )[];
        }
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'function_call';
          /** @description Id of the tool call. */
          call_id: string;
          /** @description Name for people and programs. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'function_call_output';
          /** @description Id of the tool call. */
          call_id: string;
          /** @description What it produces. */
          output:
            | string
            | (
                | {
                    /**
                     * @description Which type it is.
                     * @enum {string}
                     */
                    type: 'input_text' | 'output_text';
                    /** @description The text, or settings of it. */
                    text: string;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'input_image';
                    /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                    image_url?: string | null;
                    /** @description Not supported */
                    file_id?: string | null;
                    /** @description Further facts for people. */
                    detail?: ('auto' | 'low' | 'high') | null;
                  }
                | {
                    /**
                     * @description Which type it is.
                     * @constant
                     */
                    type: 'input_file';
                    /** @description Data URL of a PDF or DOCX document, or of a text, JSON, XML or YAML in UTF-8: the model reads its text */
                    file_data?: string | null;
                    /** @description Name under which the model reads the file */
                    filename?: string | null;
                    /** @description Not supported */
                    file_id?: string | null;
                    /** @description Not supported: addresses are not fetched */
                    file_url?: string | null;
                  }
              )[];
        }
    )[];
  };
  NewAgent: {
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description First characters. */
    prefix?: string;
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /**
       * @description Purpose of the record.
       * @default
       */
      description?: string;
      /**
       * @description Words to find it by.
       * @default []
       */
      tag?: string[];
      /**
       * @description State of the record.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published';
    };
  };
  AgentChanges: {
    /** @description The text, or what is stored of it. */
    content?: string;
    /** @description Additional data. */
    metadata?: {
      /** @description Title for people. */
      title?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Words to find it by. */
      tag?: string[];
      /**
       * @description State of the record.
       * @enum {string}
       */
      status?: 'draft' | 'published';
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version?: number;
    };
  };
  NewArtifact: {
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Additional data. */
    metadata: {
      /**
       * @description Title for people.
       * @default
       */
      title?: string;
      /**
       * @description Purpose of the record.
       * @default
       */
      description?: string;
      /**
       * @description Words to find it by.
       * @default []
       */
      tag?: string[];
      /**
       * @description What changed in this version, for people.
       * @default
       */
      log_message?: string;
      /**
       * @description State of the record.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  ArtifactChanges: {
    /** @description The text, or what is stored of it. */
    content?: string;
    /** @description Additional data. */
    metadata?: {
      /** @description Title for people. */
      title?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Words to find it by. */
      tag?: string[];
      /** @description What changed in this version, for people. */
      log_message?: string;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version?: number;
    };
  };
  NewBlock: {
    /** @description First characters. */
    prefix: string;
    /**
     * @description The text, or what is stored of it.
     * @default
     */
    content?: string;
    /** @description Additional data. */
    metadata: {
      /**
       * @description Title for people.
       * @default
       */
      title?: string;
      /**
       * @description Purpose of the record.
       * @default
       */
      description?: string;
      /**
       * @description Words to find it by.
       * @default []
       */
      tag?: string[];
      /**
       * @description What changed in this version, for people.
       * @default
       */
      log_message?: string;
      /**
       * @description State of the record.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  BlockChanges: {
    /** @description First characters. */
    prefix?: string;
    /** @description The text, or what is stored of it. */
    content?: string;
    /** @description Additional data. */
    metadata?: {
      /** @description Title for people. */
      title?: string;
      /** @description Purpose of the record. */
      description?: string;
      /** @description Words to find it by. */
      tag?: string[];
      /** @description What changed in this version, for people. */
      log_message?: string;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version?: number;
    };
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
              kind: 'block';
              /**
               * @description What was done or attempted.
               * @constant
               */
              action: 'create';
              /** @description A name, such as `@a`, for later changes of the request */
              ref?: string;
              /** @description Fields of the new record */
              fields: Prompt['NewBlock'];
            }
          | {
              /**
               * @description Which kind it is.
               * @constant
               */
              kind: 'block';
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
              fields: Prompt['BlockChanges'];
            }
          | {
              /**
               * @description Which kind it is.
               * @constant
               */
              kind: 'block';
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
              kind: 'prompt';
              /**
               * @description What was done or attempted.
               * @constant
               */
              action: 'create';
              /** @description A name, such as `@a`, for later changes of the request */
              ref?: string;
              /** @description Fields of the new record */
              fields: Prompt['NewPrompt'];
            }
          | {
              /**
               * @description Which kind it is.
               * @constant
               */
              kind: 'prompt';
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
              fields: Prompt['PromptChanges'];
            }
          | {
              /**
               * @description Which kind it is.
               * @constant
               */
              kind: 'prompt';
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
  OwnUserChanges: {
    /** @description The account concerned. */
    user?: {
      /** @description Name for people and programs. */
      name?: string;
    };
  };
  RenderPromptAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description The content. */
    data: {
      /** @description The static part. */
      static: string;
      /** @description The dynamic part. */
      dynamic: string;
      /** @description State at present. */
      state: string;
      /** @description JSON Schema of the output. */
      output_schema: {
        [key: string]: unknown;
      };
      /** @description Names of the variables that were replaced. */
      parsed_tokens: string[];
      /** @description Tokens of each part. */
      token_counts: {
        /** @description The static part. */
        static: number;
        /** @description The dynamic part. */
        dynamic: number;
        /** @description State at present. */
        state: number;
      };
      /** @description A prompt, by id or with its version and variables. */
      prompt: Prompt['Prompt'];
    };
    /** @description Remarks about input that was not used or is missing. */
    warnings: string[];
  };
  DiffPromptVersionsAnswer: {
    /** @description A prompt, by id or with its version and variables. */
    prompt: string;
    /** @description Start of the period. */
    from: number;
    /** @description End of the period. */
    to: number;
    /** @description Fields that differ. */
    changes: {
      /** @description Where: a path or an address below the base address. */
      path: string;
      /** @description The earlier value. */
      from: unknown;
      /** @description The later value. */
      to: unknown;
      /** @description Lines of a text, each kept, added or removed. */
      lines?: {
        /**
         * @description Which kind it is.
         * @enum {string}
         */
        kind: 'same' | 'added' | 'removed';
        /** @description The text, or settings of it. */
        text: string;
      }[];
    }[];
  };
  MovePromptLabelAnswer: {
    /** @description Name for people and programs. */
    name: string;
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version: number;
    /** @description Whether moves need an admin and a reason; in a signature, its protected header. */
    protected: boolean;
    /** @description A prompt, by id or with its version and variables. */
    prompt: string;
    /** @description When the record last changed, in UTC. */
    updated: string;
    /** @description Name of the author. */
    author: string;
    /** @description Address of the record. */
    _link: string;
  };
  RunPromptAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description The content. */
    data: {
      /** @description Sentence for people. */
      message: {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Who speaks, or the role of the account.
         * @enum {string}
         */
        role: 'system' | 'user' | 'assistant' | 'tool';
        /** @description The text, or what is stored of it. */
        content: string;
        /** @description Records that it refers to. */
        reference: {
          /** @description Id of the record, a UUID. */
          uuid: string;
          /** @description Address of the record. */
          link: string;
          /** @description Which type it is. */
          type: string;
        }[];
        /** @description Name of a language model. */
        model: string;
        /** @description Additional data. */
        metadata: {
          /** @description Title for people. */
          title: string;
          /** @description Purpose of the record. */
          description: string;
          /** @description Words to find it by. */
          tag: string[];
          /** @description What changed in this version, for people. */
          log_message: string;
          /** @description When the record was made, in UTC. */
          created: string;
          /** @description When the record last changed, in UTC. */
          updated: string;
          /** @description Version of the record: each change makes the next one. It is also its ETag. */
          version: number;
          /**
           * @description State of the record.
           * @enum {string}
           */
          status: 'draft' | 'published' | 'archived';
          /** @description Name of the author. */
          author: string;
        };
      };
      /** @description A conversation, or its id. */
      conversation: Prompt['Conversation'];
      /** @description Values of the input, as its schema describes. */
      structured_data: {
        [key: string]: unknown;
      };
    };
    /** @description Additional data. */
    metadata: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Type of the object, as OpenAI names it. */
      object: string;
      /** @description When the record was made, in UTC. */
      created: number;
      /** @description Name of a language model. */
      model: string;
      /** @description Build of the model, as its server reports it. */
      system_fingerprint: string;
      /** @description The answers; there is one. */
      choices: unknown[];
      /** @description What was used. */
      usage: {
        /** @description Tokens that the model read; null: unknown. */
        prompt_tokens: number;
        /** @description Tokens that the model wrote; null: unknown. */
        completion_tokens: number;
        /** @description Tokens that were read and written. */
        total_tokens: number;
        /** @description Tokens that the model read, by kind. */
        prompt_tokens_details?: {
          /** @description Tokens that came from the model server's cache. */
          cached_tokens: number;
        };
        /** @description Tokens that the model wrote, by kind. */
        completion_tokens_details?: {
          /** @description Tokens of reasoning. */
          reasoning_tokens: number;
        };
      };
    };
    /** @description Remarks about input that was not used or is missing. */
    warnings: string[];
    /** @description Cost in US dollars; null while no price is known. */
    cost_usd?: number | null;
  };
  RenderDraftAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description The content. */
    data: {
      /** @description The static part. */
      static: string;
      /** @description The dynamic part. */
      dynamic: string;
      /** @description State at present. */
      state: string;
      /** @description JSON Schema of the output. */
      output_schema: {
        [key: string]: unknown;
      };
      /** @description Names of the variables that were replaced. */
      parsed_tokens: string[];
      /** @description Tokens of each part. */
      token_counts: {
        /** @description The static part. */
        static: number;
        /** @description The dynamic part. */
        dynamic: number;
        /** @description State at present. */
        state: number;
      };
      /** @description Variables or tokens: their names, or their number. */
      tokens: {
        /** @description Name for people and programs. */
        name: string;
        /** @description Where it comes from. */
        source: ('built_in' | 'input' | 'block') | null;
      }[];
    };
    /** @description Remarks about input that was not used or is missing. */
    warnings: string[];
    /** @description What is wrong. */
    faults: {
      /** @description The field at fault, dotted. */
      field: string;
      /** @description The reason, in a few words. */
      reason: string;
    }[];
    /** @description What is wrong, with its place. */
    findings: {
      /**
       * @description Part of the instructions.
       * @enum {string}
       */
      part: 'static' | 'state' | 'dynamic';
      /** @description Line, from 1. */
      line: number;
      /** @description Column, from 1. */
      column: number;
      /** @description The reason, in a few words. */
      reason: string;
    }[];
  };
  RunDraftAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description Additional data. */
    metadata: {
      /** @description Id of the record; it never changes. */
      id: string;
      /** @description Type of the object, as OpenAI names it. */
      object: string;
      /** @description When the record was made, in UTC. */
      created: number;
      /** @description Name of a language model. */
      model: string;
      /** @description Build of the model, as its server reports it. */
      system_fingerprint: string;
      /** @description The answers; there is one. */
      choices: unknown[];
      /** @description What was used. */
      usage: {
        /** @description Tokens that the model read; null: unknown. */
        prompt_tokens: number;
        /** @description Tokens that the model wrote; null: unknown. */
        completion_tokens: number;
        /** @description Tokens that were read and written. */
        total_tokens: number;
        /** @description Tokens that the model read, by kind. */
        prompt_tokens_details?: {
          /** @description Tokens that came from the model server's cache. */
          cached_tokens: number;
        };
        /** @description Tokens that the model wrote, by kind. */
        completion_tokens_details?: {
          /** @description Tokens of reasoning. */
          reasoning_tokens: number;
        };
      };
    };
    /** @description Remarks about input that was not used or is missing. */
    warnings: string[];
    /** @description Cost in US dollars; null while no price is known. */
    cost_usd?: number | null;
    /** @description The run concerned. */
    run: string;
    /** @description The content. */
    data: {
      /** @description The text, or what is stored of it. */
      content: string;
      /** @description Values of the input, as its schema describes. */
      structured_data: {
        [key: string]: unknown;
      };
    };
  };
  CreatedChatCompletion: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'chat.completion';
    /** @description When the record was made, in UTC. */
    created: number;
    /** @description Name of a language model. */
    model: string;
    /** @description The answers; there is one. */
    choices: {
      /** @description Position, from 0. */
      index: number;
      /** @description Sentence for people. */
      message: {
        /**
         * @description Who speaks, or the role of the account.
         * @constant
         */
        role: 'assistant';
        /** @description The text, or what is stored of it. */
        content: string | null;
        /** @description Text by which the model refused. */
        refusal: string | null;
        /** @description Calls of tools so far. */
        tool_calls?: {
          /** @description Id of the record; it never changes. */
          id: string;
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'function';
          /** @description The function of the client, or a call of it. */
          function: {
            /** @description Name for people and programs. */
            name: string;
            /** @description Arguments of the call, as JSON. */
            arguments: string;
          };
        }[];
      };
      /** @description Not supported: false or null. */
      logprobs: null;
      /**
       * @description Why the model ended; null: it has not.
       * @enum {string}
       */
      finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
    }[];
    /** @description What was used. */
    usage: {
      /** @description Tokens that the model read; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens that the model wrote; null: unknown. */
      completion_tokens: number;
      /** @description Tokens that were read and written. */
      total_tokens: number;
      /** @description Tokens that the model read, by kind. */
      prompt_tokens_details?: {
        /** @description Tokens that came from the model server's cache. */
        cached_tokens: number;
      };
      /** @description Tokens that the model wrote, by kind. */
      completion_tokens_details?: {
        /** @description Tokens of reasoning. */
        reasoning_tokens: number;
      };
    };
    /** @description Id of the run, which the runtime API shows */
    run: string;
    /** @description Remarks about input that was not used or is missing. */
    warnings: string[];
  };
  CreatedMessage: {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Which type it is.
     * @constant
     */
    type: 'message';
    /**
     * @description Who speaks, or the role of the account.
     * @constant
     */
    role: 'assistant';
    /** @description Name of a language model. */
    model: string;
    /** @description The text, or what is stored of it. */
    content: (
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'text';
          /** @description The text, or settings of it. */
          text: string;
        }
      | {
          /**
           * @description Which type it is.
           * @constant
           */
          type: 'tool_use';
          /** @description Id of the record; it never changes. */
          id: string;
          /** @description Name for people and programs. */
          name: string;
          /** @description What it works on. */
          input: {
            [key: string]: unknown;
          };
        }
    )[];
    /**
     * @description Why the answer ended; `end_turn` also after a stop sequence
     * @enum {string}
     */
    stop_reason: 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';
    /** @description Not known: always null */
    stop_sequence: null;
    /** @description What was used. */
    usage: {
      /** @description Tokens that the model read. */
      input_tokens: number;
      /** @description Tokens that the model wrote. */
      output_tokens: number;
      /** @description As reported by the server of the model; absent when it reports none */
      cache_read_input_tokens?: number;
    };
    /** @description Id of the run, which the runtime API shows */
    run: string;
    /** @description Remarks about input that was not used or is missing. */
    warnings: string[];
  };
  CreatedEmbeddings: {
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'list';
    /** @description The content. */
    data: {
      /**
       * @description Type of the object, as OpenAI names it.
       * @constant
       */
      object: 'embedding';
      /** @description Position, from 0. */
      index: number;
      /** @description Numbers, or their base64 where the request asked for it */
      embedding: number[] | string;
    }[];
    /** @description Name of a language model. */
    model: string;
    /** @description What was used. */
    usage: {
      /** @description Tokens that the model read; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens that were read and written. */
      total_tokens: number;
    };
  };
  /** OpenAiConversation */
  OpenAiConversation: {
    /** @description Id of the conversation, as `/v1/conversation` has it */
    id: string;
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'conversation';
    /** @description Unix time in seconds */
    created_at: number;
    /** @description The client's own pairs, at most 16 */
    metadata: {
      [key: string]: string;
    };
  };
  EndConversationAnswer: {
    /** @description Id of the conversation */
    id: string;
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'conversation.deleted';
    /**
     * @description Always true
     * @constant
     */
    deleted: true;
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
  'listPrompts.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Records that contain this text. */
    search?: string;
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'listPrompts.answer': Prompt['Prompt'][];
  'deletePrompt.query': {
    /** @description The reason, in a few words. */
    reason?: string;
  };
  'renderPrompt.query': {
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version?: number;
    /** @description Name of a label: the version that it points at is used. */
    label?: string;
  };
  'renderPrompt.item': string;
  'getInput.item': {
    /** @description Id of the record, a UUID. */
    uuid: string;
    /** @description Address of the record. */
    link: string;
    /**
     * @description Which type it is.
     * @enum {string}
     */
    type: 'input' | 'output';
  };
  'getOutput.item': {
    /** @description Id of the record, a UUID. */
    uuid: string;
    /** @description Address of the record. */
    link: string;
    /**
     * @description Which type it is.
     * @enum {string}
     */
    type: 'input' | 'output';
  };
  'listPromptVersions.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
  };
  'listPromptVersions.answer': Prompt['Prompt'][];
  'diffPromptVersions.query': {
    /** @description Start of the period. */
    from?: number;
  };
  'diffPromptVersions.item': {
    /** @description Where: a path or an address below the base address. */
    path: string;
    /** @description The earlier value. */
    from: unknown;
    /** @description The later value. */
    to: unknown;
    /** @description Lines of a text, each kept, added or removed. */
    lines?: {
      /**
       * @description Which kind it is.
       * @enum {string}
       */
      kind: 'same' | 'added' | 'removed';
      /** @description The text, or settings of it. */
      text: string;
    }[];
  };
  'listPromptLabels.answer': Prompt['MovePromptLabelAnswer'][];
  'deletePromptLabel.query': {
    /** @description The reason, in a few words. */
    reason?: string;
  };
  'runPrompt.query': {
    /** @description Version of the record: each change makes the next one. It is also its ETag. */
    version?: number;
    /** @description Name of a label: the version that it points at is used. */
    label?: string;
  };
  'runPrompt.item': string;
  /** @description With `stream: true`: `chunk` for each part of the answer; `repair` when the answer did not fit the output schema (its data says why): the model is asked once more, and the chunks that follow replace those before; at the end, once all is stored, `result` with the model-run result. A failure after the first event is sent as `error`, and nothing is stored. Comments keep the connection open. */
  'runPrompt.event':
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Type of the object, as OpenAI names it.
         * @constant
         */
        object: 'chat.completion.chunk';
        /** @description When the record was made, in UTC. */
        created: number;
        /** @description Name of a language model. */
        model: string;
        /** @description The answers; there is one. */
        choices: {
          /** @description Position, from 0. */
          index: number;
          /** @description The next piece of the text. */
          delta: {
            /** @description The text, or what is stored of it. */
            content: string;
          };
          /** @description Why the model ended; null: it has not. */
          finish_reason: string | null;
        }[];
      }
    | {
        /** @description Remarks about input that was not used or is missing. */
        warnings: string[];
      }
    | Prompt['RunPromptAnswer']
    | {
        /** @description What failed; null or absent: nothing. */
        error: {
          /** @description Name of the fault for programs; it stays the same in later releases. */
          code: string;
          /** @description Sentence for people. */
          message: string;
          /** @description State of the record. */
          status: number;
        } & {
          [key: string]: unknown;
        };
        /** @description Sentence for people. */
        message: string;
      };
  'getPromptVersionUsage.item': {
    /** @description Name of a language model. */
    model: string;
    /** @description The runs, or their number. */
    runs: number;
    /** @description What was used. */
    usage: {
      /** @description Tokens that the model read; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens that the model wrote; null: unknown. */
      completion_tokens: number;
      /** @description Tokens that were read and written. */
      total_tokens: number;
    };
    /** @description Cost in US dollars; null while no price is known. */
    cost_usd: number | null;
    /** @description Runs whose price is not known */
    unpriced_runs: number;
    /** @description Runs with tokens that are estimated: the model sent no count, or an answer was cut off */
    estimated_runs: number;
  };
  'renderDraft.item': string;
  'runDraft.item': string;
  /** @description With `stream: true`: `chunk` for each part of the answer; `repair` when the answer did not fit the output schema and the model is asked once more; at the end `result`, or `error` for a failure after the first event. */
  'runDraft.event':
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Type of the object, as OpenAI names it.
         * @constant
         */
        object: 'chat.completion.chunk';
        /** @description When the record was made, in UTC. */
        created: number;
        /** @description Name of a language model. */
        model: string;
        /** @description The answers; there is one. */
        choices: {
          /** @description Position, from 0. */
          index: number;
          /** @description The next piece of the text. */
          delta: {
            /** @description The text, or what is stored of it. */
            content: string;
          };
          /** @description Why the model ended; null: it has not. */
          finish_reason: string | null;
        }[];
      }
    | {
        /** @description Remarks about input that was not used or is missing. */
        warnings: string[];
      }
    | Prompt['RunPromptAnswer']
    | {
        /** @description What failed; null or absent: nothing. */
        error: {
          /** @description Name of the fault for programs; it stays the same in later releases. */
          code: string;
          /** @description Sentence for people. */
          message: string;
          /** @description State of the record. */
          status: number;
        } & {
          [key: string]: unknown;
        };
        /** @description Sentence for people. */
        message: string;
      }
    | Prompt['RunDraftAnswer'];
  'createEmbeddings.item': {
    /**
     * @description Type of the object, as OpenAI names it.
     * @constant
     */
    object: 'embedding';
    /** @description Position, from 0. */
    index: number;
    /** @description Numbers, or their base64 where the request asked for it */
    embedding: number[] | string;
  };
  'createResponse.item':
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'message';
        /**
         * @description Who speaks, or the role of the account.
         * @constant
         */
        role: 'assistant';
        /**
         * @description State of the record.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'incomplete';
        /** @description The text, or what is stored of it. */
        content: (
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'output_text';
              /** @description The text, or settings of it. */
              text: string;
              /** @description Hints or notes of whoever wrote it. */
              annotations: unknown[];
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'refusal';
              /** @description Text by which the model refused. */
              refusal: string;
            }
        )[];
      }
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'function_call';
        /**
         * @description State of the record.
         * @enum {string}
         */
        status: 'in_progress' | 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name for people and programs. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Id of the approval */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'mcp_approval_request';
        /** @description Name of the tool */
        name: string;
        /** @description As the model wrote them: JSON */
        arguments: string;
        /** @description Name of the tool's MCP server or plugin */
        server_label: string;
      };
  /** @description With `stream: true`: response.created, response.in_progress, response.output_item.added, response.content_part.added, response.output_text.delta, response.output_text.done, response.content_part.done, response.output_item.done, and last response.completed, response.incomplete or response.failed; `error` for a failure in between, of which nothing is stored. An answer that must fit a schema is sent when it has been checked. */
  'createResponse.event': {
    /** @description Which type it is. */
    type: string;
    /** @description Number of the event in the stream, from 0. */
    sequence_number: number;
  } & {
    [key: string]: unknown;
  };
  'getResponse.query': {
    /**
     * @description true: the answer is the events of the response; one in progress is awaited
     * @enum {string}
     */
    stream?: 'true' | 'false';
    /** @description With `stream`, of a response with `background`: only events with a greater sequence_number */
    starting_after?: string;
  };
  'getResponse.item':
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'message';
        /**
         * @description Who speaks, or the role of the account.
         * @constant
         */
        role: 'assistant';
        /**
         * @description State of the record.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'incomplete';
        /** @description The text, or what is stored of it. */
        content: (
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'output_text';
              /** @description The text, or settings of it. */
              text: string;
              /** @description Hints or notes of whoever wrote it. */
              annotations: unknown[];
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'refusal';
              /** @description Text by which the model refused. */
              refusal: string;
            }
        )[];
      }
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'function_call';
        /**
         * @description State of the record.
         * @enum {string}
         */
        status: 'in_progress' | 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name for people and programs. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Id of the approval */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'mcp_approval_request';
        /** @description Name of the tool */
        name: string;
        /** @description As the model wrote them: JSON */
        arguments: string;
        /** @description Name of the tool's MCP server or plugin */
        server_label: string;
      };
  /** @description With `stream=true`: the events of the response, from its beginning */
  'getResponse.event': {
    /** @description Which type it is. */
    type: string;
    /** @description Number of the event in the stream, from 0. */
    sequence_number: number;
  } & {
    [key: string]: unknown;
  };
  'listResponseInputItems.query': {
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /**
     * @description `desc`: the newest first
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Id of an item; the page begins after it */
    after?: string;
  };
  'cancelResponse.item':
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'message';
        /**
         * @description Who speaks, or the role of the account.
         * @constant
         */
        role: 'assistant';
        /**
         * @description State of the record.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'incomplete';
        /** @description The text, or what is stored of it. */
        content: (
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'output_text';
              /** @description The text, or settings of it. */
              text: string;
              /** @description Hints or notes of whoever wrote it. */
              annotations: unknown[];
            }
          | {
              /**
               * @description Which type it is.
               * @constant
               */
              type: 'refusal';
              /** @description Text by which the model refused. */
              refusal: string;
            }
        )[];
      }
    | {
        /** @description Id of the record; it never changes. */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'function_call';
        /**
         * @description State of the record.
         * @enum {string}
         */
        status: 'in_progress' | 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name for people and programs. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Id of the approval */
        id: string;
        /**
         * @description Which type it is.
         * @constant
         */
        type: 'mcp_approval_request';
        /** @description Name of the tool */
        name: string;
        /** @description As the model wrote them: JSON */
        arguments: string;
        /** @description Name of the tool's MCP server or plugin */
        server_label: string;
      };
  'createConversation.item': {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Who speaks, or the role of the account.
     * @enum {string}
     */
    role: 'system' | 'user' | 'assistant' | 'tool';
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Records that it refers to. */
    reference: {
      /** @description Id of the record, a UUID. */
      uuid: string;
      /** @description Address of the record. */
      link: string;
      /** @description Which type it is. */
      type: string;
    }[];
    /** @description Name of a language model. */
    model: string;
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
  };
  'listConversations.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Records that contain this text. */
    search?: string;
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'listConversations.answer': Prompt['Conversation'][];
  'getConversation.query': {
    /**
     * Format: uuid
     * @description Id of a message; the answer shows the messages before it
     */
    before?: string;
  };
  'getConversation.item': {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Who speaks, or the role of the account.
     * @enum {string}
     */
    role: 'system' | 'user' | 'assistant' | 'tool';
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Records that it refers to. */
    reference: {
      /** @description Id of the record, a UUID. */
      uuid: string;
      /** @description Address of the record. */
      link: string;
      /** @description Which type it is. */
      type: string;
    }[];
    /** @description Name of a language model. */
    model: string;
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
  };
  'updateConversation.item': {
    /** @description Id of the record; it never changes. */
    id: string;
    /**
     * @description Who speaks, or the role of the account.
     * @enum {string}
     */
    role: 'system' | 'user' | 'assistant' | 'tool';
    /** @description The text, or what is stored of it. */
    content: string;
    /** @description Records that it refers to. */
    reference: {
      /** @description Id of the record, a UUID. */
      uuid: string;
      /** @description Address of the record. */
      link: string;
      /** @description Which type it is. */
      type: string;
    }[];
    /** @description Name of a language model. */
    model: string;
    /** @description Additional data. */
    metadata: {
      /** @description Title for people. */
      title: string;
      /** @description Purpose of the record. */
      description: string;
      /** @description Words to find it by. */
      tag: string[];
      /** @description What changed in this version, for people. */
      log_message: string;
      /** @description When the record was made, in UTC. */
      created: string;
      /** @description When the record last changed, in UTC. */
      updated: string;
      /** @description Version of the record: each change makes the next one. It is also its ETag. */
      version: number;
      /**
       * @description State of the record.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
  };
  'listConversationItems.query': {
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /**
     * @description `desc`: the newest first
     * @default desc
     * @enum {string}
     */
    order?: 'asc' | 'desc';
    /** @description Id of an item; the page begins after it */
    after?: string;
  };
  'listAgents.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Records that contain this text. */
    search?: string;
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'listAgents.answer': Prompt['Agent'][];
  'listArtifacts.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Records that contain this text. */
    search?: string;
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'listArtifacts.answer': Prompt['Artifact'][];
  'listBlocks.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description The most records on a page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field that gives the order.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Direction of the order.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description State of the record.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Records that contain this text. */
    search?: string;
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'listBlocks.answer': Prompt['Block'][];
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
}
