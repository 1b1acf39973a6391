import { createHash } from 'node:crypto';
import { createAuditVerifier, type AuditVerifier, type AuditFindings } from './audit-verifier.js';
import { canonical, contentHash, isAuditRow } from './content-hash.js';
import { isSignedEnd, Seal } from './seal.js';
import { AuditFileEnd, AuditFileHeader, type PublicSealKey } from './audit-file.js';
import { createPinnedKeyFinder } from './pinned-keys.js';

export interface FileFindings extends AuditFindings {
  /** Whether the file contains all rows between `from` and `to`, so that missing rows are faults. */
  complete: boolean;
  from: string | null;
  to: string | null;
  exported_at: string | null;
  /**
   * `given`: keys from another source. `file`: the keys of the file itself, which prove only that one author wrote the
   * whole file.
   */
  keys: 'given' | 'file';
  kids: string[];
  /** Whether the service signed the end of the export. */
  end: 'signed' | 'unsigned';
}

/** Verifies an export line by line. `keys` are the trusted keys; the default is the keys of the file itself. */
export async function verifyAuditFile(
  lines: AsyncIterable<string> | Iterable<string>,
  keys?: readonly PublicSealKey[],
): Promise<FileFindings> {
  const reader = createReader(keys);
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line !== '') await reader.read(parseLine(line), number);
  }
  return reader.end();
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function createReader(given: readonly PublicSealKey[] | undefined) {
  const digest = createHash('sha256');
  let header: AuditFileHeader | undefined;
  let end: AuditFileEnd | undefined;
  let findKey = createPinnedKeyFinder(given ?? []);
  let check: AuditVerifier = createAuditVerifier({ findKey });
  let unsealed = 0;
  let firstSeal: number | undefined;

  function begin(read: AuditFileHeader): void {
    header = read;
    digest.update(canonical(read));
    if (!given) findKey = createPinnedKeyFinder(read.keys);
    const { from, to, partial, first_seal, previous, checkpoint } = read;
    check = createAuditVerifier({
      findKey,
      partial,
      hasStatements: !partial && to === null,
      firstSeal: first_seal ?? undefined,
      previous: previous ?? undefined,
      checkpoint,
      expects: ([, , at]) => (from === null || at >= from) && (to === null || at < to),
    });
  }

  /** Requires that an unfiltered export starts with the first seal or, after a removal of old rows, with the first seal after its checkpoint. */
  function requireBeginning(number: number): void {
    if (!header || header.partial || header.from !== null) return;
    const { checkpoint } = header;
    const isBeginning = checkpoint
      ? number === checkpoint.number + 1 && header.previous === checkpoint.hash
      : number === 1;
    if (!isBeginning) check.fault(`it begins at seal ${number}, without a checkpoint of what was before`);
  }

  return {
    async read(value: unknown, number: number): Promise<void> {
      if (end) check.fault(`line ${number} stands after the end`);
      if (isAuditRow(value)) {
        digest.update(contentHash(value));
        unsealed += 1;
        check.row(value);
        return;
      }
      const seal = Seal.safeParse(value).data;
      const head = number === 1 ? AuditFileHeader.safeParse(value).data : undefined;
      if (seal) {
        unsealed = 0;
        if (firstSeal === undefined) requireBeginning(seal.number);
        firstSeal ??= seal.number;
        await check.seal(seal);
      } else if (head) begin(head);
      else {
        end = AuditFileEnd.safeParse(value).data;
        if (!end) check.fault(`line ${number} cannot be read`);
      }
    },

    async end(): Promise<FileFindings> {
      if (!header) check.fault('the header is missing');
      if (!end) check.fault('the end is missing: the file was cut');
      const isSigned = end?.jws != null;
      const { jws, ...stated } = end ?? { jws: null };
      if (end && isSigned && !(await isSignedEnd(stated, jws ?? '', findKey)))
        check.fault('the signature of the end is not good');
      const findings = await check.end();
      const { rows, seals } = findings;
      const found = { type: 'end', rows, seals, unsealed, digest: digest.digest('hex') };
      if (end && canonical(found) !== canonical(stated)) {
        const reason = 'it does not hold what its end says: lines were changed, added or cut';
        findings.faults.push({ kind: 'file', row: null, seal: null, reason });
      }
      return {
        ...findings,
        unsealed,
        complete: header ? !header.partial : false,
        from: header?.from ?? null,
        to: header?.to ?? null,
        exported_at: header?.exported_at ?? null,
        keys: given ? 'given' : 'file',
        kids: (given ?? header?.keys ?? []).map(({ kid }) => kid),
        end: isSigned ? 'signed' : 'unsigned',
      };
    },
  };
}
