import type { ModelMessage, ModelToolCall } from '@millwright/models';

/** One stored message of a conversation, in the form that a later request repeats to the model. */
export interface Turn {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** Set on an assistant's turn that calls tools; the tools' answers follow it. */
  toolCalls?: readonly ModelToolCall[];
  /** Set on a tool's answer: the call that it answers. */
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

/** Characters of a turn, as counted against the model's window. */
export const lengthOf = ({ content, toolCalls }: Pick<Turn, 'content' | 'toolCalls'>): number =>
  content.length + (toolCalls ?? []).reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
