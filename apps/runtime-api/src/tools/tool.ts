import type { Tx } from '@millwright/db';
import type { GuardBlocked } from '@millwright/guards';
import { withoutCredentials, type RunError } from '@millwright/runs';
import type { CallDecision } from '../runs/approvals/approval-gate.js';
import type { AgentToolRule } from './rule-of.js';
import type { RunTaint } from './taint.js';

/** The result of a tool's call. A failure is content too: the model reads it and goes on. */
export interface ToolResult {
  ok: boolean;
  content: string;
  /** Whether users, other services or the tool wrote the content. What this installation composes itself is trusted. */
  untrusted: boolean;
  /** Why the call failed, for people, with the upstream's words. */
  error?: RunError;
  /** Why its run has to end: a guard blocked the answer. */
  blocked?: GuardBlocked;
}

/** A call that passed its checks and is about to be sent. */
export interface SentCall {
  /** The run that makes it, as it is shown: the audit entry names it. */
  runId: string;
  /** The same for every attempt of this call. */
  idempotencyKey: string;
  /** Ends the wait for the answer. */
  signal: AbortSignal | undefined;
  /** Right before the call is sent. Throws when this process may have lost the run. */
  requireLease: () => void;
  /** What a person decided about the call, where its rule asks for that. */
  decision?: CallDecision | undefined;
  /** The step of the call when an earlier process has begun it: what it needed was decided then. */
  begunStep?: number | undefined;
  /** Keeps the call as started, in the transaction that audits it, before anything is sent. @returns its step */
  keep: (tx: Tx, tool: AgentTool) => Promise<number>;
}

/** A tool that an agent's model may call. */
export interface AgentTool {
  /** The wanted name; `toModelTools` makes it one that the model API accepts. */
  name: string;
  description: string;
  /** A JSON Schema of an object. */
  parameters: object;
  /** The owner in the audit log: the plugin's or MCP server's name, and its id. */
  owner: { name: string; id: string };
  /** Whether its `call` writes the audit entry. */
  recordsItself: boolean;
  /** The failure of arguments that may not be sent; undefined for valid ones. */
  check: (args: Readonly<Record<string, unknown>>) => Promise<ToolResult | undefined>;
  /** Which calls are made, made after a person's decision, or refused. */
  rule: AgentToolRule;
  /** SHA-256 of the definition, of a tool whose definition is approved. */
  definitionHash?: Buffer;
  /** False: its server changes the definition without an admin's approval. */
  isPinned?: boolean;
  /** A call may be made again when its outcome is unknown. */
  isRepeatable: boolean;
  /** Does not throw for failures of the upstream. */
  call: (args: Readonly<Record<string, unknown>>, run: RunTaint, sent: SentCall) => Promise<ToolResult>;
}

/** What a tool answered. A failure contains its mark: the model reads it now and with every later message. */
export const answered = (ok: boolean, content: string): ToolResult => ({
  ok,
  content: ok ? content : JSON.stringify({ error: content }),
  untrusted: true,
});

/** A failure in the words of this installation. */
export const failed = (error: string, more: object = {}): ToolResult => ({
  ok: false,
  content: JSON.stringify({ error, ...more }),
  untrusted: false,
});

/** The result with why it came to this, for people: the model reads only the result. */
export const because = (result: ToolResult, code: string, reason: string, status?: number): ToolResult => ({
  ...result,
  error: { code, status, text: withoutCredentials(reason) },
});

/** A refusal: nothing was sent. */
export const refused = (result: ToolResult, reason: string): ToolResult => because(result, 'forbidden', reason);
