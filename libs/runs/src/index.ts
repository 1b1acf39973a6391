export { followRun, type Followed } from './follow-run.js';
export { createLeases, type Leases } from './leases.js';
export { createPaced, type Pause } from './paced.js';
export { createRunNotifier, type RunNotifier } from './run-notifier.js';
export { readerOf, readsAll, type RunReader } from './run-reader.js';
export { createRunSignals, RUNS, type RunSignals } from './run-signals.js';
export { RunWaits } from './run-waits.js';
export { runError, withoutCredentials } from './run-error.js';
export {
  CHANNELS,
  isOfUnsaved,
  METADATA_MAX_BYTES,
  RunLost,
  type Channel,
  type ClaimedRun,
  type Fence,
  type NewRun,
  type RunError,
  type RunEvent,
  type RunStatus,
  type StoredEvent,
  type Subject,
} from './run.js';
export {
  CANCEL_REASONS,
  hasEnded,
  PERSON_WAITS,
  RUN_STATES,
  WAIT_REASONS,
  type EndState,
  type RunState,
  type WaitReason,
} from './run-state.js';
export { type RunChange } from './run-changes.js';
export { LEASE_MS } from './run-leases.store.js';
export { MOST_RUNS_OF_CONVERSATION, type LapsedRun } from './run-queue.store.js';
export { createRunStore, type KeyedRun, type RunStore } from './runs.store.js';
export {
  NOT_CONNECTED,
  STEP_OUTCOMES,
  type AskedCall,
  type KeptStep,
  type ModelStep,
  type StepOutcome,
  type ToolStep,
} from './step.js';
export { createConnectionWaits, type ConnectionWaits } from './connection-waits.store.js';
export { connectionOfTree, type AwaitedConnection } from './run-tree.store.js';
export { awaitsOutcome, createStepStore, waitData, type StepStore } from './steps.store.js';
