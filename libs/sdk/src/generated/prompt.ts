/* Made by `npm run openapi`: do not edit. */
/** Generated from docs/openapi/prompt.json. */
export interface Prompt {
  ApiError: {
    /** @description What went amiss. */
    error: {
      /** @description Name of the error for programs. Later releases may add names. */
      code: string;
      /** @description Error message: what is wrong and what to do. */
      message: string;
      /** @description The HTTP status of the answer. */
      status: number;
      /** @description Kind of the error, as in OpenAI's API. */
      type: string;
      /** @description The field at fault; null when no field is. */
      param: string | null;
    };
    /** @description Error message: what is wrong and what to do. */
    message: string;
  };
  Prompt: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Instructions: a static, a dynamic and a state part. */
    instruction: {
      /** @description Part that is the same in each run. */
      static: string;
      /** @description Part about the current state, which each run fills in. */
      state: string;
      /** @description Part with variables, which each run fills in. */
      dynamic: string;
    };
    /** @description Definition of the input. */
    input: Prompt['Definition'];
    /** @description Definition of the output. */
    output: Prompt['Definition'];
    /** @description Parameters of the calls of the model. They override the model's own defaults. */
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
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description URL of the record. */
    _link: string;
  };
  /** Definition */
  Definition: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Name. */
    name: string;
    /** @description Description, as free text. */
    description: string;
    /** @description Type. */
    type: string | string[];
    /** @description Referenced records. */
    reference: {
      /** @description Unique id, a UUID. It never changes. */
      uuid: string;
      /** @description URL of the record. */
      link: string;
      /**
       * @description Type.
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
    /** @description Id of the prompt. */
    prompt: string;
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: number;
    /** @description Number of runs. */
    runs: number;
    /** @description Tokens that were used. */
    usage: {
      /** @description Tokens of the input; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens of the output; null: unknown. */
      completion_tokens: number;
      /** @description Tokens of input and output. */
      total_tokens: number;
    };
    /** @description Cost in US dollars; null: the price is unknown. */
    cost_usd: number | null;
    /** @description Runs whose price is not known */
    unpriced_runs: number;
    /** @description Runs with tokens that are estimated: the model sent no count, or an answer was cut off */
    estimated_runs: number;
    /** @description Time of the latest run; null: none. */
    last_run: string | null;
    /** @description Usage by model. */
    models: {
      /** @description Name of a language model. */
      model: string;
      /** @description Number of runs. */
      runs: number;
      /** @description Tokens that were used. */
      usage: {
        /** @description Tokens of the input; null: unknown. */
        prompt_tokens: number;
        /** @description Tokens of the output; null: unknown. */
        completion_tokens: number;
        /** @description Tokens of input and output. */
        total_tokens: number;
      };
      /** @description Cost in US dollars; null: the price is unknown. */
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
     * @description Type of the object, in OpenAI's terms.
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
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Type of the object, in OpenAI's terms.
     * @constant
     */
    object: 'response';
    /** @description Time of creation, in UTC. */
    created_at: number;
    /** @description Time of completion; null: not completed. */
    completed_at: number | null;
    /**
     * @description Status.
     * @enum {string}
     */
    status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
    /** @description Whether to create the response in the background. */
    background: boolean;
    /** @description The error; null or absent: no error. */
    error: {
      /** @description Error code for programs. It does not change between releases. */
      code: string;
      /** @description Error message to display. */
      message: string;
    } | null;
    /** @description Reason for which the response is incomplete; null: complete. */
    incomplete_details: {
      /**
       * @description Short reason.
       * @enum {string}
       */
      reason: 'max_output_tokens' | 'content_filter';
    } | null;
    /** @description System instructions for the model. */
    instructions: string | null;
    /** @description Maximum number of output tokens; null: the limit of the model. */
    max_output_tokens: number | null;
    /** @description Key-value pairs of your own. */
    metadata: {
      [key: string]: string;
    };
    /** @description Name of a language model. */
    model: string;
    /** @description Items that the model wrote. */
    output: (
      | {
          /** @description Unique id. It never changes. */
          id: string;
          /**
           * @description Type.
           * @constant
           */
          type: 'message';
          /**
           * @description Role of the author.
           * @constant
           */
          role: 'assistant';
          /**
           * @description Status.
           * @enum {string}
           */
          status: 'in_progress' | 'completed' | 'incomplete';
          /** @description Parts of the answer. */
          content: (
            | {
                /**
                 * @description Type.
                 * @constant
                 */
                type: 'output_text';
                /** @description Text. */
                text: string;
                /** @description Annotations of the text. */
                annotations: unknown[];
              }
            | {
                /**
                 * @description Type.
                 * @constant
                 */
                type: 'refusal';
                /** @description The model's refusal to answer. */
                refusal: string;
              }
          )[];
        }
      | {
          /** @description Unique id. It never changes. */
          id: string;
          /**
           * @description Type.
           * @constant
           */
          type: 'function_call';
          /**
           * @description Status.
           * @enum {string}
           */
          status: 'in_progress' | 'completed';
          /** @description Id of the tool call. */
          call_id: string;
          /** @description Name. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }
      | {
          /** @description Unique id. It never changes. */
          id: string;
          /**
           * @description Type.
           * @constant
           */
          type: 'mcp_call';
          /**
           * @description Status.
           * @enum {string}
           */
          status: 'in_progress' | 'completed' | 'failed';
          /** @description Name of the tool */
          name: string;
          /** @description Arguments as the model wrote them, as JSON */
          arguments: string;
          /** @description Slug of the MCP server */
          server_label: string;
          /** @description Id of the `mcp_approval_request` that decided about the call */
          approval_request_id: string | null;
          /** @description Result of the call; null when it failed */
          output: string | null;
          /** @description Why the call failed or was refused, as the model reads it */
          error: string | null;
        }
      | {
          /** @description Id of the approval */
          id: string;
          /**
           * @description Type.
           * @constant
           */
          type: 'mcp_approval_request';
          /** @description Name of the tool */
          name: string;
          /** @description Arguments as the model wrote them, as JSON */
          arguments: string;
          /** @description Name of the tool's MCP server or plugin */
          server_label: string;
        }
    )[];
    /** @description Whether the model may call several tools at once. */
    parallel_tool_calls: boolean;
    /** @description Id of the response that this one continues; null: none. */
    previous_response_id: string | null;
    /** @description Conversation. */
    conversation: {
      /** @description Unique id. It never changes. */
      id: string;
    } | null;
    /** @description Prompt that was run: its id, version and variables. */
    prompt: {
      /**
       * Format: uuid
       * @description Unique id. It never changes.
       */
      id: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version?: string | null;
      /** @description Values of the variables, by name. */
      variables?: {
        [key: string]:
          | string
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'input_text';
              /** @description Text. */
              text: string;
            };
      } | null;
    } | null;
    /** @description Cache key for the model server; null: none. */
    prompt_cache_key: string | null;
    /** @description Id of your end user, passed to the model server; null: none. */
    safety_identifier: string | null;
    /** @description Whether to store the response. */
    store: boolean;
    /** @description Randomness of the answer; null: the default of the model. */
    temperature: number | null;
    /** @description Settings of the text output. */
    text: {
      /** @description Format of the output. */
      format: {
        /** @description Type. */
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
           * @description Type.
           * @constant
           */
          type: 'function';
          /** @description Name. */
          name: string;
        };
    /** @description Tools. */
    tools: (
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'function';
          /** @description Name. */
          name: string;
          /** @description Description, as free text. */
          description?: string | null;
          /** @description JSON Schema of the arguments. */
          parameters?: {
            [key: string]: unknown;
          } | null;
          /** @description Whether the output must match the schema exactly. */
          strict?: boolean | null;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'mcp';
          /** @description Slug of a registered MCP server of the project; `platform`: the clock and the calculator of this installation */
          server_label: string;
          /** @description The tools that the model may call; all that the server has and the credential allows by default */
          allowed_tools?:
            | (
                | string[]
                | {
                    /** @description Names of tools as the server lists them */
                    tool_names?: string[] | null;
                    /** @description Not supported */
                    read_only?: unknown;
                  }
              )
            | null;
          /** @description Which calls wait for a decision; `always` by default. It makes the rules of the project stricter, never looser: a tool whose rule is `ask` or `deny` keeps it with `never` */
          require_approval?:
            | (
                | ('always' | 'never')
                | {
                    /** @description Tools whose calls wait for a decision, as those of neither list do */
                    always?: {
                      /** @description Names of tools as the server lists them */
                      tool_names?: string[] | null;
                      /** @description Not supported */
                      read_only?: unknown;
                    } | null;
                    /** @description Tools whose calls wait only where the rules of the project say so */
                    never?: {
                      /** @description Names of tools as the server lists them */
                      tool_names?: string[] | null;
                      /** @description Not supported */
                      read_only?: unknown;
                    } | null;
                  }
              )
            | null;
        }
    )[];
    /** @description Settings of the reasoning. */
    reasoning?: {
      /** @description How much the model reasons before it answers. */
      effort: string | null;
    };
    /** @description Share of the most likely tokens to consider; null: the default of the model. */
    top_p: number | null;
    /**
     * @description What to do when the input is too long.
     * @enum {string}
     */
    truncation: 'auto' | 'disabled';
    /** @description Tokens that were used. */
    usage: {
      /** @description Tokens of the input. */
      input_tokens: number;
      /** @description Tokens of the input, by kind. */
      input_tokens_details?: {
        /** @description Input tokens from the cache of the model server. */
        cached_tokens: number;
      };
      /** @description Tokens of the output. */
      output_tokens: number;
      /** @description Tokens of the output, by kind. */
      output_tokens_details?: {
        /** @description Output tokens of the reasoning. */
        reasoning_tokens: number;
      };
      /** @description Tokens of input and output. */
      total_tokens: number;
    } | null;
    /** @description Id of your end user, passed to the model server. */
    user: string | null;
    /** @description Warnings about input that is missing or was not used. */
    warnings: string[];
  };
  Conversation: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Messages of the conversation, oldest first. */
    message: {
      /** @description Unique id. It never changes. */
      id: string;
      /**
       * @description Role of the author.
       * @enum {string}
       */
      role: 'system' | 'user' | 'assistant' | 'tool';
      /** @description Text of the message, or its parts. */
      content: string;
      /** @description Referenced records. */
      reference: {
        /** @description Unique id, a UUID. It never changes. */
        uuid: string;
        /** @description URL of the record. */
        link: string;
        /** @description Type. */
        type: string;
      }[];
      /** @description Name of a language model. */
      model: string;
      /** @description Title, description, tags and times. */
      metadata: {
        /** @description Title to display. */
        title: string;
        /** @description Description, as free text. */
        description: string;
        /** @description Tags. */
        tag: string[];
        /** @description Description of the change. */
        log_message: string;
        /** @description Time of creation, in UTC. */
        created: string;
        /** @description Time of the last change, in UTC. */
        updated: string;
        /** @description Version number. Each change increases it. It is also the ETag. */
        version: number;
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'draft' | 'published' | 'archived';
        /** @description Name of the author. */
        author: string;
      };
    }[];
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description URL of the record. */
    _link: string;
  };
  /** ConversationItem */
  ConversationItem:
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'message';
        /**
         * @description Role of the author.
         * @enum {string}
         */
        role: 'user' | 'assistant' | 'system';
        /**
         * @description Status.
         * @constant
         */
        status: 'completed';
        /** @description Parts of the message. */
        content: (
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'input_text';
              /** @description Text. */
              text: string;
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'input_image';
              /** @description The image as a data URL, or its address */
              image_url: string;
              /**
               * @description Resolution at which the model reads the image.
               * @enum {string}
               */
              detail: 'auto' | 'low' | 'high';
              /** @description Always null */
              file_id: null;
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'output_text';
              /** @description Text. */
              text: string;
              /** @description Annotations of the text. */
              annotations: unknown[];
            }
        )[];
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'function_call';
        /**
         * @description Status.
         * @constant
         */
        status: 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'function_call_output';
        /**
         * @description Status.
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
                   * @description Type.
                   * @constant
                   */
                  type: 'input_text';
                  /** @description Text. */
                  text: string;
                }
              | {
                  /**
                   * @description Type.
                   * @constant
                   */
                  type: 'input_image';
                  /** @description The image as a data URL, or its address */
                  image_url: string;
                  /**
                   * @description Resolution at which the model reads the image.
                   * @enum {string}
                   */
                  detail: 'auto' | 'low' | 'high';
                  /** @description Always null */
                  file_id: null;
                }
              | {
                  /**
                   * @description Type.
                   * @constant
                   */
                  type: 'output_text';
                  /** @description Text. */
                  text: string;
                  /** @description Annotations of the text. */
                  annotations: unknown[];
                }
            )[];
      };
  Agent: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Text. */
    content: string;
    /** @description Text in front of the content. */
    prefix: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description URL of the record. */
    _link: string;
  };
  Artifact: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Text. */
    content: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description URL of the record. */
    _link: string;
  };
  /** Block */
  Block: {
    /** @description Unique id. It never changes. */
    id: string;
    /** @description Text. */
    content: string;
    /** @description Text in front of the content. */
    prefix: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
    /** @description URL of the record. */
    _link: string;
  };
  OwnUser: {
    /** @description Account. */
    user: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Unique id, a UUID. It never changes. */
      uuid: string;
      /** @description Name. */
      name: string;
      /** @description E-mail address. */
      email: string;
      /** @description Roles of the account. */
      roles: string[];
      /** @description Project. */
      project: string;
    };
    /** @description Number of records of each kind. */
    content: {
      /** @description Number of prompts. */
      prompt: number;
      /** @description Number of artifacts. */
      artifact: number;
      /** @description Number of blocks. */
      block: number;
      /** @description Number of conversations. */
      conversation: number;
    };
    /** @description Usage of the account. */
    usage: {
      /** @description Usage of models. */
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
     * @description Type of the object, in OpenAI's terms.
     * @constant
     */
    object: 'list';
    /** @description Models. */
    data: Prompt['Model'][];
  };
  ResponseInputItemList: {
    /**
     * @description Type of the object, in OpenAI's terms.
     * @constant
     */
    object: 'list';
    /** @description Input items. */
    data: Prompt['ConversationItem'][];
    /** @description Id of the first item of the page */
    first_id: string | null;
    /** @description Id of the last item of the page, for `after` */
    last_id: string | null;
    /** @description Whether items follow */
    has_more: boolean;
  };
  NewPrompt: {
    /** @description Instructions: a static, a dynamic and a state part. */
    instruction: {
      /**
       * @description Part that is the same in each run.
       * @default
       */
      static?: string;
      /**
       * @description Part about the current state, which each run fills in.
       * @default
       */
      state?: string;
      /**
       * @description Part with variables, which each run fills in.
       * @default
       */
      dynamic?: string;
    };
    /** @description Definition of the input. */
    input: {
      /**
       * @description Name.
       * @default
       */
      name?: string;
      /**
       * @description Description, as free text.
       * @default
       */
      description?: string;
      /**
       * @description Type.
       * @default structured_data
       */
      type?: string | string[];
      /**
       * @description Referenced records.
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
    /** @description Definition of the output. */
    output: {
      /**
       * @description Name.
       * @default
       */
      name?: string;
      /**
       * @description Description, as free text.
       * @default
       */
      description?: string;
      /**
       * @description Type.
       * @default structured_data
       */
      type?: string | string[];
      /**
       * @description Referenced records.
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
     * @description Parameters of the calls of the model. They override the model's own defaults.
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
    /** @description Title, description, tags and times. */
    metadata: {
      /**
       * @description Title to display.
       * @default
       */
      title?: string;
      /**
       * @description Description, as free text.
       * @default
       */
      description?: string;
      /**
       * @description Tags.
       * @default []
       */
      tag?: string[];
      /**
       * @description Description of the change.
       * @default
       */
      log_message?: string;
      /**
       * @description Status.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  PromptChanges: {
    /** @description Instructions: a static, a dynamic and a state part. */
    instruction?: {
      /** @description Part that is the same in each run. */
      static?: string;
      /** @description Part about the current state, which each run fills in. */
      state?: string;
      /** @description Part with variables, which each run fills in. */
      dynamic?: string;
    };
    /** @description Definition of the input. */
    input?: {
      /** @description Name. */
      name?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Type. */
      type?: string | string[];
      /** @description Referenced records. */
      reference?: (
        | string
        | {
            /** @description Unique id, a UUID. It never changes. */
            uuid: string;
            /** @description URL of the record. */
            link: string;
            /**
             * @description Type.
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
    /** @description Definition of the output. */
    output?: {
      /** @description Name. */
      name?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Type. */
      type?: string | string[];
      /** @description Referenced records. */
      reference?: (
        | string
        | {
            /** @description Unique id, a UUID. It never changes. */
            uuid: string;
            /** @description URL of the record. */
            link: string;
            /**
             * @description Type.
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
    /** @description Parameters of the calls of the model. They override the model's own defaults. */
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
    /** @description Title, description, tags and times. */
    metadata?: {
      /** @description Title to display. */
      title?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Tags. */
      tag?: string[];
      /** @description Description of the change. */
      log_message?: string;
      /**
       * @description Status.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version number. Each change increases it. It is also the ETag. */
      version?: number;
    };
  };
  RenderPromptRequest: {
    /** @description Message of the user. */
    message?: string;
    /** @description Values of the variables. The input schema describes them. */
    structured_data?: {
      [key: string]: unknown;
    };
    /** @description Referenced records. */
    reference?: string[];
    /** @description Version number. Each change increases it. It is also the ETag. */
    version?: number;
    /** @description Label of the version to use. */
    label?: string;
  };
  MovePromptLabelRequest: {
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: number;
    /** @description Short reason. */
    reason?: string;
    /** @description Whether moving the label needs an admin and a reason. */
    protected?: boolean;
  };
  RunPromptRequest: {
    /** @description Message of the user. */
    message?: string;
    /** @description Values of the variables. The input schema describes them. */
    structured_data?: {
      [key: string]: unknown;
    };
    /** @description Referenced records. */
    reference?: string[];
    /** @description Version number. Each change increases it. It is also the ETag. */
    version?: number;
    /** @description Label of the version to use. */
    label?: string;
    /**
     * Format: uuid
     * @description Id of the conversation to continue.
     */
    conversation?: string;
    /** @description Name of a language model. */
    model?: string;
    /** @description Parameters of the calls of the model. They override the model's own defaults. */
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
    /** @description Instructions: a static, a dynamic and a state part. */
    instruction: {
      /**
       * @description Part that is the same in each run.
       * @default
       */
      static?: string;
      /**
       * @description Part about the current state, which each run fills in.
       * @default
       */
      state?: string;
      /**
       * @description Part with variables, which each run fills in.
       * @default
       */
      dynamic?: string;
    };
    /**
     * @description Definition of the input.
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
       * @description Referenced records.
       * @default []
       */
      reference?: string[];
    };
    /**
     * @description Definition of the output.
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
       * @description Referenced records.
       * @default []
       */
      reference?: string[];
    };
    /** @description Message of the user. */
    message?: string;
    /** @description Values of the variables. The input schema describes them. */
    structured_data?: {
      [key: string]: unknown;
    };
  };
  RunDraftRequest: {
    /** @description Instructions: a static, a dynamic and a state part. */
    instruction: {
      /**
       * @description Part that is the same in each run.
       * @default
       */
      static?: string;
      /**
       * @description Part about the current state, which each run fills in.
       * @default
       */
      state?: string;
      /**
       * @description Part with variables, which each run fills in.
       * @default
       */
      dynamic?: string;
    };
    /**
     * @description Definition of the input.
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
       * @description Referenced records.
       * @default []
       */
      reference?: string[];
    };
    /**
     * @description Definition of the output.
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
       * @description Referenced records.
       * @default []
       */
      reference?: string[];
    };
    /** @description Message of the user. */
    message?: string;
    /** @description Values of the variables. The input schema describes them. */
    structured_data?: {
      [key: string]: unknown;
    };
    /**
     * @description Parameters of the calls of the model. They override the model's own defaults.
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
     * @description Id of the prompt that the draft changes.
     */
    prompt?: string;
    /**
     * @description Earlier messages, oldest first.
     * @default []
     */
    history?: {
      /**
       * @description Role of the author.
       * @enum {string}
       */
      role: 'user' | 'assistant';
      /** @description Text. */
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
    /** @description Messages, oldest first. */
    messages: (
      | {
          /**
           * @description Role of the author.
           * @enum {string}
           */
          role: 'system' | 'developer';
          /** @description Text of the message, or its parts. */
          content:
            | string
            | {
                /**
                 * @description Type.
                 * @constant
                 */
                type: 'text';
                /** @description Text. */
                text: string;
              }[];
          /** @description Name. */
          name?: string | null;
        }
      | {
          /**
           * @description Role of the author.
           * @constant
           */
          role: 'user';
          /** @description Text of the message, or its parts. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'text';
                    /** @description Text. */
                    text: string;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'image_url';
                    /** @description The image */
                    image_url: {
                      /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                      url: string;
                      /** @description Resolution at which the model reads the image. */
                      detail?: ('auto' | 'low' | 'high') | null;
                    };
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'file';
                    /** @description The file. */
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
          /** @description Name. */
          name?: string | null;
        }
      | {
          /**
           * @description Role of the author.
           * @constant
           */
          role: 'assistant';
          /** @description Text of the message, or its parts. */
          content?:
            | (
                | string
                | (
                    | {
                        /**
                         * @description Type.
                         * @constant
                         */
                        type: 'text';
                        /** @description Text. */
                        text: string;
                      }
                    | {
                        /**
                         * @description Type.
                         * @constant
                         */
                        type: 'refusal';
                        /** @description The model's refusal to answer. */
                        refusal: string;
                      }
                  )[]
              )
            | null;
          /** @description The model's refusal to answer. */
          refusal?: string | null;
          /** @description Name. */
          name?: string | null;
          /** @description Calls of tools. */
          tool_calls?:
            | {
                /** @description Unique id. It never changes. */
                id: string;
                /**
                 * @description Type.
                 * @constant
                 */
                type: 'function';
                /** @description Function to call, with its arguments. */
                function: {
                  /** @description Name. */
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
           * @description Role of the author.
           * @constant
           */
          role: 'tool';
          /** @description Text of the message, or its parts. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'text';
                    /** @description Text. */
                    text: string;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'image_url';
                    /** @description The image */
                    image_url: {
                      /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                      url: string;
                      /** @description Resolution at which the model reads the image. */
                      detail?: ('auto' | 'low' | 'high') | null;
                    };
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'file';
                    /** @description The file. */
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
          /** @description Id of the call to which the output belongs. */
          tool_call_id: string;
        }
    )[];
    /** @description Tools. */
    tools?:
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'function';
          /** @description Function that the model may call. */
          function: {
            /** @description Name. */
            name: string;
            /** @description Description, as free text. */
            description?: string | null;
            /** @description JSON Schema of the arguments. */
            parameters?: {
              [key: string]: unknown;
            } | null;
            /** @description Whether the output must match the schema exactly. */
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
               * @description Type.
               * @constant
               */
              type: 'function';
              /** @description Function that the model may call. */
              function: {
                /** @description Name. */
                name: string;
              };
            }
        )
      | null;
    /** @description Whether the model may call several tools at once. */
    parallel_tool_calls?: boolean | null;
    /** @description Format of the answer. */
    response_format?:
      | (
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'text';
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'json_object';
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'json_schema';
              /** @description Name and JSON Schema of the answer. */
              json_schema: {
                /** @description Name. */
                name: string;
                /** @description JSON Schema of the data. */
                schema: {
                  [key: string]: unknown;
                };
                /** @description Whether the output must match the schema exactly. */
                strict?: boolean | null;
                /** @description Description, as free text. */
                description?: string | null;
              };
            }
        )
      | null;
    /** @description Whether to answer with server-sent events. */
    stream?: boolean | null;
    /** @description Settings of the stream. */
    stream_options?: {
      /** @description Whether the last chunk of the stream reports the usage. */
      include_usage?: boolean | null;
      /** @description Not supported: leave it out. */
      include_obfuscation?: unknown;
    } | null;
    /** @description Maximum number of output tokens. Use `max_completion_tokens` instead. */
    max_tokens?: number | null;
    /** @description Maximum number of output tokens. */
    max_completion_tokens?: number | null;
    /** @description Randomness of the answer; null: the default of the model. */
    temperature?: number | null;
    /** @description Share of the most likely tokens to consider; null: the default of the model. */
    top_p?: number | null;
    /** @description Texts at which the model stops. */
    stop?: (string | string[]) | null;
    /** @description Seed for repeatable answers, if the model server supports it. */
    seed?: number | null;
    /** @description Penalty for repeated words. */
    frequency_penalty?: number | null;
    /** @description Penalty for repeated subjects. */
    presence_penalty?: number | null;
    /** @description How much the model reasons before it answers. */
    reasoning_effort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | null;
    /** @description Length of the answer. */
    verbosity?: ('low' | 'medium' | 'high') | null;
    /** @description false: the run keeps no content */
    store?: boolean | null;
    /** @description Key-value pairs of your own. */
    metadata?: {
      [key: string]: string;
    } | null;
    /** @description Id of your end user, passed to the model server. */
    user?: string | null;
    /** @description Id of your end user, passed to the model server; null: none. */
    safety_identifier?: string | null;
    /** @description Cache key for the model server; null: none. */
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
    /** @description Number of answers; only 1 is supported. */
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
    /** @description Messages, oldest first. */
    messages: (
      | {
          /**
           * @description Role of the author.
           * @constant
           */
          role: 'user';
          /** @description Text of the message, or its parts. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'text';
                    /** @description Text. */
                    text: string;
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Type.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                    /** @description Not supported */
                    citations?: unknown;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'image';
                    /** @description Data or URL of the image or document. */
                    source:
                      | {
                          /**
                           * @description Type.
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
                           * @description Type.
                           * @constant
                           */
                          type: 'url';
                          /** @description An https address, for models with `image_urls` */
                          url: string;
                        };
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Type.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'document';
                    /** @description Data or URL of the image or document. */
                    source:
                      | {
                          /**
                           * @description Type.
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
                           * @description Type.
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
                       * @description Type.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'tool_result';
                    /** @description Id of the call */
                    tool_use_id: string;
                    /** @description Text. */
                    content?:
                      | (
                          | string
                          | (
                              | {
                                  /**
                                   * @description Type.
                                   * @constant
                                   */
                                  type: 'text';
                                  /** @description Text. */
                                  text: string;
                                  /** @description Has no effect on the answer */
                                  cache_control?: {
                                    /**
                                     * @description Type.
                                     * @constant
                                     */
                                    type: 'ephemeral';
                                  } | null;
                                  /** @description Not supported */
                                  citations?: unknown;
                                }
                              | {
                                  /**
                                   * @description Type.
                                   * @constant
                                   */
                                  type: 'image';
                                  /** @description Data or URL of the image or document. */
                                  source:
                                    | {
                                        /**
                                         * @description Type.
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
                                         * @description Type.
                                         * @constant
                                         */
                                        type: 'url';
                                        /** @description An https address, for models with `image_urls` */
                                        url: string;
                                      };
                                  /** @description Has no effect on the answer */
                                  cache_control?: {
                                    /**
                                     * @description Type.
                                     * @constant
                                     */
                                    type: 'ephemeral';
                                  } | null;
                                }
                              | {
                                  /**
                                   * @description Type.
                                   * @constant
                                   */
                                  type: 'document';
                                  /** @description Data or URL of the image or document. */
                                  source:
                                    | {
                                        /**
                                         * @description Type.
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
                                         * @description Type.
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
                                     * @description Type.
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
                       * @description Type.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                  }
              )[];
        }
      | {
          /**
           * @description Role of the author.
           * @constant
           */
          role: 'assistant';
          /** @description Text of the message, or its parts. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'text';
                    /** @description Text. */
                    text: string;
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Type.
                       * @constant
                       */
                      type: 'ephemeral';
                    } | null;
                    /** @description Not supported */
                    citations?: unknown;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'tool_use';
                    /** @description Unique id. It never changes. */
                    id: string;
                    /** @description Name. */
                    name: string;
                    /** @description Arguments of the call, as JSON. */
                    input: {
                      [key: string]: unknown;
                    };
                    /** @description Has no effect on the answer */
                    cache_control?: {
                      /**
                       * @description Type.
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
               * @description Type.
               * @constant
               */
              type: 'text';
              /** @description Text. */
              text: string;
              /** @description Has no effect on the answer */
              cache_control?: {
                /**
                 * @description Type.
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
    /** @description Share of the most likely tokens to consider; null: the default of the model. */
    top_p?: number | null;
    /** @description Texts that end the answer, at most 4 */
    stop_sequences?: string[] | null;
    /** @description Tools. */
    tools?:
      | {
          /** @description Only `custom`, which is the default */
          type?: 'custom' | null;
          /** @description Name. */
          name: string;
          /** @description Description, as free text. */
          description?: string | null;
          /** @description JSON Schema of the arguments */
          input_schema: {
            [key: string]: unknown;
          };
          /** @description Whether the output must match the schema exactly. */
          strict?: boolean | null;
          /** @description Has no effect on the answer */
          cache_control?: {
            /**
             * @description Type.
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
               * @description Type.
               * @enum {string}
               */
              type: 'auto' | 'any';
              /** @description Whether an answer has at most one call */
              disable_parallel_tool_use?: boolean | null;
            }
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
              type: 'tool';
              /** @description Name. */
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
      /** @description Format of the output. */
      format?: {
        /**
         * @description Type.
         * @constant
         */
        type: 'json_schema';
        /** @description JSON Schema of the data. */
        schema: {
          [key: string]: unknown;
        };
      } | null;
    } | null;
    /** @description Id of your end user. */
    metadata?: {
      /** @description Id of an account. */
      user_id?: string | null;
    } | null;
    /** @description Has no effect on the answer */
    cache_control?: {
      /**
       * @description Type.
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
    /** @description Id of your end user, passed to the model server. */
    user?: string | null;
  };
  NewResponse: {
    /** @description Prompt to run: its id, version and variables. */
    prompt?: {
      /**
       * Format: uuid
       * @description Unique id. It never changes.
       */
      id: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version?: string | null;
      /** @description Values of the variables, by name. */
      variables?: {
        [key: string]:
          | string
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'input_text';
              /** @description Text. */
              text: string;
            };
      } | null;
    } | null;
    /** @description Input of the model: a text or a list of items. */
    input?:
      | (
          | string
          | (
              | {
                  /**
                   * @description Type.
                   * @constant
                   */
                  type?: 'message';
                  /**
                   * @description Role of the author.
                   * @enum {string}
                   */
                  role: 'user' | 'assistant' | 'system' | 'developer';
                  /** @description Text of the message, or its parts. */
                  content:
                    | string
                    | (
                        | {
                            /**
                             * @description Type.
                             * @enum {string}
                             */
                            type: 'input_text' | 'output_text';
                            /** @description Text. */
                            text: string;
                          }
                        | {
                            /**
                             * @description Type.
                             * @constant
                             */
                            type: 'refusal';
                            /** @description The model's refusal to answer. */
                            refusal: string;
                          }
                        | {
                            /**
                             * @description Type.
                             * @constant
                             */
                            type: 'input_image';
                            /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                            image_url?: string | null;
                            /** @description Not supported */
                            file_id?: string | null;
                            /** @description Resolution at which the model reads the image. */
                            detail?: ('auto' | 'low' | 'high') | null;
                          }
                        | {
                            /**
                             * @description Type.
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
                   * @description Type.
                   * @constant
                   */
                  type: 'function_call';
                  /** @description Id of the tool call. */
                  call_id: string;
                  /** @description Name. */
                  name: string;
                  /** @description Arguments of the call, as JSON. */
                  arguments: string;
                }
              | {
                  /**
                   * @description Type.
                   * @constant
                   */
                  type: 'function_call_output';
                  /** @description Id of the tool call. */
                  call_id: string;
                  /** @description Output of the call. */
                  output:
                    | string
                    | (
                        | {
                            /**
                             * @description Type.
                             * @enum {string}
                             */
                            type: 'input_text' | 'output_text';
                            /** @description Text. */
                            text: string;
                          }
                        | {
                            /**
                             * @description Type.
                             * @constant
                             */
                            type: 'input_image';
                            /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                            image_url?: string | null;
                            /** @description Not supported */
                            file_id?: string | null;
                            /** @description Resolution at which the model reads the image. */
                            detail?: ('auto' | 'low' | 'high') | null;
                          }
                        | {
                            /**
                             * @description Type.
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
                   * @description Type.
                   * @constant
                   */
                  type: 'mcp_approval_response';
                  /** @description Id of the `mcp_approval_request` */
                  approval_request_id: string;
                  /** @description false: the call is refused, and the run goes on without it */
                  approve: boolean;
                  /** @description Reason that the model reads when the call is refused */
                  reason?: string | null;
                  /** @description Unique id. It never changes. */
                  id?: string | null;
                }
              | {
                  /** @description Type. */
                  type?: 'item_reference' | null;
                  /** @description Unique id. It never changes. */
                  id: string;
                }
            )[]
        )
      | null;
    /** @description System instructions for the model. */
    instructions?: string | null;
    /** @description Id of the response that this one continues; null: none. */
    previous_response_id?: string | null;
    /** @description Conversation to continue. */
    conversation?:
      | (
          | string
          | {
              /**
               * Format: uuid
               * @description Unique id. It never changes.
               */
              id: string;
            }
        )
      | null;
    /** @description Name of a language model. */
    model?: string | null;
    /** @description Maximum number of output tokens; null: the limit of the model. */
    max_output_tokens?: number | null;
    /** @description Randomness of the answer; null: the default of the model. */
    temperature?: number | null;
    /** @description Settings of the text output. */
    text?: {
      /** @description Format of the output. */
      format?:
        | {
            /**
             * @description Type.
             * @constant
             */
            type: 'text';
          }
        | {
            /**
             * @description Type.
             * @constant
             */
            type: 'json_object';
          }
        | {
            /** @description Name. */
            name: string;
            /** @description JSON Schema of the data. */
            schema: {
              [key: string]: unknown;
            };
            /** @description Whether the output must match the schema exactly. */
            strict?: boolean | null;
            /** @description Description, as free text. */
            description?: string | null;
            /**
             * @description Type.
             * @constant
             */
            type: 'json_schema';
          };
      /** @description Length of the answer. */
      verbosity?: ('low' | 'medium' | 'high') | null;
    } | null;
    /** @description What to do when the input is too long. */
    truncation?: ('auto' | 'disabled') | null;
    /** @description Whether to store the response. */
    store?: boolean | null;
    /** @description Whether to answer with server-sent events. */
    stream?: boolean | null;
    /** @description Key-value pairs of your own. */
    metadata?: {
      [key: string]: string;
    } | null;
    /** @description Id of your end user, passed to the model server. */
    user?: string | null;
    /** @description Id of your end user, passed to the model server; null: none. */
    safety_identifier?: string | null;
    /** @description Cache key for the model server; null: none. */
    prompt_cache_key?: string | null;
    /** @description Whether the model may call several tools at once. */
    parallel_tool_calls?: boolean | null;
    /** @description Whether the model may call tools. */
    tool_choice?:
      | (
          | ('auto' | 'none' | 'required')
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'function';
              /** @description Name. */
              name: string;
            }
        )
      | null;
    /** @description Tools. */
    tools?:
      | (
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'function';
              /** @description Name. */
              name: string;
              /** @description Description, as free text. */
              description?: string | null;
              /** @description JSON Schema of the arguments. */
              parameters?: {
                [key: string]: unknown;
              } | null;
              /** @description Whether the output must match the schema exactly. */
              strict?: boolean | null;
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'mcp';
              /** @description Slug of a registered MCP server of the project; `platform`: the clock and the calculator of this installation */
              server_label: string;
              /** @description The tools that the model may call; all that the server has and the credential allows by default */
              allowed_tools?:
                | (
                    | string[]
                    | {
                        /** @description Names of tools as the server lists them */
                        tool_names?: string[] | null;
                        /** @description Not supported */
                        read_only?: unknown;
                      }
                  )
                | null;
              /** @description Which calls wait for a decision; `always` by default. It makes the rules of the project stricter, never looser: a tool whose rule is `ask` or `deny` keeps it with `never` */
              require_approval?:
                | (
                    | ('always' | 'never')
                    | {
                        /** @description Tools whose calls wait for a decision, as those of neither list do */
                        always?: {
                          /** @description Names of tools as the server lists them */
                          tool_names?: string[] | null;
                          /** @description Not supported */
                          read_only?: unknown;
                        } | null;
                        /** @description Tools whose calls wait only where the rules of the project say so */
                        never?: {
                          /** @description Names of tools as the server lists them */
                          tool_names?: string[] | null;
                          /** @description Not supported */
                          read_only?: unknown;
                        } | null;
                      }
                  )
                | null;
              /** @description Not supported: the descriptions of the tools are sent */
              server_description?: unknown;
              /** @description Not supported: the MCP server is registered in the project */
              server_url?: unknown;
              /** @description Not supported: the MCP server is registered in the project */
              connector_id?: unknown;
              /** @description Not supported: the MCP server is registered in the project */
              authorization?: unknown;
              /** @description Not supported: the MCP server is registered in the project */
              headers?: unknown;
            }
        )[]
      | null;
    /** @description Share of the most likely tokens to consider; null: the default of the model. */
    top_p?: number | null;
    /** @description Settings of the reasoning. */
    reasoning?: {
      /** @description How much the model reasons before it answers. */
      effort?: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max') | null;
      /** @description Not supported: leave it out. */
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
    /** @description Whether to create the response in the background. */
    background?: boolean | null;
    /** @description Not supported: leave it out. */
    context_management?: unknown;
    /** @description Not supported: leave it out. */
    image?: unknown;
    /** @description Additional parts of the response. */
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
    /** @description Title, description, tags and times. */
    metadata: {
      /**
       * @description Title to display.
       * @default
       */
      title?: string;
      /**
       * @description Description, as free text.
       * @default
       */
      description?: string;
      /**
       * @description Tags.
       * @default []
       */
      tag?: string[];
      /**
       * @description Description of the change.
       * @default
       */
      log_message?: string;
      /**
       * @description Status.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  ConversationChanges: {
    /** @description Title, description, tags and times. */
    metadata?: {
      /** @description Title to display. */
      title?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Tags. */
      tag?: string[];
      /** @description Description of the change. */
      log_message?: string;
      /**
       * @description Status.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version number. Each change increases it. It is also the ETag. */
      version?: number;
    };
  };
  StartConversationRequest: {
    /** @description First messages and calls of functions, at most 20 */
    items?:
      | (
          | {
              /**
               * @description Type.
               * @constant
               */
              type?: 'message';
              /**
               * @description Role of the author.
               * @enum {string}
               */
              role: 'user' | 'assistant' | 'system' | 'developer';
              /** @description Text of the message, or its parts. */
              content:
                | string
                | (
                    | {
                        /**
                         * @description Type.
                         * @enum {string}
                         */
                        type: 'input_text' | 'output_text';
                        /** @description Text. */
                        text: string;
                      }
                    | {
                        /**
                         * @description Type.
                         * @constant
                         */
                        type: 'refusal';
                        /** @description The model's refusal to answer. */
                        refusal: string;
                      }
                    | {
                        /**
                         * @description Type.
                         * @constant
                         */
                        type: 'input_image';
                        /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                        image_url?: string | null;
                        /** @description Not supported */
                        file_id?: string | null;
                        /** @description Resolution at which the model reads the image. */
                        detail?: ('auto' | 'low' | 'high') | null;
                      }
                    | {
                        /**
                         * @description Type.
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
               * @description Type.
               * @constant
               */
              type: 'function_call';
              /** @description Id of the tool call. */
              call_id: string;
              /** @description Name. */
              name: string;
              /** @description Arguments of the call, as JSON. */
              arguments: string;
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'function_call_output';
              /** @description Id of the tool call. */
              call_id: string;
              /** @description Output of the call. */
              output:
                | string
                | (
                    | {
                        /**
                         * @description Type.
                         * @enum {string}
                         */
                        type: 'input_text' | 'output_text';
                        /** @description Text. */
                        text: string;
                      }
                    | {
                        /**
                         * @description Type.
                         * @constant
                         */
                        type: 'input_image';
                        /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                        image_url?: string | null;
                        /** @description Not supported */
                        file_id?: string | null;
                        /** @description Resolution at which the model reads the image. */
                        detail?: ('auto' | 'low' | 'high') | null;
                      }
                    | {
                        /**
                         * @description Type.
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
           * @description Type.
           * @constant
           */
          type?: 'message';
          /**
           * @description Role of the author.
           * @enum {string}
           */
          role: 'user' | 'assistant' | 'system' | 'developer';
          /** @description Text of the message, or its parts. */
          content:
            | string
            | (
                | {
                    /**
                     * @description Type.
                     * @enum {string}
                     */
                    type: 'input_text' | 'output_text';
                    /** @description Text. */
                    text: string;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'refusal';
                    /** @description The model's refusal to answer. */
                    refusal: string;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'input_image';
                    /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                    image_url?: string | null;
                    /** @description Not supported */
                    file_id?: string | null;
                    /** @description Resolution at which the model reads the image. */
                    detail?: ('auto' | 'low' | 'high') | null;
                  }
                | {
                    /**
                     * @description Type.
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
           * @description Type.
           * @constant
           */
          type: 'function_call';
          /** @description Id of the tool call. */
          call_id: string;
          /** @description Name. */
          name: string;
          /** @description Arguments of the call, as JSON. */
          arguments: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'function_call_output';
          /** @description Id of the tool call. */
          call_id: string;
          /** @description Output of the call. */
          output:
            | string
            | (
                | {
                    /**
                     * @description Type.
                     * @enum {string}
                     */
                    type: 'input_text' | 'output_text';
                    /** @description Text. */
                    text: string;
                  }
                | {
                    /**
                     * @description Type.
                     * @constant
                     */
                    type: 'input_image';
                    /** @description Data URL of a PNG, JPEG, GIF or WebP image, or an https address for models with `image_urls` */
                    image_url?: string | null;
                    /** @description Not supported */
                    file_id?: string | null;
                    /** @description Resolution at which the model reads the image. */
                    detail?: ('auto' | 'low' | 'high') | null;
                  }
                | {
                    /**
                     * @description Type.
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
    /** @description Text. */
    content: string;
    /** @description Text in front of the content. */
    prefix?: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /**
       * @description Description, as free text.
       * @default
       */
      description?: string;
      /**
       * @description Tags.
       * @default []
       */
      tag?: string[];
      /**
       * @description Status.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published';
    };
  };
  AgentChanges: {
    /** @description Text. */
    content?: string;
    /** @description Title, description, tags and times. */
    metadata?: {
      /** @description Title to display. */
      title?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Tags. */
      tag?: string[];
      /**
       * @description Status.
       * @enum {string}
       */
      status?: 'draft' | 'published';
      /** @description Version number. Each change increases it. It is also the ETag. */
      version?: number;
    };
  };
  NewArtifact: {
    /** @description Text. */
    content: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /**
       * @description Title to display.
       * @default
       */
      title?: string;
      /**
       * @description Description, as free text.
       * @default
       */
      description?: string;
      /**
       * @description Tags.
       * @default []
       */
      tag?: string[];
      /**
       * @description Description of the change.
       * @default
       */
      log_message?: string;
      /**
       * @description Status.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  ArtifactChanges: {
    /** @description Text. */
    content?: string;
    /** @description Title, description, tags and times. */
    metadata?: {
      /** @description Title to display. */
      title?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Tags. */
      tag?: string[];
      /** @description Description of the change. */
      log_message?: string;
      /**
       * @description Status.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version number. Each change increases it. It is also the ETag. */
      version?: number;
    };
  };
  NewBlock: {
    /** @description Text in front of the content. */
    prefix: string;
    /**
     * @description Text.
     * @default
     */
    content?: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /**
       * @description Title to display.
       * @default
       */
      title?: string;
      /**
       * @description Description, as free text.
       * @default
       */
      description?: string;
      /**
       * @description Tags.
       * @default []
       */
      tag?: string[];
      /**
       * @description Description of the change.
       * @default
       */
      log_message?: string;
      /**
       * @description Status.
       * @default published
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
    };
  };
  BlockChanges: {
    /** @description Text in front of the content. */
    prefix?: string;
    /** @description Text. */
    content?: string;
    /** @description Title, description, tags and times. */
    metadata?: {
      /** @description Title to display. */
      title?: string;
      /** @description Description, as free text. */
      description?: string;
      /** @description Tags. */
      tag?: string[];
      /** @description Description of the change. */
      log_message?: string;
      /**
       * @description Status.
       * @enum {string}
       */
      status?: 'draft' | 'published' | 'archived';
      /** @description Version number. Each change increases it. It is also the ETag. */
      version?: number;
    };
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
              kind: 'block';
              /**
               * @description Action.
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
               * @description Kind.
               * @constant
               */
              kind: 'block';
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
              fields: Prompt['BlockChanges'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'block';
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
              kind: 'prompt';
              /**
               * @description Action.
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
               * @description Kind.
               * @constant
               */
              kind: 'prompt';
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
              fields: Prompt['PromptChanges'];
            }
          | {
              /**
               * @description Kind.
               * @constant
               */
              kind: 'prompt';
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
  OwnUserChanges: {
    /** @description Account. */
    user?: {
      /** @description Name. */
      name?: string;
    };
  };
  RenderPromptAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description The rendered prompt. */
    data: {
      /** @description Rendered static part. */
      static: string;
      /** @description Rendered dynamic part. */
      dynamic: string;
      /** @description Rendered state part. */
      state: string;
      /** @description JSON Schema of the output. */
      output_schema: {
        [key: string]: unknown;
      };
      /** @description Names of the replaced variables. */
      parsed_tokens: string[];
      /** @description Tokens of each part. */
      token_counts: {
        /** @description Tokens of the static part. */
        static: number;
        /** @description Tokens of the dynamic part. */
        dynamic: number;
        /** @description Tokens of the state part. */
        state: number;
      };
      /** @description Prompt. */
      prompt: Prompt['Prompt'];
    };
    /** @description Warnings about input that is missing or was not used. */
    warnings: string[];
  };
  DiffPromptVersionsAnswer: {
    /** @description Id of the prompt. */
    prompt: string;
    /** @description Number of the earlier version. */
    from: number;
    /** @description Number of the later version. */
    to: number;
    /** @description Changes. */
    changes: {
      /** @description Path of the field. */
      path: string;
      /** @description The earlier value. */
      from: unknown;
      /** @description The later value. */
      to: unknown;
      /** @description Lines of the text, each marked as same, added or removed. */
      lines?: {
        /**
         * @description Kind.
         * @enum {string}
         */
        kind: 'same' | 'added' | 'removed';
        /** @description Text. */
        text: string;
      }[];
    }[];
  };
  MovePromptLabelAnswer: {
    /** @description Name. */
    name: string;
    /** @description Version number. Each change increases it. It is also the ETag. */
    version: number;
    /** @description Whether moving the label needs an admin and a reason. */
    protected: boolean;
    /** @description Id of the prompt. */
    prompt: string;
    /** @description Time of the last change, in UTC. */
    updated: string;
    /** @description Name of the author. */
    author: string;
    /** @description URL of the record. */
    _link: string;
  };
  RunPromptAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description Result of the run. */
    data: {
      /** @description Message that answers the prompt. */
      message: {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Role of the author.
         * @enum {string}
         */
        role: 'system' | 'user' | 'assistant' | 'tool';
        /** @description Text of the message, or its parts. */
        content: string;
        /** @description Referenced records. */
        reference: {
          /** @description Unique id, a UUID. It never changes. */
          uuid: string;
          /** @description URL of the record. */
          link: string;
          /** @description Type. */
          type: string;
        }[];
        /** @description Name of a language model. */
        model: string;
        /** @description Title, description, tags and times. */
        metadata: {
          /** @description Title to display. */
          title: string;
          /** @description Description, as free text. */
          description: string;
          /** @description Tags. */
          tag: string[];
          /** @description Description of the change. */
          log_message: string;
          /** @description Time of creation, in UTC. */
          created: string;
          /** @description Time of the last change, in UTC. */
          updated: string;
          /** @description Version number. Each change increases it. It is also the ETag. */
          version: number;
          /**
           * @description Status.
           * @enum {string}
           */
          status: 'draft' | 'published' | 'archived';
          /** @description Name of the author. */
          author: string;
        };
      };
      /** @description Conversation. */
      conversation: Prompt['Conversation'];
      /** @description Output as JSON. The output schema describes it. */
      structured_data: {
        [key: string]: unknown;
      };
    };
    /** @description The model server's answer. */
    metadata: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Type of the object, in OpenAI's terms. */
      object: string;
      /** @description Time of creation, in UTC. */
      created: number;
      /** @description Name of a language model. */
      model: string;
      /** @description Build of the model, as its server reports it. */
      system_fingerprint: string;
      /** @description Answers. There is always one. */
      choices: unknown[];
      /** @description Tokens that were used. */
      usage: {
        /** @description Tokens of the input; null: unknown. */
        prompt_tokens: number;
        /** @description Tokens of the output; null: unknown. */
        completion_tokens: number;
        /** @description Tokens of input and output. */
        total_tokens: number;
        /** @description Tokens of the input, by kind. */
        prompt_tokens_details?: {
          /** @description Input tokens from the cache of the model server. */
          cached_tokens: number;
        };
        /** @description Tokens of the output, by kind. */
        completion_tokens_details?: {
          /** @description Output tokens of the reasoning. */
          reasoning_tokens: number;
        };
      };
    };
    /** @description Warnings about input that is missing or was not used. */
    warnings: string[];
    /** @description Cost in US dollars; null: the price is unknown. */
    cost_usd?: number | null;
  };
  RenderDraftAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description The rendered prompt. */
    data: {
      /** @description Rendered static part. */
      static: string;
      /** @description Rendered dynamic part. */
      dynamic: string;
      /** @description Rendered state part. */
      state: string;
      /** @description JSON Schema of the output. */
      output_schema: {
        [key: string]: unknown;
      };
      /** @description Names of the replaced variables. */
      parsed_tokens: string[];
      /** @description Tokens of each part. */
      token_counts: {
        /** @description Tokens of the static part. */
        static: number;
        /** @description Tokens of the dynamic part. */
        dynamic: number;
        /** @description Tokens of the state part. */
        state: number;
      };
      /** @description Variables of the prompt. */
      tokens: {
        /** @description Name. */
        name: string;
        /** @description Source of the value of the variable. */
        source: ('built_in' | 'input' | 'block') | null;
      }[];
    };
    /** @description Warnings about input that is missing or was not used. */
    warnings: string[];
    /** @description Errors. */
    faults: {
      /** @description Path of the invalid field, such as `input.schema`. */
      field: string;
      /** @description Short reason. */
      reason: string;
    }[];
    /** @description Errors, each with its position. */
    findings: {
      /**
       * @description Part of the instructions.
       * @enum {string}
       */
      part: 'static' | 'state' | 'dynamic';
      /** @description Line number, from 1. */
      line: number;
      /** @description Column number, from 1. */
      column: number;
      /** @description Short reason. */
      reason: string;
    }[];
  };
  RunDraftAnswer: {
    /** @description Whether it succeeded. */
    success: boolean;
    /** @description The model server's answer. */
    metadata: {
      /** @description Unique id. It never changes. */
      id: string;
      /** @description Type of the object, in OpenAI's terms. */
      object: string;
      /** @description Time of creation, in UTC. */
      created: number;
      /** @description Name of a language model. */
      model: string;
      /** @description Build of the model, as its server reports it. */
      system_fingerprint: string;
      /** @description Answers. There is always one. */
      choices: unknown[];
      /** @description Tokens that were used. */
      usage: {
        /** @description Tokens of the input; null: unknown. */
        prompt_tokens: number;
        /** @description Tokens of the output; null: unknown. */
        completion_tokens: number;
        /** @description Tokens of input and output. */
        total_tokens: number;
        /** @description Tokens of the input, by kind. */
        prompt_tokens_details?: {
          /** @description Input tokens from the cache of the model server. */
          cached_tokens: number;
        };
        /** @description Tokens of the output, by kind. */
        completion_tokens_details?: {
          /** @description Output tokens of the reasoning. */
          reasoning_tokens: number;
        };
      };
    };
    /** @description Warnings about input that is missing or was not used. */
    warnings: string[];
    /** @description Cost in US dollars; null: the price is unknown. */
    cost_usd?: number | null;
    /** @description Run. */
    run: string;
    /** @description Result of the run. */
    data: {
      /** @description Text. */
      content: string;
      /** @description Output as JSON. The output schema describes it. */
      structured_data: {
        [key: string]: unknown;
      };
    };
  };
  CreatedChatCompletion: {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Type of the object, in OpenAI's terms.
     * @constant
     */
    object: 'chat.completion';
    /** @description Time of creation, in UTC. */
    created: number;
    /** @description Name of a language model. */
    model: string;
    /** @description Answers. There is always one. */
    choices: {
      /** @description Position, from 0. */
      index: number;
      /** @description Message of the model. */
      message: {
        /**
         * @description Role of the author.
         * @constant
         */
        role: 'assistant';
        /** @description Text of the message, or its parts. */
        content: string | null;
        /** @description The model's refusal to answer. */
        refusal: string | null;
        /** @description Calls of tools. */
        tool_calls?: {
          /** @description Unique id. It never changes. */
          id: string;
          /**
           * @description Type.
           * @constant
           */
          type: 'function';
          /** @description Function to call, with its arguments. */
          function: {
            /** @description Name. */
            name: string;
            /** @description Arguments of the call, as JSON. */
            arguments: string;
          };
        }[];
      };
      /** @description Not supported: false or null. */
      logprobs: null;
      /**
       * @description Reason for which the model ended; null: not ended.
       * @enum {string}
       */
      finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
    }[];
    /** @description Tokens that were used. */
    usage: {
      /** @description Tokens of the input; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens of the output; null: unknown. */
      completion_tokens: number;
      /** @description Tokens of input and output. */
      total_tokens: number;
      /** @description Tokens of the input, by kind. */
      prompt_tokens_details?: {
        /** @description Input tokens from the cache of the model server. */
        cached_tokens: number;
      };
      /** @description Tokens of the output, by kind. */
      completion_tokens_details?: {
        /** @description Output tokens of the reasoning. */
        reasoning_tokens: number;
      };
    };
    /** @description Id of the run, which the runtime API shows */
    run: string;
    /** @description Warnings about input that is missing or was not used. */
    warnings: string[];
  };
  CreatedMessage: {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Type.
     * @constant
     */
    type: 'message';
    /**
     * @description Role of the author.
     * @constant
     */
    role: 'assistant';
    /** @description Name of a language model. */
    model: string;
    /** @description Parts of the answer. */
    content: (
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'text';
          /** @description Text. */
          text: string;
        }
      | {
          /**
           * @description Type.
           * @constant
           */
          type: 'tool_use';
          /** @description Unique id. It never changes. */
          id: string;
          /** @description Name. */
          name: string;
          /** @description Arguments of the call, as JSON. */
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
    /** @description Tokens that were used. */
    usage: {
      /** @description Tokens of the input. */
      input_tokens: number;
      /** @description Tokens of the output. */
      output_tokens: number;
      /** @description As reported by the server of the model; absent when it reports none */
      cache_read_input_tokens?: number;
    };
    /** @description Id of the run, which the runtime API shows */
    run: string;
    /** @description Warnings about input that is missing or was not used. */
    warnings: string[];
  };
  CreatedEmbeddings: {
    /**
     * @description Type of the object, in OpenAI's terms.
     * @constant
     */
    object: 'list';
    /** @description Embeddings, in the order of the input. */
    data: {
      /**
       * @description Type of the object, in OpenAI's terms.
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
    /** @description Tokens that were used. */
    usage: {
      /** @description Tokens of the input; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens of input and output. */
      total_tokens: number;
    };
  };
  /** OpenAiConversation */
  OpenAiConversation: {
    /** @description Id of the conversation, as `/v1/conversation` has it */
    id: string;
    /**
     * @description Type of the object, in OpenAI's terms.
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
     * @description Type of the object, in OpenAI's terms.
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
  'listPrompts.query': {
    /**
     * @description Number of the page, from 1.
     * @default 1
     */
    page?: number;
    /**
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Returns only records that contain this text. */
    search?: string;
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'listPrompts.answer': Prompt['Prompt'][];
  'deletePrompt.query': {
    /** @description Short reason. */
    reason?: string;
  };
  'renderPrompt.query': {
    /** @description Version number. Each change increases it. It is also the ETag. */
    version?: number;
    /** @description Label of the version to use. */
    label?: string;
  };
  'renderPrompt.item': string;
  'getInput.item': {
    /** @description Unique id, a UUID. It never changes. */
    uuid: string;
    /** @description URL of the record. */
    link: string;
    /**
     * @description Type.
     * @enum {string}
     */
    type: 'input' | 'output';
  };
  'getOutput.item': {
    /** @description Unique id, a UUID. It never changes. */
    uuid: string;
    /** @description URL of the record. */
    link: string;
    /**
     * @description Type.
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
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
  };
  'listPromptVersions.answer': Prompt['Prompt'][];
  'diffPromptVersions.query': {
    /** @description Number of the earlier version. */
    from?: number;
  };
  'diffPromptVersions.item': {
    /** @description Path of the field. */
    path: string;
    /** @description The earlier value. */
    from: unknown;
    /** @description The later value. */
    to: unknown;
    /** @description Lines of the text, each marked as same, added or removed. */
    lines?: {
      /**
       * @description Kind.
       * @enum {string}
       */
      kind: 'same' | 'added' | 'removed';
      /** @description Text. */
      text: string;
    }[];
  };
  'listPromptLabels.answer': Prompt['MovePromptLabelAnswer'][];
  'deletePromptLabel.query': {
    /** @description Short reason. */
    reason?: string;
  };
  'runPrompt.query': {
    /** @description Version number. Each change increases it. It is also the ETag. */
    version?: number;
    /** @description Label of the version to use. */
    label?: string;
  };
  'runPrompt.item': string;
  /** @description With `stream: true`: `chunk` for each part of the answer; `repair` when the answer did not fit the output schema (its data says why): the model is asked once more, and the chunks that follow replace those before; at the end, once all is stored, `result` with the model-run result. A failure after the first event is sent as `error`, and nothing is stored. Comments keep the connection open. */
  'runPrompt.event':
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type of the object, in OpenAI's terms.
         * @constant
         */
        object: 'chat.completion.chunk';
        /** @description Time of creation, in UTC. */
        created: number;
        /** @description Name of a language model. */
        model: string;
        /** @description Answers. There is always one. */
        choices: {
          /** @description Position, from 0. */
          index: number;
          /** @description Next piece of the answer. */
          delta: {
            /** @description Next piece of the text. */
            content: string;
          };
          /** @description Reason for which the model ended; null: not ended. */
          finish_reason: string | null;
        }[];
      }
    | {
        /** @description Warnings about input that is missing or was not used. */
        warnings: string[];
      }
    | Prompt['RunPromptAnswer']
    | {
        /** @description The error; null or absent: no error. */
        error: {
          /** @description Error code for programs. It does not change between releases. */
          code: string;
          /** @description Error message to display. */
          message: string;
          /** @description Status. */
          status: number;
        } & {
          [key: string]: unknown;
        };
        /** @description Error message to display. */
        message: string;
      };
  'getPromptVersionUsage.item': {
    /** @description Name of a language model. */
    model: string;
    /** @description Number of runs. */
    runs: number;
    /** @description Tokens that were used. */
    usage: {
      /** @description Tokens of the input; null: unknown. */
      prompt_tokens: number;
      /** @description Tokens of the output; null: unknown. */
      completion_tokens: number;
      /** @description Tokens of input and output. */
      total_tokens: number;
    };
    /** @description Cost in US dollars; null: the price is unknown. */
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
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type of the object, in OpenAI's terms.
         * @constant
         */
        object: 'chat.completion.chunk';
        /** @description Time of creation, in UTC. */
        created: number;
        /** @description Name of a language model. */
        model: string;
        /** @description Answers. There is always one. */
        choices: {
          /** @description Position, from 0. */
          index: number;
          /** @description Next piece of the answer. */
          delta: {
            /** @description Next piece of the text. */
            content: string;
          };
          /** @description Reason for which the model ended; null: not ended. */
          finish_reason: string | null;
        }[];
      }
    | {
        /** @description Warnings about input that is missing or was not used. */
        warnings: string[];
      }
    | Prompt['RunPromptAnswer']
    | {
        /** @description The error; null or absent: no error. */
        error: {
          /** @description Error code for programs. It does not change between releases. */
          code: string;
          /** @description Error message to display. */
          message: string;
          /** @description Status. */
          status: number;
        } & {
          [key: string]: unknown;
        };
        /** @description Error message to display. */
        message: string;
      }
    | Prompt['RunDraftAnswer'];
  'createEmbeddings.item': {
    /**
     * @description Type of the object, in OpenAI's terms.
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
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'message';
        /**
         * @description Role of the author.
         * @constant
         */
        role: 'assistant';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'incomplete';
        /** @description Parts of the answer. */
        content: (
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'output_text';
              /** @description Text. */
              text: string;
              /** @description Annotations of the text. */
              annotations: unknown[];
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'refusal';
              /** @description The model's refusal to answer. */
              refusal: string;
            }
        )[];
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'function_call';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'mcp_call';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'failed';
        /** @description Name of the tool */
        name: string;
        /** @description Arguments as the model wrote them, as JSON */
        arguments: string;
        /** @description Slug of the MCP server */
        server_label: string;
        /** @description Id of the `mcp_approval_request` that decided about the call */
        approval_request_id: string | null;
        /** @description Result of the call; null when it failed */
        output: string | null;
        /** @description Why the call failed or was refused, as the model reads it */
        error: string | null;
      }
    | {
        /** @description Id of the approval */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'mcp_approval_request';
        /** @description Name of the tool */
        name: string;
        /** @description Arguments as the model wrote them, as JSON */
        arguments: string;
        /** @description Name of the tool's MCP server or plugin */
        server_label: string;
      };
  /** @description With `stream: true`: response.created, response.in_progress, response.output_item.added, response.content_part.added, response.output_text.delta, response.output_text.done, response.content_part.done, response.output_item.done, and last response.completed, response.incomplete or response.failed; a call of a tool has response.mcp_call.in_progress, response.mcp_call_arguments.done and response.mcp_call.completed or response.mcp_call.failed; `error` for a failure in between, of which nothing is stored. An answer that must fit a schema is sent when it has been checked. */
  'createResponse.event': {
    /** @description Type. */
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
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'message';
        /**
         * @description Role of the author.
         * @constant
         */
        role: 'assistant';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'incomplete';
        /** @description Parts of the answer. */
        content: (
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'output_text';
              /** @description Text. */
              text: string;
              /** @description Annotations of the text. */
              annotations: unknown[];
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'refusal';
              /** @description The model's refusal to answer. */
              refusal: string;
            }
        )[];
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'function_call';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'mcp_call';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'failed';
        /** @description Name of the tool */
        name: string;
        /** @description Arguments as the model wrote them, as JSON */
        arguments: string;
        /** @description Slug of the MCP server */
        server_label: string;
        /** @description Id of the `mcp_approval_request` that decided about the call */
        approval_request_id: string | null;
        /** @description Result of the call; null when it failed */
        output: string | null;
        /** @description Why the call failed or was refused, as the model reads it */
        error: string | null;
      }
    | {
        /** @description Id of the approval */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'mcp_approval_request';
        /** @description Name of the tool */
        name: string;
        /** @description Arguments as the model wrote them, as JSON */
        arguments: string;
        /** @description Name of the tool's MCP server or plugin */
        server_label: string;
      };
  /** @description With `stream=true`: the events of the response, from its beginning */
  'getResponse.event': {
    /** @description Type. */
    type: string;
    /** @description Number of the event in the stream, from 0. */
    sequence_number: number;
  } & {
    [key: string]: unknown;
  };
  'listResponseInputItems.query': {
    /**
     * @description Maximum number of records per page.
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
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'message';
        /**
         * @description Role of the author.
         * @constant
         */
        role: 'assistant';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'incomplete';
        /** @description Parts of the answer. */
        content: (
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'output_text';
              /** @description Text. */
              text: string;
              /** @description Annotations of the text. */
              annotations: unknown[];
            }
          | {
              /**
               * @description Type.
               * @constant
               */
              type: 'refusal';
              /** @description The model's refusal to answer. */
              refusal: string;
            }
        )[];
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'function_call';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed';
        /** @description Id of the tool call. */
        call_id: string;
        /** @description Name. */
        name: string;
        /** @description Arguments of the call, as JSON. */
        arguments: string;
      }
    | {
        /** @description Unique id. It never changes. */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'mcp_call';
        /**
         * @description Status.
         * @enum {string}
         */
        status: 'in_progress' | 'completed' | 'failed';
        /** @description Name of the tool */
        name: string;
        /** @description Arguments as the model wrote them, as JSON */
        arguments: string;
        /** @description Slug of the MCP server */
        server_label: string;
        /** @description Id of the `mcp_approval_request` that decided about the call */
        approval_request_id: string | null;
        /** @description Result of the call; null when it failed */
        output: string | null;
        /** @description Why the call failed or was refused, as the model reads it */
        error: string | null;
      }
    | {
        /** @description Id of the approval */
        id: string;
        /**
         * @description Type.
         * @constant
         */
        type: 'mcp_approval_request';
        /** @description Name of the tool */
        name: string;
        /** @description Arguments as the model wrote them, as JSON */
        arguments: string;
        /** @description Name of the tool's MCP server or plugin */
        server_label: string;
      };
  'createConversation.item': {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Role of the author.
     * @enum {string}
     */
    role: 'system' | 'user' | 'assistant' | 'tool';
    /** @description Text of the message, or its parts. */
    content: string;
    /** @description Referenced records. */
    reference: {
      /** @description Unique id, a UUID. It never changes. */
      uuid: string;
      /** @description URL of the record. */
      link: string;
      /** @description Type. */
      type: string;
    }[];
    /** @description Name of a language model. */
    model: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
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
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Returns only records that contain this text. */
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
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Role of the author.
     * @enum {string}
     */
    role: 'system' | 'user' | 'assistant' | 'tool';
    /** @description Text of the message, or its parts. */
    content: string;
    /** @description Referenced records. */
    reference: {
      /** @description Unique id, a UUID. It never changes. */
      uuid: string;
      /** @description URL of the record. */
      link: string;
      /** @description Type. */
      type: string;
    }[];
    /** @description Name of a language model. */
    model: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
  };
  'updateConversation.item': {
    /** @description Unique id. It never changes. */
    id: string;
    /**
     * @description Role of the author.
     * @enum {string}
     */
    role: 'system' | 'user' | 'assistant' | 'tool';
    /** @description Text of the message, or its parts. */
    content: string;
    /** @description Referenced records. */
    reference: {
      /** @description Unique id, a UUID. It never changes. */
      uuid: string;
      /** @description URL of the record. */
      link: string;
      /** @description Type. */
      type: string;
    }[];
    /** @description Name of a language model. */
    model: string;
    /** @description Title, description, tags and times. */
    metadata: {
      /** @description Title to display. */
      title: string;
      /** @description Description, as free text. */
      description: string;
      /** @description Tags. */
      tag: string[];
      /** @description Description of the change. */
      log_message: string;
      /** @description Time of creation, in UTC. */
      created: string;
      /** @description Time of the last change, in UTC. */
      updated: string;
      /** @description Version number. Each change increases it. It is also the ETag. */
      version: number;
      /**
       * @description Status.
       * @enum {string}
       */
      status: 'draft' | 'published' | 'archived';
      /** @description Name of the author. */
      author: string;
    };
  };
  'listConversationItems.query': {
    /**
     * @description Maximum number of records per page.
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
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Returns only records that contain this text. */
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
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Returns only records that contain this text. */
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
     * @description Maximum number of records per page.
     * @default 20
     */
    limit?: number;
    /** @description Items of the page to leave out; the `Link` of a page that is answered in parts has it */
    skip?: number;
    /**
     * @description Field to sort by.
     * @default created
     * @enum {string}
     */
    sort_by?: 'created' | 'updated' | 'title';
    /**
     * @description Sort direction.
     * @default desc
     * @enum {string}
     */
    sort_direction?: 'asc' | 'desc';
    /**
     * @description Status.
     * @enum {string}
     */
    status?: 'draft' | 'published' | 'archived';
    /** @description Returns only records that contain this text. */
    search?: string;
    /** @description Comma-separated; records that have all of these tags */
    tag?: string;
  };
  'listBlocks.answer': Prompt['Block'][];
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
}
