import type { AuditEntry } from '@millwright/audit';
import type { CallableAgent } from '@millwright/catalog';
import type { Tx } from '@millwright/db';
import type { RunTaint } from './taint.js';
import type { SentCall, ToolResult } from './tool.js';

/** A call from a run's agent to another agent. */
export interface AgentCall {
  callee: Pick<CallableAgent, 'id' | 'slug'>;
  message: string;
  run: RunTaint;
  sent: SentCall;
  entry: AuditEntry;
  /** Stores the call as started, in the transaction that starts the run of the called agent. @returns the step of the call */
  keep: (tx: Tx) => Promise<number>;
}

/** Calls an agent as a separate run. @throws RunWaits while the called run waits; RunLost; the reason of the signal */
export type CallAgent = (call: AgentCall) => Promise<ToolResult>;
