import type { Caller } from '@millwright/auth';
import type { RunState, WaitReason } from './run-state.js';

export const CHANNELS = ['messages', 'a2a', 'mcp', 'console', 'agent', 'trigger', 'prompt', 'responses'] as const;
/** The way by which a run was started. */
export type Channel = (typeof CHANNELS)[number];

/** What runs: an agent or a prompt, at one of its versions. */
export interface Subject {
  kind: 'agent' | 'prompt';
  id: string;
  /** The agent's slug or the prompt's title. */
  name: string;
  /** Null: the built-in concierge. */
  version: number | null;
}

/** A run as it is stored at its start. */
export interface NewRun {
  id: string;
  caller: Caller;
  subject: Subject;
  channel: Channel;
  /** The run whose agent calls this one's, with the step that is the call. It spends of its parent's budget. */
  parent?: { id: string; step: number } | undefined;
  /** How many runs are above it. */
  depth?: number | undefined;
  /** The budget that it comes with. */
  budgetId?: string | undefined;
  /** The run that this one repeats. */
  retryOf?: string | undefined;
  contextId?: string | undefined;
  /** The context's message that is the input. */
  messageId?: string | undefined;
  /** The conversation of a prompt's run. */
  conversationId?: string | undefined;
  /** The input of a run without such a message, and what the channel's protocol adds. */
  input?: object | undefined;
  model: string | undefined;
  idempotencyKey?: string | undefined;
  /** At most {@link METADATA_MAX_BYTES} as JSON. */
  metadata?: object | undefined;
  /** Default: the current trace. */
  traceId?: string | undefined;
}

export const METADATA_MAX_BYTES = 16 * 1024;

/** The right of one process to write to a run: every write of a worker is conditional on it. */
export interface Fence {
  runId: string;
  attempt: number;
}

/** The caller in a run's row. */
export interface StoredCaller {
  project: Caller['project'];
  actor: Caller['actor'];
  scopes: string[] | null;
  mcpTools: string[] | null;
}

/** A run that a process may execute. */
export interface ClaimedRun extends Fence {
  caller: Caller;
  subject: Subject;
  channel: Channel;
  depth: number;
  contextId: string | null;
  messageId: string | null;
  input: unknown;
  model: string | null;
  idempotencyKey: string | null;
  startedAt: Date;
  /** The budget that it came with, or its parent did. */
  budgetId: string | null;
  /** The trigger that started it, in the form of the API. */
  trigger: string | null;
  /** Whether another process began it. */
  isTakenOver: boolean;
}

/** Why a run or a step failed. */
export interface RunError {
  /** A code of the catalogue of errors. */
  code: string;
  /** The status that the upstream answered. */
  status?: number | undefined;
  /** Without credentials; cut to {@link ERROR_LENGTH} characters. */
  text: string;
}

export const ERROR_LENGTH = 2_000;

/** An event of a run, as its followers read it. */
export interface RunEvent {
  /** Named by the code: `run.running`, `message.delta`, `tool.call`, … */
  type: string;
  data: object;
}

export interface StoredEvent extends RunEvent {
  seq: number;
  at: Date;
}

/** The state of a run, as followers need it. */
export interface RunStatus {
  id: string;
  state: RunState;
  waitingFor: WaitReason | null;
  stateAt: Date;
  eventCount: number;
  answerId: string | null;
  errorCode: string | null;
  errorText: string | null;
}

/** Another process has taken the run over, or it has ended: nothing was written. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}
