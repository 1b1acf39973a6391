import type { ModelMessage, ModelToolCall } from '@millwright/models';

/** One message of a context, as the model is told of it again. */
export interface Turn {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** Of an assistant that calls tools. The tools' answers follow it. */
  toolCalls?: readonly ModelToolCall[];
  /** Of a tool's answer. */
  callId?: string;
}

interface TurnRow {
  role: string;
  content: string;
  tool_calls: unknown;
  call_id: string | null;
}

export function toTurn({ role, content, tool_calls: calls, call_id: callId }: TurnRow): Turn {
  if (role === 'tool') return { role, content, callId: callId ?? '' };
  if (role === 'user') return { role, content };
  return { role: 'assistant', content, ...(calls !== null && { toolCalls: calls as ModelToolCall[] }) };
}

export function toModelMessage({ role, content, toolCalls, callId }: Turn): ModelMessage {
  return {
    role,
    content,
    ...(toolCalls && { tool_calls: [...toolCalls] }),
    ...(callId !== undefined && { tool_call_id: callId }),
  };
}

/** What it takes of the model's window. */
export const lengthOf = ({ content, toolCalls }: Turn): number =>
  content.length + (toolCalls ?? []).reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
