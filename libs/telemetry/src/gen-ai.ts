import type { SpanOptions } from './span.js';

/**
 * Spans with names and attributes by OpenTelemetry's conventions for generative AI. All such spans are defined in this file. They contain
 * the names of agents, tools and models, and ids, but no content of messages.
 */
interface NamedSpan {
  name: string;
  options: SpanOptions & { attributes: NonNullable<SpanOptions['attributes']> };
}

export type ModelOperation = 'chat' | 'embeddings';

/**
 * Span of one try of a model call. `target` is the address of the endpoint; undefined for the built-in offline model.
 */
export function modelSpan(
  operation: ModelOperation,
  model: string,
  requested: string,
  target: URL | undefined,
): NamedSpan {
  return {
    name: `${operation} ${model}`,
    options: {
      kind: 'client',
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': target ? 'openai' : 'millwright.offline',
        'gen_ai.request.model': requested,
        ...(target && { 'server.address': target.hostname, 'server.port': portOf(target) }),
      },
    },
  };
}

/** Builds the attributes of a model's answer. */
export const chatAnswer = (model: string, finishReason: string, inputTokens: number, outputTokens: number) => ({
  'gen_ai.response.model': model,
  'gen_ai.response.finish_reasons': [finishReason],
  'gen_ai.usage.input_tokens': inputTokens,
  'gen_ai.usage.output_tokens': outputTokens,
});

/** Builds the attributes of an answer with embeddings. */
export const embeddingsAnswer = (inputTokens: number) => ({ 'gen_ai.usage.input_tokens': inputTokens });

export interface AgentRunSpan {
  agent: { id: string; name: string; version: number | null };
  /** Id of the conversation. */
  conversation: string;
  run: string;
}

/** Builds the span of a process's work on a run. */
export const agentSpan = ({ agent, conversation, run }: AgentRunSpan): NamedSpan => ({
  name: `invoke_agent ${agent.name}`,
  options: {
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agent.id,
      'gen_ai.agent.name': agent.name,
      ...(agent.version !== null && { 'gen_ai.agent.version': String(agent.version) }),
      'gen_ai.conversation.id': conversation,
      'millwright.run.id': run,
    },
  },
});

/** Span of one tool call of a run. The tool has the name that the model reads. */
export const toolSpan = (tool: string, callId: string): NamedSpan => ({
  name: `execute_tool ${tool}`,
  options: {
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
    },
  },
});

/** Builds the attribute that has the number of the run's step. */
export const stepAttribute = (seq: number) => ({ 'millwright.run.step': seq });

/** Span of the request that calls a tool of an MCP server. */
export const mcpCallSpan = (tool: string): NamedSpan => ({
  name: 'tools/call',
  options: { kind: 'client', attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool } },
});

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80));
