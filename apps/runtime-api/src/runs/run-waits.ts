import type { Tx } from '@millwright/db';
import type { WaitReason } from '@millwright/runs';

/** The run cannot go on before something happens outside. */
export class RunWaits extends Error {
  override readonly name = 'RunWaits';
  readonly reason: WaitReason;
  readonly data: object;
  /** Writes that belong into the transaction in which the run comes to wait. */
  readonly alongside: (tx: Tx) => Promise<void>;

  constructor(reason: WaitReason, data: object, alongside: (tx: Tx) => Promise<void> = () => Promise.resolve()) {
    super(`the run waits: ${reason}`);
    this.reason = reason;
    this.data = data;
    this.alongside = alongside;
  }
}
