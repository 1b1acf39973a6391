import type { Tx } from '@millwright/db';
import type { WaitReason } from './run-state.js';

/** Error that stops the execution of a run, because the run can continue only after an external event. */
export class RunWaits extends Error {
  override readonly name = 'RunWaits';
  readonly reason: WaitReason;
  readonly data: object;
  /** Makes further writes in the transaction in which the run starts to wait. */
  readonly alongside: (tx: Tx) => Promise<void>;

  constructor(reason: WaitReason, data: object, alongside: (tx: Tx) => Promise<void> = () => Promise.resolve()) {
    super(`the run waits: ${reason}`);
    this.reason = reason;
    this.data = data;
    this.alongside = alongside;
  }
}
