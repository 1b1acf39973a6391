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
  /** Images of the message, which have been checked. */
  images?: readonly SentImage[] | undefined;
  /** Conversation that the message continues. Without an id, the message starts a new conversation. */
  contextId: string | undefined;
  channel: Channel;
  /** Id of the user's message that the new message replaces. All later messages are replaced too. */
  replaces?: string | undefined;
  /** The unsaved agent of a draft's run. It is stored with the run. */
  draft?: AgentDraft | undefined;
  /** Key that is the same in all retries of one request, and different for other requests. */
  idempotencyKey?: string | undefined;
  metadata?: object | undefined;
  /** Name of the field in the client's request that names the agent, for error messages. */
  agentField?: string | undefined;
  /** Row id of the run that this run repeats. */
  retryOf?: string | undefined;
  /** Source name for the taint, when neither the user nor this installation wrote the message. The run is then tainted. */
  source?: string | undefined;
  /** Number of ancestors of the run. */
  depth?: number | undefined;
  /** Budget that the run shares with the runs of the agents that it calls. */
  budget?: RunBudget | undefined;
  /** Further writes in the transaction that starts the run. */
  alongside?: ((tx: Tx, runId: string) => Promise<void>) | undefined;
  /** Protocol data that the channel stores with the run. */
  input?: ProtocolInput | undefined;
}

/** A checked message, with the model of its run. */
export interface PreparedRun extends RunRequest {
  /** Row id of the run, when the id was chosen and stored before the run. */
  id?: string | undefined;
  model: string;
  /** Finds of guards in the message. */
  findings?: readonly Finding[] | undefined;
  /** The guards that checked the message. */
  guards: Guards;
  /** The parent run, with the step that is the call of this run's agent. */
  parent?: NewRun['parent'];
}

/** A stored run whose transaction may not be committed yet. */
export interface StoredRun extends PreparedRun {
  id: string;
  context: OpenedContext;
  fence: Fence;
  spends: Spends;
}

/** A stored run. This process executes it unless it is queued. */
export interface StartedRun extends Pick<RunRequest, 'caller' | 'agent' | 'content' | 'idempotencyKey' | 'depth'> {
  /** Row id of the run. */
  id: string;
  context: OpenedContext;
  model: string;
  /** The lease of this process on the run; undefined when another process executes the run, or when the run is queued. */
  held: { fence: Fence; signal: AbortSignal; spends: Spends } | undefined;
}

/** A run whose answer this process awaits. Any process may execute the run. */
export interface AwaitedRun {
  /** Row id of the run. */
  id: string;
  agent: Pick<RunnableAgent, 'slug'>;
}

export interface ExecuteOptions<Result> {
  /** Receives each step when it happens. When it is set, the model streams its text. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether followers can read the text while the model writes it. Always true when `onProgress` is set. */
  isStreamed?: boolean | undefined;
  /**
   * Builds the answer when the run starts to wait for a person. Without this function, the error `conflict` is thrown when the run waits.
   */
  onWaiting?: ((runId: string) => Promise<Result>) | undefined;
  /** Aborting it ends the wait for a run that another process executes. */
  signal?: AbortSignal | undefined;
}

/** Runs `store` in a transaction that also contains writes for the caller's protocol. */
export type Commit<Result> = (store: (tx: Tx) => Promise<AgentMessage>) => Promise<Result>;
