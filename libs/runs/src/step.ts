import type { RunError } from './run.js';

export const STEP_OUTCOMES = ['started', 'succeeded', 'failed', 'unknown'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];

/** A call of a tool, as the model asked for it. */
export interface AskedCall {
  id: string;
  name: string;
  arguments: string;
}

/** A call of the model that has ended. */
export interface ModelStep {
  model: string;
  startedAt: Date;
  firstTokenAt?: Date | undefined;
  /** What it was called with besides messages. */
  parameters?: object | undefined;
  /** Messages that it read and that are not in the context: of the first call of each attempt, for all of that attempt. */
  added?: object | undefined;
  /** Set when it answered. */
  answer?: { text: string; calls: readonly AskedCall[]; untrusted: boolean } | undefined;
  usage?: { promptTokens: number; completionTokens: number; costUsd: number | null } | undefined;
  /** Set when it failed. */
  error?: RunError | undefined;
}

/** A call of a tool that is about to be made. */
export interface ToolStep {
  /** The step of the model's answer that asked for it. */
  askedBy: number;
  callId: string;
  tool: string;
  /** Id of the tool's server or plugin, as it is shown. */
  server: string;
  definitionHash?: Buffer | undefined;
  /** JSON. */
  arguments: string;
  /** The same for every attempt of the call; no other call has it. */
  idempotencyKey: string;
}

/** A call that was refused before anything was sent: by a rule, a limit, or because it cannot be made. */
export interface RefusedStep extends Omit<ToolStep, 'idempotencyKey' | 'server'> {
  /** Undefined: there is no tool of that name. */
  server?: string | undefined;
  /** What the model reads. */
  result: string;
  error: RunError;
}

/** What a call of a tool led to. */
export interface ToolOutcome {
  outcome: Exclude<StepOutcome, 'started'>;
  result: string;
  untrusted: boolean;
  error?: RunError | undefined;
}

/** A step as it is kept: what a process that takes a run over goes on from. */
export interface KeptStep {
  seq: number;
  /** Of a model's answer that calls tools: the context's message with the last of their answers; null until they are stored there. */
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
  /** When it ended, or began. */
  at: Date;
}
