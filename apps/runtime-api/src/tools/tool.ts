import type { Tx } from '@millwright/db';
import type { GuardBlocked } from '@millwright/guards';
import type { ModelToolCall } from '@millwright/models';
import { withoutCredentials, type RunError, type RunWaits } from '@millwright/runs';
import type { AgentToolRule } from './rule-of.js';
import type { RunTaint } from './taint.js';

/** The result of a tool call. A failure is content, too: the model reads it and continues. */
export interface ToolResult {
  ok: boolean;
  content: string;
  /** Whether users, other services or the tool wrote the content, and not this installation. */
  untrusted: boolean;
  /** The reason why the call failed, for people, with the upstream's error message. */
  error?: RunError;
  /** The reason why the run has to end: a guard blocked the answer. */
  blocked?: GuardBlocked;
  /** The reason why the run has to wait: the call is made again afterwards. */
  waits?: RunWaits | undefined;
}

/** A person's decision about a tool call. */
export interface CallDecision {
  /** Id of the approval in the form of the API. */
  approval: string;
  /** The call with the arguments that were approved. */
  call: ModelToolCall;
  isEdited: boolean;
  /** The reason why the call is refused: for the model, and for the audit log. */
  refusal?: { result: ToolResult; reason: string } | undefined;
  /** Uses the approval, in the transaction that stores the call as started. @throws RunLost when it was used before */
  use: (tx: Tx) => Promise<void>;
}

/** A call that passed its checks and is about to be sent. */
export interface SentCall {
  /** The run's id in the form of the API, for the audit entry. */
  runId: string;
  /** Idempotency key that all attempts of this call share. */
  idempotencyKey: string;
  /** A signal that ends the wait for the answer. */
  signal: AbortSignal | undefined;
  /** Runs right before the call is sent. Throws when this process may have lost the run. */
  requireLease: () => void;
  /** A person's decision about the call, when its rule is `ask`. */
  decision?: CallDecision | undefined;
  /** The step of a call that an earlier process started; its approval was decided then. */
  begunStep?: number | undefined;
  /** Stores the call as started, in the transaction that audits it, before anything is sent. @returns its step */
  keep: (tx: Tx, tool: AgentTool) => Promise<number>;
}

/** A tool that an agent's model may call. */
export interface AgentTool {
  /** The preferred name; `toModelTools` converts it to a name that the model API accepts. */
  name: string;
  description: string;
  /** JSON Schema of the arguments, which are an object. */
  parameters: object;
  /** The owner in the audit log: the plugin's or MCP server's name, and its id. */
  owner: { name: string; id: string };
  /** Whether the tool's `call` writes the audit entry itself. */
  recordsItself: boolean;
  /** The failure of arguments that may not be sent; undefined for valid arguments. */
  check: (args: Readonly<Record<string, unknown>>) => Promise<ToolResult | undefined>;
  /** Whether calls are allowed, need a person's approval, or are denied. */
  rule: AgentToolRule;
  /** SHA-256 of the definition, for a tool whose definition an admin approved. */
  definitionHash?: Buffer;
  /** Whether the server can change the definition only with an admin's approval. */
  isPinned?: boolean;
  /** Whether a call may be repeated when its outcome is unknown. */
  isRepeatable: boolean;
  /** Calls the tool. Does not throw for failures of the upstream. */
  call: (args: Readonly<Record<string, unknown>>, run: RunTaint, sent: SentCall) => Promise<ToolResult>;
}

/** The content of a tool's answer. A failure is marked as such, for the model in this and every later request. */
export const answered = (ok: boolean, content: string): ToolResult => ({
  ok,
  content: ok ? content : JSON.stringify({ error: content }),
  untrusted: true,
});

/** A failure with a message of this installation. */
export const failed = (error: string, more: object = {}): ToolResult => ({
  ok: false,
  content: JSON.stringify({ error, ...more }),
  untrusted: false,
});

/** The result with its reason, for people; the model reads only the result. */
export const because = (result: ToolResult, code: string, reason: string, status?: number): ToolResult => ({
  ...result,
  error: { code, status, text: withoutCredentials(reason) },
});

/** Makes the outcome of a call that was refused before anything was sent. */
export const refused = (result: ToolResult, reason: string): ToolResult => because(result, 'forbidden', reason);
