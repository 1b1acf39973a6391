import type { CountedKind } from '@millwright/db';
import { MOST_COUNTED } from '@millwright/records';

/** SQL for the number of matching rows, up to the limit. */
export const countOf = (matching: string) =>
  `(SELECT count(*)::int FROM (SELECT FROM ${matching} LIMIT ${MOST_COUNTED}) counted)`;

/** SQL for the stored total of a kind of record; `projects` is SQL for an array. */
export const totalOf = (kind: CountedKind, projects: string) =>
  `(SELECT coalesce(sum(n), 0)::int FROM record_counts WHERE project = ANY(${projects}) AND kind = '${kind}')`;
