import type { Caller } from '@millwright/auth';
import type { RunState, WaitReason } from './run-state.js';

export const CHANNELS = [
  'messages',
  'a2a',
  'mcp',
  'console',
  'agent',
  'trigger',
  'prompt',
  'responses',
  'chat',
  'draft',
] as const;
/** Interface through which a run was started. */
export type Channel = (typeof CHANNELS)[number];

/** The subject of a run: one version of an agent or a prompt, or a model by its name. */
export interface Subject {
  kind: 'agent' | 'prompt' | 'model';
  id: string;
  /** The agent's slug, the prompt's title or the model's name. */
  name: string;
  /** Version of the subject; null for the built-in agent, a model, or an unsaved agent. */
  version: number | null;
}

/** Whether the agent of a run is unsaved. Such an agent exists only in the run: it is a draft, or a request for a model with tools of MCP servers. */
export const isOfUnsaved = (channel: Channel, version: number | null): boolean =>
  channel === 'draft' || (channel === 'responses' && version === null);

/** The stored data of a new run. */
export interface NewRun {
  id: string;
  caller: Caller;
  subject: Subject;
  channel: Channel;
  /**
   * The parent run, whose agent called the agent of this run, and the number of the parent's step with this call. The child uses the budget
   * of its parent.
   */
  parent?: { id: string; step: number } | undefined;
  /** Number of ancestors of the run. */
  depth?: number | undefined;
  /** The budget that was set when the run was started. */
  budgetId?: string | undefined;
  /** Row id of the run that this run repeats. */
  retryOf?: string | undefined;
  contextId?: string | undefined;
  /** Id of the context's message with the input. */
  messageId?: string | undefined;
  /** Id of the conversation of a prompt's run. */
  conversationId?: string | undefined;
  /** The input of a run without an input message, and further values that the protocol of the channel requires. */
  input?: object | undefined;
  model: string | undefined;
  idempotencyKey?: string | undefined;
  /** Metadata of the run, at most {@link METADATA_MAX_BYTES} as JSON. */
  metadata?: object | undefined;
  /** Trace id. Default: the current trace. */
  traceId?: string | undefined;
}

export const METADATA_MAX_BYTES = 16 * 1024;

/** A run and its attempt, which give one process the right to write to the run. Every write of a worker requires that its fence is still valid. */
export interface Fence {
  runId: string;
  attempt: number;
}

/** The caller, as the row of a run stores it. */
export interface StoredCaller {
  project: Caller['project'];
  actor: Caller['actor'];
  scopes: string[] | null;
  mcpTools: string[] | null;
  delegation?: Caller['delegation'];
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
  /** The budget that was set when the run, or its parent, was started. */
  budgetId: string | null;
  /** The trigger that started the run, in the form of the API. */
  trigger: string | null;
  /** Whether another process started the run before. */
  isTakenOver: boolean;
}

/** The cause of a failed run or step. */
export interface RunError {
  /** Code from the catalogue of errors. */
  code: string;
  /** HTTP status of the upstream's answer. */
  status?: number | undefined;
  /** Text of the error, without credentials and cut to {@link ERROR_LENGTH} characters. */
  text: string;
}

export const ERROR_LENGTH = 2_000;

/** An event of a run, in the form in which its followers get it. */
export interface RunEvent {
  /** Name of the event: `run.running`, `message.delta`, `tool.call`, … */
  type: string;
  data: object;
}

export interface StoredEvent extends RunEvent {
  seq: number;
  at: Date;
}

/** The state of a run, in the form in which its followers get it. */
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

/** Error for a write to a run that another process has taken over or that has ended. Nothing was written. */
export class RunLost extends Error {
  override readonly name = 'RunLost';
}
