import { z } from 'zod';
import { storedHash, type AuditRow } from './content-hash.js';

/** Action of the row that states which rows an erasure changed. Only the owner of the schema may write it. */
export const ERASE_ACTION = 'audit.erase';

/** Id and stored hash of each erased row. */
const Statement = z.object({ rows: z.array(z.tuple([z.string(), z.string()])) });

/** State of the comparison as JSON: the erased rows and the statements that were read so far. */
export interface ErasureState {
  /** Id and stored hash of each erased row. */
  erased: [id: string, hash: string][];
  stated: string[];
}

/**
 * Compares erased rows with the statements of erasures. Personal fields may be missing only when a sealed row of the
 * audit log states their erasure, and when the erased row has not changed since then.
 */
export function createErasureCheck(saved: ErasureState = { erased: [], stated: [] }) {
  const erased = new Map(saved.erased);
  const stated = new Set(saved.stated);
  const isStated = (id: string, hash: string) => stated.has(`${id} ${hash}`);

  return {
    save: (): ErasureState => ({ erased: [...erased], stated: [...stated] }),
    isErased: (row: AuditRow) => row.erased != null,
    isStated: (row: AuditRow) => isStated(row.id, storedHash(row)),

    read(row: AuditRow): void {
      if (row.erased != null) erased.set(row.id, storedHash(row));
      if (row.action !== ERASE_ACTION) return;
      const { rows = [] } = Statement.safeParse(row.detail).data ?? {};
      for (const [id, hash] of rows) stated.add(`${id} ${hash}`);
    },

    /** Returns the number of erased rows, and the ids of rows that no statement lists. */
    end(): { count: number; unstated: string[] } {
      const unstated = [...erased].filter(([id, hash]) => !isStated(id, hash)).map(([id]) => id);
      return { count: erased.size, unstated };
    },
  };
}
