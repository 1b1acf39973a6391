import { isSignedCheckpoint, type Checkpoint } from './checkpoint.js';
import { contentHashAs, type AuditRow } from './content-hash.js';
import { createErasureCheck, type ErasureState } from './erasure-check.js';
import { hashOfSeal, sealFaults, type FindSealKey, type Seal, type SealEntry } from './seal.js';

/** A difference between the audit log and its seals. */
export interface AuditFault {
  kind: 'edited' | 'swapped' | 'deleted' | 'moved' | 'inserted' | 'seal' | 'checkpoint' | 'copy' | 'file';
  /** UUID of the faulty row. */
  row: string | null;
  /** Number of the faulty seal. */
  seal: number | null;
  reason: string;
}

export interface AuditFindings {
  rows: number;
  seals: number;
  /** Number of rows after the last seal. No seal protects them yet. */
  unsealed: number;
  /** Number of rows whose personal fields were erased. For each of them, another row of the log states the erasure. */
  erased: number;
  /** Number of rows that retention removed, according to the checkpoint at which the log starts. */
  removed: number;
  faults: AuditFault[];
}

export interface AuditVerifierOptions {
  findKey: FindSealKey;
  /** Hash of the seal before the first seal; not checked when undefined. */
  previous?: string | undefined;
  /** Number of the first seal; not checked when undefined. */
  firstSeal?: number | undefined;
  /** The statement about the rows that retention removed before the first seal. */
  checkpoint?: Checkpoint | undefined;
  /** Selects the sealed rows that must be present. Default: all rows. */
  expects?: (entry: SealEntry) => boolean;
  /** Whether the input is filtered. Missing rows and seals are then no faults. */
  partial?: boolean;
  /** Whether the input contains, for each of its erased rows, the audit row that states the erasure. */
  hasStatements?: boolean;
  /**
   * State that another verifier saved. The verification continues from this state, and ignores `previous` and
   * `firstSeal`.
   */
  saved?: VerifierState | undefined;
}

/** State of an unfinished verification between two seals, which can be serialized as JSON. */
export interface VerifierState {
  faults: AuditFault[];
  edited: { row: AuditRow; hash: string; sealed: SealEntry; seal: number }[];
  missing: { sealed: SealEntry; seal: number }[];
  extra: AuditRow[];
  /** Rows after the last seal that was read. */
  pending: AuditRow[];
  previous?: string | undefined;
  nextNumber?: number | undefined;
  rows: number;
  seals: number;
  through: number;
  erasures: ErasureState;
}

/**
 * Creates a verifier that reads an audit log as a stream: for each seal first its rows and then the seal, and at the
 * end the rows without a seal.
 */
export function createAuditVerifier({
  findKey,
  expects = () => true,
  partial = false,
  hasStatements = true,
  saved,
  ...start
}: AuditVerifierOptions) {
  const { faults = [], edited = [], missing = [], extra = [] } = saved ?? {};
  const erasures = createErasureCheck(saved?.erasures);
  let { pending = [], rows = 0, seals = 0, through = 0 } = saved ?? {};
  let { previous, nextNumber } = saved ?? { previous: start.previous, nextNumber: start.firstSeal };

  function compareRows(seal: Seal): void {
    const byId = new Map<string, AuditRow>();
    for (const row of pending) {
      if (byId.has(row.id)) extra.push(row);
      else byId.set(row.id, row);
    }
    const sealed = seal.entries.filter(expects);
    for (const entry of sealed) {
      const [seq, id, , hash] = entry;
      const row = byId.get(id);
      const current = row ? contentHashAs(hash, row) : '';
      if (!row) missing.push({ sealed: entry, seal: seal.number });
      else if (current !== hash) edited.push({ row, hash: current, sealed: entry, seal: seal.number });
      else if (row.seq !== seq) faults.push(rowFault('moved', id, seal.number, 'stands in another place'));
    }
    const ids = new Set(sealed.map(([, id]) => id));
    extra.push(...[...byId.values()].filter(({ id }) => !ids.has(id)));
    const there = [...byId.keys()].filter((id) => ids.has(id));
    const inOrder = sealed.map(([, id]) => id).filter((id) => byId.has(id));
    there.forEach((id, place) => {
      if (id !== inOrder[place]) faults.push(rowFault('moved', id, seal.number, 'stands in another place'));
    });
    pending = [];
  }

  function compareSwapped(): void {
    const bySealedHash = new Map(edited.map((one) => [one.sealed[3], one]));
    for (const { row, hash, sealed, seal } of edited) {
      // In format 1, the seal's hash does not match an erased row. Only the statement of the erasure attests to the
      // content of the row, so a statement must list the row.
      if (!sealed[3].startsWith('2.') && erasures.isErased(row) && (!hasStatements || erasures.isStated(row))) continue;
      const other = bySealedHash.get(hash);
      faults.push(
        other?.hash === sealed[3]
          ? rowFault('swapped', row.id, seal, `has the content of ${other.row.id}`)
          : rowFault('edited', row.id, seal, 'differs from what was sealed'),
      );
    }
  }

  function compareMoved(): void {
    const strays = Map.groupBy(extra, ({ id }) => id);
    for (const { sealed, seal } of missing) {
      const [, id, , hash] = sealed;
      const candidates = strays.get(id) ?? [];
      const whole = candidates.findIndex((stray) => contentHashAs(hash, stray) === hash);
      if (candidates.splice(Math.max(whole, 0), 1).length > 0) {
        const reason = whole < 0 ? 'stands in another place and says something else' : 'stands in another place';
        faults.push(rowFault(whole < 0 ? 'edited' : 'moved', id, seal, reason));
      } else if (!partial) faults.push(rowFault('deleted', id, seal, 'is gone'));
    }
    for (const row of [...strays.values()].flat())
      if (row.seq <= through) faults.push(rowFault('inserted', row.id, null, 'was not there when its time was sealed'));
  }

  return {
    row(row: AuditRow): void {
      rows += 1;
      pending.push(row);
      erasures.read(row);
    },

    /** Reads an unsealed row if the row is a valid statement of an erasure. */
    unsealedStatement(row: AuditRow): void {
      erasures.read(row);
    },

    async seal(seal: Seal): Promise<void> {
      seals += 1;
      const follows = nextNumber === undefined || seal.number === nextNumber;
      if (!follows && !partial) {
        const reason = `stands where seal ${nextNumber ?? 1} belongs`;
        faults.push({ kind: 'seal', row: null, seal: seal.number, reason });
      }
      for (const reason of await sealFaults(seal, follows && !partial ? previous : undefined, findKey))
        faults.push({ kind: 'seal', row: null, seal: seal.number, reason });
      compareRows(seal);
      previous = hashOfSeal(seal);
      nextNumber = seal.number + 1;
      through = Math.max(through, ...seal.entries.slice(-1).map(([seq]) => seq));
    },

    async end(): Promise<AuditFindings> {
      const { checkpoint } = start;
      if (checkpoint && !(await isSignedCheckpoint(checkpoint, findKey))) {
        const reason = 'the checkpoint at which the log begins has no good signature';
        faults.push({ kind: 'checkpoint', row: null, seal: checkpoint.number, reason });
      }
      const unsealed = pending.length;
      extra.push(...pending);
      compareSwapped();
      compareMoved();
      const erased = erasures.end();
      if (hasStatements) {
        for (const id of erased.unstated)
          faults.push(rowFault('edited', id, null, 'was erased, and no row of an erasure says so'));
      }
      const removed = checkpoint?.rows ?? 0;
      return { rows, seals, unsealed, erased: erased.count, removed, faults: distinct(faults) };
    },

    /** Number of differences that were found so far. */
    get found(): number {
      return faults.length + edited.length + missing.length + extra.length + pending.length;
    },

    /** The number of rows that were verified. */
    get rows(): number {
      return rows;
    },

    /** Returns the state for {@link AuditVerifierOptions.saved}. This verifier can still be used after the call. */
    save: (): VerifierState => ({
      ...{ faults, edited, missing, extra, pending, previous, nextNumber, rows, seals, through },
      erasures: erasures.save(),
    }),

    /** Adds a fault of the file itself, which the reader of the file has found. */
    fault(reason: string): void {
      faults.push({ kind: 'file', row: null, seal: null, reason });
    },
  };
}

export type AuditVerifier = ReturnType<typeof createAuditVerifier>;

function rowFault(kind: AuditFault['kind'], row: string, seal: number | null, reason: string): AuditFault {
  return { kind, row, seal, reason };
}

/** Removes repeated faults: a row that is misplaced in two ways has one fault. */
function distinct(faults: readonly AuditFault[]): AuditFault[] {
  const seen = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
  return [...seen.values()];
}
