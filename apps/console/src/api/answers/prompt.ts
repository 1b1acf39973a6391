/** Generated from docs/openapi/prompt.json by `npm run openapi`: do not edit. */
export interface PromptAnswers {
  createPrompt: PromptAnswers['getPrompt'];
  listPrompts: PromptAnswers['getPrompt'][];
  getPrompt: {
    id: string;
    instruction: {
      static: string;
      state: string;
      dynamic: string;
    };
    input: PromptAnswers['getInput'];
    output: PromptAnswers['getInput'];
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
  updatePrompt: PromptAnswers['getPrompt'];
  renderPrompt: {
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
      prompt: PromptAnswers['getPrompt'];
    };
    warnings: string[];
  };
  getInput: {
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
  getOutput: PromptAnswers['getInput'];
  listPromptVersions: PromptAnswers['getPrompt'][];
  getPromptVersion: PromptAnswers['getPrompt'];
  diffPromptVersions: {
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
  restorePromptVersion: PromptAnswers['getPrompt'];
  listPromptLabels: PromptAnswers['movePromptLabel'][];
  movePromptLabel: {
    name: string;
    version: number;
    protected: boolean;
    prompt: string;
    updated: string;
    author: string;
    _link: string;
  };
  runPrompt: {
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
      conversation: PromptAnswers['getConversation'];
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
  getPromptVersionUsage: {
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
  renderDraft: {
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
  listModels: {
    object: 'list';
    data: PromptAnswers['getModel'][];
  };
  getModel: {
    id: string;
    object: 'model';
    created: number;
    owned_by: 'model' | 'agent' | 'prompt';
    name: string;
  };
  createResponse: PromptAnswers['getResponse'];
  getResponse: {
    id: string;
    object: 'response';
    created_at: number;
    completed_at: number | null;
    status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
    background: false;
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
    output: {
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
    }[];
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
    };
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
    tool_choice: 'auto' | 'none';
    tools: unknown[];
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
  createConversation: PromptAnswers['getConversation'];
  listConversations: PromptAnswers['getConversation'][];
  getConversation: {
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
  updateConversation: PromptAnswers['getConversation'];
  createAgent: PromptAnswers['getAgent'];
  listAgents: PromptAnswers['getAgent'][];
  getAgent: {
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
  updateAgent: PromptAnswers['getAgent'];
  createArtifact: PromptAnswers['getArtifact'];
  listArtifacts: PromptAnswers['getArtifact'][];
  getArtifact: {
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
  updateArtifact: PromptAnswers['getArtifact'];
  createBlock: PromptAnswers['getAgent'];
  listBlocks: PromptAnswers['getAgent'][];
  getBlock: PromptAnswers['getAgent'];
  updateBlock: PromptAnswers['getAgent'];
  getOwnUser: {
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
  getMcpUser: PromptAnswers['getOwnUser'];
  updateOwnUser: PromptAnswers['getOwnUser'];
  Error: {
    error: {
      code: string;
      message: string;
      status: number;
      type: string;
      param: string | null;
    };
    message: string;
  };
}
