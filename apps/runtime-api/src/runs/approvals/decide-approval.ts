import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, storableText, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { createScan, type Logger } from '@millwright/http/process';
import { readerOf, type RunNotifier, type RunStore } from '@millwright/runs';
import { callHash, decideApproval, type ApprovalStore, type PreparedDecision } from '@millwright/runs/approvals';
import { schemaKey, SchemaValidatorBusy, type SchemaValidator } from '@millwright/schemas';
import type { RunWorker } from '../run-worker.js';
import type { ApprovalDecision, DecidedApproval } from './approvals.contract.js';

export interface ApprovalServiceDeps {
  store: ApprovalStore;
  runs: RunStore;
  worker: RunWorker;
  notifier: RunNotifier;
  validator: SchemaValidator;
  logger: Logger;
  transaction: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;
}

/** Milliseconds between two scans for calls whose time limit for a decision has passed. */
const LOOK_MS = 10_000;

/** Stores people's decisions about tool calls. Queues the run after its last missing decision, so that it continues. */
export function createApprovalService(deps: ApprovalServiceDeps) {
  const { store, runs, worker, notifier, validator, logger, transaction } = deps;

  async function requireValid(caller: Caller, schema: object, args: object): Promise<void> {
    try {
      const checked = await validator.of(caller.project).validate(schemaKey(schema), schema, args);
      if (checked.valid) return;
      const fields = checked.faults.map(({ path, reason }) => ({
        field: path === '' ? 'arguments' : `arguments.${path}`,
        reason,
      }));
      throw new AppError('validation_error', { fields });
    } catch (error) {
      if (error instanceof SchemaValidatorBusy) throw new AppError('unavailable', { cause: error });
      throw error;
    }
  }

  /**
   * Queues a run when all its calls are decided.
   * @returns a function that scans for queued runs, to be called after the commit; undefined when the run was not queued
   */
  async function goOn(tx: Tx, runId: string): Promise<(() => void) | undefined> {
    return (await runs.resume(tx, runId, 'approval')) ? worker.takeSoon : undefined;
  }

  async function expireOverdue(): Promise<void> {
    for (const runId of await store.listOverdue()) {
      const begin = await transaction(async (tx) =>
        (await store.expire(tx, runId)) === 0 ? goOn(tx, runId) : undefined,
      );
      begin?.();
    }
  }

  const scan = createScan(expireOverdue, LOOK_MS, (err) =>
    logger.warn({ err }, 'overdue approvals could not be ended'),
  );

  return {
    listPending: store.listPending,

    /**
     * Checks changed arguments against the tool's schema.
     * @throws AppError not_found for an unknown approval; validation_error for arguments that do not match; unavailable when the check
     * cannot be made now
     */
    async prepare(
      caller: Caller,
      run: string,
      approval: string,
      decision: ApprovalDecision,
    ): Promise<PreparedDecision> {
      const [runId, approvalId] = [decodeId('run', run), decodeId('apr', approval)];
      if (runId === undefined || approvalId === undefined) throw new AppError('not_found');
      const prepared = { runId, approvalId, decision, edited: undefined };
      if (decision.arguments === undefined) return prepared;
      const call = await store.findCall(readerOf(caller), runId, approvalId);
      if (!call) throw new AppError('not_found');
      await requireValid(caller, call.parameters, decision.arguments);
      const text = JSON.stringify(decision.arguments);
      if (storableText(text) !== text) throw invalidField('arguments', 'must be well-formed text');
      return { ...prepared, edited: { arguments: text, hash: callHash(call.tool_hash, text) } };
    },

    /** Stores a decision and its audit row. @throws AppError as `decideApproval` */
    async decide(
      tx: Tx,
      caller: Caller,
      prepared: PreparedDecision,
    ): Promise<{ body: DecidedApproval; after: () => void }> {
      const { id, state, goesOn } = await decideApproval({ store, runs }, tx, caller, prepared);
      const { runId } = prepared;
      const run = { id: encodeId('run', runId), state: goesOn ? ('queued' as const) : ('waiting' as const) };
      const after = () => {
        notifier.changed([runId]);
        if (goesOn) worker.takeSoon();
      };
      return { body: { id, state, run }, after };
    },

    /** Starts the scan for overdue approvals. */
    start: scan.start,
    close: scan.close,
    expireOverdue,
  };
}
export type ApprovalService = ReturnType<typeof createApprovalService>;
