/** Generated from docs/openapi/prompt.json by `npm run openapi`: do not edit. */
export interface PromptAnswers {
  createPrompt: PromptAnswers['Prompt'];
  listPrompts: PromptAnswers['Prompt'][];
  getPrompt: PromptAnswers['Prompt'];
  updatePrompt: PromptAnswers['Prompt'];
  renderPrompt: PromptAnswers['RenderPromptAnswer'];
  getInput: PromptAnswers['Definition'];
  getOutput: PromptAnswers['Definition'];
  listPromptVersions: PromptAnswers['Prompt'][];
  getPromptVersion: PromptAnswers['Prompt'];
  diffPromptVersions: PromptAnswers['DiffPromptVersionsAnswer'];
  restorePromptVersion: PromptAnswers['Prompt'];
  listPromptLabels: PromptAnswers['MovePromptLabelAnswer'][];
  movePromptLabel: PromptAnswers['MovePromptLabelAnswer'];
  runPrompt: PromptAnswers['RunPromptAnswer'];
  getPromptVersionUsage: PromptAnswers['PromptVersionUsage'];
  renderDraft: PromptAnswers['RenderDraftAnswer'];
  runDraft: PromptAnswers['RunDraftAnswer'];
  listModels: PromptAnswers['ModelList'];
  getModel: PromptAnswers['Model'];
  createChatCompletion: PromptAnswers['CreatedChatCompletion'];
  createMessage: PromptAnswers['CreatedMessage'];
  createEmbeddings: PromptAnswers['CreatedEmbeddings'];
  createResponse: PromptAnswers['ModelResponse'];
  getResponse: PromptAnswers['ModelResponse'];
  listResponseInputItems: PromptAnswers['ResponseInputItemList'];
  cancelResponse: PromptAnswers['ModelResponse'];
  createConversation: PromptAnswers['Conversation'];
  listConversations: PromptAnswers['Conversation'][];
  getConversation: PromptAnswers['Conversation'];
  updateConversation: PromptAnswers['Conversation'];
  startConversation: PromptAnswers['OpenAiConversation'];
  retrieveConversation: PromptAnswers['OpenAiConversation'];
  changeConversation: PromptAnswers['OpenAiConversation'];
  endConversation: PromptAnswers['EndConversationAnswer'];
  listConversationItems: PromptAnswers['ResponseInputItemList'];
  addConversationItems: PromptAnswers['ResponseInputItemList'];
  getConversationItem: PromptAnswers['ConversationItem'];
  deleteConversationItem: PromptAnswers['OpenAiConversation'];
  createAgent: PromptAnswers['Agent'];
  listAgents: PromptAnswers['Agent'][];
  getAgent: PromptAnswers['Agent'];
  updateAgent: PromptAnswers['Agent'];
  createArtifact: PromptAnswers['Artifact'];
  listArtifacts: PromptAnswers['Artifact'][];
  getArtifact: PromptAnswers['Artifact'];
  updateArtifact: PromptAnswers['Artifact'];
  createBlock: PromptAnswers['Block'];
  listBlocks: PromptAnswers['Block'][];
  getBlock: PromptAnswers['Block'];
  updateBlock: PromptAnswers['Block'];
  makeChanges: PromptAnswers['MakeChangesAnswer'];
  getOwnUser: PromptAnswers['OwnUser'];
  getMcpUser: PromptAnswers['OwnUser'];
  updateOwnUser: PromptAnswers['OwnUser'];
  Prompt: {
    id: string;
    instruction: {
      static: string;
      state: string;
      dynamic: string;
    };
    input: PromptAnswers['Definition'];
    output: PromptAnswers['Definition'];
    model_parameters: {
      temperature?: number;
      max_tokens?: number;
      top_p?: number;
      reasoning_effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
      stop?: string[];
    };
    metadata: {
      title: string;
      description: string;
      tag: string[];
      log_message: string;
      created: string;
      updated: string;
      version: number;
      status: 'draft' | 'published' | 'archived';
      author: string;
    };
    _link: string;
  };
  Definition: {
    id: string;
    name: string;
    description: string;
    type: string | string[];
    reference: {
      uuid: string;
      link: string;
      type: 'input' | 'output';
    }[];
    schema: {
      [key: string]: unknown;
    };
  };
  RenderPromptAnswer: {
    success: boolean;
    data: {
      static: string;
      dynamic: string;
      state: string;
      output_schema: {
        [key: string]: unknown;
      };
      parsed_tokens: string[];
      token_counts: {
        static: number;
        dynamic: number;
        state: number;
      };
      prompt: PromptAnswers['Prompt'];
    };
    warnings: string[];
  };
  DiffPromptVersionsAnswer: {
    prompt: string;
    from: number;
    to: number;
    changes: {
      path: string;
      from: unknown;
      to: unknown;
      lines?: {
        kind: 'same' | 'added' | 'removed';
        text: string;
      }[];
    }[];
  };
  MovePromptLabelAnswer: {
    name: string;
    version: number;
    protected: boolean;
    prompt: string;
    updated: string;
    author: string;
    _link: string;
  };
  RunPromptAnswer: {
    success: boolean;
    data: {
      message: {
        id: string;
        role: 'system' | 'user' | 'assistant' | 'tool';
        content: string;
        reference: {
          uuid: string;
          link: string;
          type: string;
        }[];
        model: string;
        metadata: {
          title: string;
          description: string;
          tag: string[];
          log_message: string;
          created: string;
          updated: string;
          version: number;
          status: 'draft' | 'published' | 'archived';
          author: string;
        };
      };
      conversation: PromptAnswers['Conversation'];
      structured_data: {
        [key: string]: unknown;
      };
    };
    metadata: {
      id: string;
      object: string;
      created: number;
      model: string;
      system_fingerprint: string;
      choices: unknown[];
      usage: {
        prompt_tokens: number;
        completion_tokens: number;
        total_tokens: number;
        prompt_tokens_details?: {
          cached_tokens: number;
        };
        completion_tokens_details?: {
          reasoning_tokens: number;
        };
      };
    };
    warnings: string[];
    cost_usd?: number | null;
  };
  Conversation: {
    id: string;
    message: {
      id: string;
      role: 'system' | 'user' | 'assistant' | 'tool';
      content: string;
      reference: {
        uuid: string;
        link: string;
        type: string;
      }[];
      model: string;
      metadata: {
        title: string;
        description: string;
        tag: string[];
        log_message: string;
        created: string;
        updated: string;
        version: number;
        status: 'draft' | 'published' | 'archived';
        author: string;
      };
    }[];
    metadata: {
      title: string;
      description: string;
      tag: string[];
      log_message: string;
      created: string;
      updated: string;
      version: number;
      status: 'draft' | 'published' | 'archived';
      author: string;
    };
    _link: string;
  };
  PromptVersionUsage: {
    prompt: string;
    version: number;
    runs: number;
    usage: {
      prompt_tokens: number;
      completion_tokens: number;
      total_tokens: number;
    };
    cost_usd: number | null;
    unpriced_runs: number;
    estimated_runs: number;
    last_run: string | null;
    models: {
      model: string;
      runs: number;
      usage: {
        prompt_tokens: number;
        completion_tokens: number;
        total_tokens: number;
      };
      cost_usd: number | null;
      unpriced_runs: number;
      estimated_runs: number;
    }[];
  };
  RenderDraftAnswer: {
    success: boolean;
    data: {
      static: string;
      dynamic: string;
      state: string;
      output_schema: {
        [key: string]: unknown;
      };
      parsed_tokens: string[];
      token_counts: {
        static: number;
        dynamic: number;
        state: number;
      };
      tokens: {
        name: string;
        source: ('built_in' | 'input' | 'block') | null;
      }[];
    };
    warnings: string[];
    faults: {
      field: string;
      reason: string;
    }[];
    findings: {
      part: 'static' | 'state' | 'dynamic';
      line: number;
      column: number;
      reason: string;
    }[];
  };
  RunDraftAnswer: {
    success: boolean;
    metadata: {
      id: string;
      object: string;
      created: number;
      model: string;
      system_fingerprint: string;
      choices: unknown[];
      usage: {
        prompt_tokens: number;
        completion_tokens: number;
        total_tokens: number;
        prompt_tokens_details?: {
          cached_tokens: number;
        };
        completion_tokens_details?: {
          reasoning_tokens: number;
        };
      };
    };
    warnings: string[];
    cost_usd?: number | null;
    run: string;
    data: {
      content: string;
      structured_data: {
        [key: string]: unknown;
      };
    };
  };
  ModelList: {
    object: 'list';
    data: PromptAnswers['Model'][];
  };
  Model: {
    id: string;
    object: 'model';
    created: number;
    owned_by: 'model' | 'agent' | 'prompt';
    name: string;
  };
  CreatedChatCompletion: {
    id: string;
    object: 'chat.completion';
    created: number;
    model: string;
    choices: {
      index: number;
      message: {
        role: 'assistant';
        content: string | null;
        refusal: string | null;
        tool_calls?: {
          id: string;
          type: 'function';
          function: {
            name: string;
            arguments: string;
          };
        }[];
      };
      logprobs: null;
      finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
    }[];
    usage: {
      prompt_tokens: number;
      completion_tokens: number;
      total_tokens: number;
      prompt_tokens_details?: {
        cached_tokens: number;
      };
      completion_tokens_details?: {
        reasoning_tokens: number;
      };
    };
    run: string;
    warnings: string[];
  };
  CreatedMessage: {
    id: string;
    type: 'message';
    role: 'assistant';
    model: string;
    content: (
      | {
          type: 'text';
          text: string;
        }
      | {
          type: 'tool_use';
          id: string;
          name: string;
          input: {
            [key: string]: unknown;
          };
        }
    )[];
    stop_reason: 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';
    stop_sequence: null;
    usage: {
      input_tokens: number;
      output_tokens: number;
      cache_read_input_tokens?: number;
    };
    run: string;
    warnings: string[];
  };
  CreatedEmbeddings: {
    object: 'list';
    data: {
      object: 'embedding';
      index: number;
      embedding: number[] | string;
    }[];
    model: string;
    usage: {
      prompt_tokens: number;
      total_tokens: number;
    };
  };
  ModelResponse: {
    id: string;
    object: 'response';
    created_at: number;
    completed_at: number | null;
    status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
    background: boolean;
    error: {
      code: string;
      message: string;
    } | null;
    incomplete_details: {
      reason: 'max_output_tokens' | 'content_filter';
    } | null;
    instructions: string | null;
    max_output_tokens: number | null;
    metadata: {
      [key: string]: string;
    };
    model: string;
    output: (
      | {
          id: string;
          type: 'message';
          role: 'assistant';
          status: 'in_progress' | 'completed' | 'incomplete';
          content: (
            | {
                type: 'output_text';
                text: string;
                annotations: unknown[];
              }
            | {
                type: 'refusal';
                refusal: string;
              }
          )[];
        }
      | {
          id: string;
          type: 'function_call';
          status: 'in_progress' | 'completed';
          call_id: string;
          name: string;
          arguments: string;
        }
      | {
          id: string;
          type: 'mcp_call';
          status: 'in_progress' | 'completed' | 'failed';
          name: string;
          arguments: string;
          server_label: string;
          approval_request_id: string | null;
          output: string | null;
          error: string | null;
        }
      | {
          id: string;
          type: 'mcp_approval_request';
          name: string;
          arguments: string;
          server_label: string;
        }
    )[];
    parallel_tool_calls: boolean;
    previous_response_id: string | null;
    conversation: {
      id: string;
    } | null;
    prompt: {
      id: string;
      version?: string | null;
      variables?: {
        [key: string]:
          | string
          | {
              type: 'input_text';
              text: string;
            };
      } | null;
    } | null;
    prompt_cache_key: string | null;
    safety_identifier: string | null;
    store: boolean;
    temperature: number | null;
    text: {
      format: {
        type: string;
      } & {
        [key: string]: unknown;
      };
    };
    tool_choice:
      | ('auto' | 'none' | 'required')
      | {
          type: 'function';
          name: string;
        };
    tools: (
      | {
          type: 'function';
          name: string;
          description?: string | null;
          parameters?: {
            [key: string]: unknown;
          } | null;
          strict?: boolean | null;
        }
      | {
          type: 'mcp';
          server_label: string;
          allowed_tools?:
            | (
                | string[]
                | {
                    tool_names?: string[] | null;
                    read_only?: unknown;
                  }
              )
            | null;
          require_approval?:
            | (
                | ('always' | 'never')
                | {
                    always?: {
                      tool_names?: string[] | null;
                      read_only?: unknown;
                    } | null;
                    never?: {
                      tool_names?: string[] | null;
                      read_only?: unknown;
                    } | null;
                  }
              )
            | null;
        }
    )[];
    reasoning?: {
      effort: string | null;
    };
    top_p: number | null;
    truncation: 'auto' | 'disabled';
    usage: {
      input_tokens: number;
      input_tokens_details?: {
        cached_tokens: number;
      };
      output_tokens: number;
      output_tokens_details?: {
        reasoning_tokens: number;
      };
      total_tokens: number;
    } | null;
    user: string | null;
    warnings: string[];
  };
  ResponseInputItemList: {
    object: 'list';
    data: PromptAnswers['ConversationItem'][];
    first_id: string | null;
    last_id: string | null;
    has_more: boolean;
  };
  ConversationItem:
    | {
        id: string;
        type: 'message';
        role: 'user' | 'assistant' | 'system';
        status: 'completed';
        content: (
          | {
              type: 'input_text';
              text: string;
            }
          | {
              type: 'input_image';
              image_url: string;
              detail: 'auto' | 'low' | 'high';
              file_id: null;
            }
          | {
              type: 'output_text';
              text: string;
              annotations: unknown[];
            }
        )[];
      }
    | {
        id: string;
        type: 'function_call';
        status: 'completed';
        call_id: string;
        name: string;
        arguments: string;
      }
    | {
        id: string;
        type: 'function_call_output';
        status: 'completed';
        call_id: string;
        output:
          | string
          | (
              | {
                  type: 'input_text';
                  text: string;
                }
              | {
                  type: 'input_image';
                  image_url: string;
                  detail: 'auto' | 'low' | 'high';
                  file_id: null;
                }
              | {
                  type: 'output_text';
                  text: string;
                  annotations: unknown[];
                }
            )[];
      };
  OpenAiConversation: {
    id: string;
    object: 'conversation';
    created_at: number;
    metadata: {
      [key: string]: string;
    };
  };
  EndConversationAnswer: {
    id: string;
    object: 'conversation.deleted';
    deleted: true;
  };
  Agent: {
    id: string;
    content: string;
    prefix: string;
    metadata: {
      title: string;
      description: string;
      tag: string[];
      log_message: string;
      created: string;
      updated: string;
      version: number;
      status: 'draft' | 'published' | 'archived';
      author: string;
    };
    _link: string;
  };
  Artifact: {
    id: string;
    content: string;
    metadata: {
      title: string;
      description: string;
      tag: string[];
      log_message: string;
      created: string;
      updated: string;
      version: number;
      status: 'draft' | 'published' | 'archived';
      author: string;
    };
    _link: string;
  };
  Block: {
    id: string;
    content: string;
    prefix: string;
    metadata: {
      title: string;
      description: string;
      tag: string[];
      log_message: string;
      created: string;
      updated: string;
      version: number;
      status: 'draft' | 'published' | 'archived';
      author: string;
    };
    _link: string;
  };
  MakeChangesAnswer: {
    changes: {
      kind: string;
      action: 'create' | 'update' | 'delete';
      id: string;
      etag: string | null;
    }[];
  };
  OwnUser: {
    user: {
      id: string;
      uuid: string;
      name: string;
      email: string;
      roles: string[];
      project: string;
    };
    content: {
      prompt: number;
      artifact: number;
      block: number;
      conversation: number;
    };
    usage: {
      ai: {
        execution: number;
        token: number;
      };
    };
  };
}
