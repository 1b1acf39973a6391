import type { ToolRule } from '@millwright/auth/tool-rules';
import type { RunError } from './run.js';

export const STEP_OUTCOMES = ['started', 'succeeded', 'failed', 'unknown'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

/** A tool call in the form in which the model requested it. */
export interface AskedCall {
  id: string;
  name: string;
  arguments: string;
}

/** A finished call of the model. */
export interface ModelStep {
  model: string;
  startedAt: Date;
  firstTokenAt?: Date | undefined;
  /** Parameters of the call. They do not include the messages. */
  parameters?: object | undefined;
  /**
   * Input messages that are not in the context. They are set on the first call of each attempt, and apply to all calls
   * of that attempt.
   */
  added?: object | undefined;
  /**
   * Numbers (`seq`) of the messages of the context that the model reads, in addition to the message of the run and its
   * steps. They are set on the first call of each attempt, and apply to all calls of that attempt.
   */
  readSeqs?: readonly number[] | undefined;
  /** Answer of the model; undefined when the call failed. */
  answer?: { text: string; calls: readonly AskedCall[]; untrusted: boolean } | undefined;
  usage?: { promptTokens: number; completionTokens: number; costUsd: number | null } | undefined;
  /** Error of the call; undefined when the model answered. */
  error?: RunError | undefined;
}

/** A tool call that is about to be made. */
export interface ToolStep {
  /** The step of the model's answer that requested the call. */
  askedBy: number;
  callId: string;
  tool: string;
  /** Public id of the tool's server or plugin. */
  server: string;
  definitionHash?: Buffer | undefined;
  /** Rule of the tool at the time of the call. Undefined when no tool has the name. */
  rule?: ToolRule | undefined;
  /** Arguments of the call as JSON. */
  arguments: string;
  /** Idempotency key, which is equal for all attempts of the call and is used for no other call. */
  idempotencyKey: string;
}

/** A call that was refused before anything was sent: by a rule, by a limit, or because it is impossible. */
export interface RefusedStep extends Omit<ToolStep, 'idempotencyKey' | 'server'> {
  /** Public id of the server or plugin; undefined when no tool has the name. */
  server?: string | undefined;
  /** The result text for the model. */
  result: string;
  error: RunError;
}

/** Code of a call that failed before anything was sent, because the user has not connected an account. The call may be made again. */
export const NOT_CONNECTED = 'not_connected';

/** The outcome of a tool call. */
export interface ToolOutcome {
  outcome: Exclude<StepOutcome, 'started'>;
  result: string;
  untrusted: boolean;
  error?: RunError | undefined;
}

/** A stored step: what a process needs to continue after it takes over a run. */
export interface KeptStep {
  seq: number;
  /**
   * For an answer of the model with tool calls: the number (`seq`) of the message in the context that has the last tool answer. Null until
   * that message is stored.
   */
  throughSeq: number | null;
  attempt: number;
  kind: 'model' | 'tool';
  outcome: StepOutcome;
  askedBy: number | null;
  model: string | null;
  answer: string | null;
  calls: AskedCall[] | null;
  callId: string | null;
  tool: string | null;
  server: string | null;
  definitionHash: Buffer | null;
  arguments: string | null;
  idempotencyKey: string | null;
  result: string | null;
  untrusted: boolean | null;
  errorCode: string | null;
  /** Time of the step's end, or of its start while it has not ended. */
  at: Date;
}
