import { isAuditRow, type AuditRow } from './content-hash.js';
import type { PublicSealKey } from './audit-file.js';
import { Seal } from './seal.js';
import { verifyAuditFile, type FileFindings } from './verify-audit-file.js';

/** An audit row of a run, and the result of verifying it with its seal. */
export interface TracedRow {
  row: AuditRow;
  /** Number of the seal that covers the row; null while the row is unsealed. */
  seal: number | null;
  /** The difference between the row and the sealed row; null when there is no difference, or when the row is not sealed yet. */
  fault: string | null;
}

export interface RunTrace {
  /** Rows in the order in which they were written. */
  rows: TracedRow[];
  /** Findings of the check of the whole input. A fault of a seal applies to each row of that seal. */
  findings: FileFindings;
}

/** Whether a row belongs to a run: its detail names the run, or the run is its resource. */
export const isOfRun = ({ detail, resource }: AuditRow, run: string): boolean =>
  resource === run || (typeof detail === 'object' && detail !== null && 'run' in detail && detail.run === run);

/**
 * Reads the rows of a run from an export and verifies them: each row by the hash in its seal, and the seals by their
 * signatures. `keys` are the trusted keys; the default is the keys of the file itself.
 */
export async function traceRun(
  lines: AsyncIterable<string> | Iterable<string>,
  run: string,
  keys?: readonly PublicSealKey[],
): Promise<RunTrace> {
  const found: { row: AuditRow; seal: number | null }[] = [];
  let unsealed: typeof found = [];

  async function* watched(): AsyncGenerator<string> {
    for await (const text of lines) {
      for (const line of text.split('\n').filter((one) => one !== '')) {
        note(parsed(line));
        yield line;
      }
    }
  }
  function note(value: unknown): void {
    if (isAuditRow(value)) {
      if (!isOfRun(value, run)) return;
      const entry = { row: value, seal: null };
      found.push(entry);
      unsealed.push(entry);
      return;
    }
    const seal = Seal.safeParse(value).data;
    if (!seal) return;
    for (const entry of unsealed) entry.seal = seal.number;
    unsealed = [];
  }

  const findings = await verifyAuditFile(watched(), keys);
  const faults = new Map(findings.faults.map(({ row, reason }) => [row, reason]));
  return { rows: found.map((entry) => ({ ...entry, fault: faults.get(entry.row.id) ?? null })), findings };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // the check of the whole log reports this fault
  }
}
