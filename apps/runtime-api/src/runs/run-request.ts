import type { RunBudget } from '@millwright/budgets';
import type { Caller } from '@millwright/auth';
import type { AgentDraft, RunnableAgent } from '@millwright/catalog';
import type { Tx } from '@millwright/db';
import type { Finding, Guards } from '@millwright/guards';
import type { Channel, Fence, NewRun } from '@millwright/runs';
import type { OpenedContext } from '../conversations/contexts.store.js';
import type { AgentMessage } from '../conversations/agent-message.js';
import type { SentImage } from '@millwright/runs/message-images';
import type { Progress } from '../conversations/progress.js';
import type { ProtocolInput } from '../tools/run-guards.js';
import type { Spends } from './run-journal.js';

/** A request to run an agent with one message of a user. */
export interface RunRequest {
  caller: Caller;
  agent: RunnableAgent;
  content: string;
  /** Images of the message, checked. */
  images?: readonly SentImage[] | undefined;
  /** Conversation that the message continues; without an id, the message starts a new conversation. */
  contextId: string | undefined;
  channel: Channel;
  /** Id of the user's message that the new message replaces, together with all after it. */
  replaces?: string | undefined;
  /** The unsaved agent of a run of a draft, stored with the run. */
  draft?: AgentDraft | undefined;
  /** Key that all retries of one request share and no other request has. */
  idempotencyKey?: string | undefined;
  metadata?: object | undefined;
  /** Name of the request field that names the agent. */
  agentField?: string | undefined;
  /** Row id of the run that this run repeats. */
  retryOf?: string | undefined;
  /** The author of the message when it is neither the user nor this installation: the run is then tainted. */
  source?: string | undefined;
  /** Number of ancestors of the run. */
  depth?: number | undefined;
  /** Budget of the run together with the runs of the agents that it calls. */
  budget?: RunBudget | undefined;
  /** Writes for the transaction that starts the run. */
  alongside?: ((tx: Tx, runId: string) => Promise<void>) | undefined;
  /** Protocol data that the channel stores with the run. */
  input?: ProtocolInput | undefined;
}

/** A checked message, with the model of its run. */
export interface PreparedRun extends RunRequest {
  /** Row id of the run, when it was stored before the run. */
  id?: string | undefined;
  model: string;
  /** Findings of guards in the message. */
  findings?: readonly Finding[] | undefined;
  /** The guards that checked the message. */
  guards: Guards;
  /** The parent run, and its step that is the call of this run's agent. */
  parent?: NewRun['parent'];
}

/** A stored run whose transaction may not be committed yet. */
export interface StoredRun extends PreparedRun {
  id: string;
  context: OpenedContext;
  fence: Fence;
  spends: Spends;
}

/** A stored run; this process executes it unless it is queued. */
export interface StartedRun extends Pick<RunRequest, 'caller' | 'agent' | 'content' | 'idempotencyKey' | 'depth'> {
  /** Row id of the run. */
  id: string;
  context: OpenedContext;
  model: string;
  /** The lease of this process; undefined when another process executes the run or the run is queued. */
  held: { fence: Fence; signal: AbortSignal; spends: Spends } | undefined;
}

/** A run that any process executes. */
export interface AwaitedRun {
  /** Row id of the run. */
  id: string;
  agent: Pick<RunnableAgent, 'slug'>;
}

export interface ExecuteOptions<Result> {
  /** Receives each step as it happens; the model then streams its text. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether followers can read the text while the model writes it; implied by `onProgress`. */
  isStreamed?: boolean | undefined;
  /** Builds the answer when the run starts to wait for a person; without this function, the wait is a `conflict`. */
  onWaiting?: ((runId: string) => Promise<Result>) | undefined;
  /** Stops waiting for a run that another process executes. */
  signal?: AbortSignal | undefined;
}

/** Runs `store` in a transaction, together with writes that belong to the caller's protocol. */
export type Commit<Result> = (store: (tx: Tx) => Promise<AgentMessage>) => Promise<Result>;
