import type { Tx } from '@millwright/db';
import type { GuardBlocked } from '@millwright/guards';
import type { ModelToolCall } from '@millwright/models';
import { withoutCredentials, type RunError, type RunWaits } from '@millwright/runs';
import type { AgentToolRule } from './rule-of.js';
import type { RunTaint } from './taint.js';

/** The result of a tool call. A failure also has content, so that the model reads it and continues. */
export interface ToolResult {
  ok: boolean;
  content: string;
  /** Whether the content is untrusted, because a user, another service or the tool wrote it. */
  untrusted: boolean;
  /** Why the call failed, for people. It contains the upstream's error message. */
  error?: RunError;
  /** Set when the run has to end, because a guard blocked the answer. */
  blocked?: GuardBlocked;
  /** Set when the run has to wait. After the wait, the call is made again. */
  waits?: RunWaits | undefined;
}

/** A person's decision about a tool call. */
export interface CallDecision {
  /** Id of the approval in the form of the API. */
  approval: string;
  /** The call with the arguments that were approved. */
  call: ModelToolCall;
  isEdited: boolean;
  /** Set when the call is refused: the result for the model, and the reason for the audit log. */
  refusal?: { result: ToolResult; reason: string } | undefined;
  /** Marks the approval as used, in the transaction that stores the call as started. @throws RunLost when it was used before */
  use: (tx: Tx) => Promise<void>;
}

/** A call that passed its checks and is about to be sent. */
export interface SentCall {
  /** The run's id in the form of the API, for the audit row. */
  runId: string;
  /** Idempotency key that all attempts of this call share. */
  idempotencyKey: string;
  /** Aborting it ends the wait for the answer. */
  signal: AbortSignal | undefined;
  /** Called immediately before the call is sent. Throws when this process may have lost the run. */
  requireLease: () => void;
  /** A person's decision about the call, when its rule is `ask`. */
  decision?: CallDecision | undefined;
  /** The step of a call that an earlier process has already started. An approval of the call was then decided before. */
  begunStep?: number | undefined;
  /** Stores the call as started before anything is sent, in the transaction that audits the call. @returns the step of the call */
  keep: (tx: Tx, tool: AgentTool) => Promise<number>;
}

/** A tool that an agent's model may call. */
export interface AgentTool {
  /** The name that the tool should have. `toModelTools` converts it to a name that the model API accepts. */
  name: string;
  description: string;
  /** JSON Schema of the arguments. The arguments are an object. */
  parameters: object;
  /** The plugin, MCP server or agent that audit rows name for a call of the tool: its name and its id. */
  owner: { name: string; id: string };
  /** Whether the tool's `call` writes the audit row itself. */
  recordsItself: boolean;
  /** Returns the failure when the arguments may not be sent; undefined for valid arguments. */
  check: (args: Readonly<Record<string, unknown>>) => Promise<ToolResult | undefined>;
  /** Whether calls are allowed, need a person's approval, or are denied. */
  rule: AgentToolRule;
  /** SHA-256 of the definition that an admin approved, or of the version of the plugin or agent. */
  definitionHash?: Buffer;
  /** Whether a changed definition is used only after an admin has approved it. */
  isPinned?: boolean;
  /** Whether a call may be repeated when its outcome is unknown. */
  isRepeatable: boolean;
  /** Calls the tool. Does not throw for failures of the upstream. */
  call: (args: Readonly<Record<string, unknown>>, run: RunTaint, sent: SentCall) => Promise<ToolResult>;
}

/**
 * Makes the result of a call from the tool's answer. The text of a failure is marked as a failure, so that the model recognises it in this
 * request and in every later request.
 */
export const answered = (ok: boolean, content: string): ToolResult => ({
  ok,
  content: ok ? content : JSON.stringify({ error: content }),
  untrusted: true,
});

/** Makes the result of a failed call whose message this installation wrote. */
export const failed = (error: string, more: object = {}): ToolResult => ({
  ok: false,
  content: JSON.stringify({ error, ...more }),
  untrusted: false,
});

/** Adds to the result the reason that people read. The model reads only the content of the result. */
export const because = (result: ToolResult, code: string, reason: string, status?: number): ToolResult => ({
  ...result,
  error: { code, status, text: withoutCredentials(reason) },
});

/** Makes the result of a call that was refused before anything was sent. */
export const refused = (result: ToolResult, reason: string): ToolResult => because(result, 'forbidden', reason);
