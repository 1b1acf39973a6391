import { recordDecision, type AuditEntry } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import {
  addToCount,
  conflictWhenTaken,
  decodeId,
  encodeId,
  isPresent,
  lockRecord,
  moveCount,
  newId,
  readCount,
  type CountedKind,
  type Database,
  type IdPrefix,
  type LockedRecord,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { equals, type Condition } from './conditions.js';
import { listPage, type PageRequest } from './list-page.js';

export interface RecordRow {
  id: string;
  version: number;
}

interface WrittenRow extends RecordRow {
  status: string;
}

/** The columns that every new record has. Prisma sets its times. */
export interface NewColumns {
  id: string;
  project: Project;
  created_by: string;
}

/** The version that a change of a record creates. */
export interface NextVersion {
  version: { increment: 1 };
}

export interface RecordKind<Row extends RecordRow, Shown> {
  /** Table of the records. Their totals are maintained under the same name. */
  table: CountedKind;
  /** Prefix of the ids. When it is missing, an id is a UUID without a prefix. */
  prefix?: IdPrefix;
  /** Prefix of the actions in the audit log, such as `skill` in `skill.create`. */
  noun: string;
  /** Select list in which `r` is the row. */
  columns: string;
  /**
   * SQL for the bytes of the long columns of a row, which limit the size of a page. When it is missing, no column is
   * long.
   */
  bytes?: string;
  /** SQL of a join that adds columns to each row. */
  join?: string;
  toResponse: (row: Row) => Shown;
}

/** A page of a project's records. */
export interface RecordFilter extends Omit<PageRequest, 'conditions' | 'total'> {
  status?: string | undefined;
  /** Conditions in addition to those on project and status. */
  conditions?: readonly Condition[];
}

/**
 * Makes the functions for one kind of record. Each record belongs to a project and has versions; its changes are counted in the totals of
 * lists, and audited. Every function accesses only one project.
 */
export function defineRecords<Row extends RecordRow, Shown>(kind: RecordKind<Row, Shown>) {
  const { table, prefix, noun, columns, join = '', bytes, toResponse } = kind;
  const source = { name: table, table, columns, join, ...(bytes !== undefined && { bytes }) };
  const present = isPresent(table, 'r');
  const uuidOf = (id: string) => (prefix ? decodeId(prefix, id) : id);
  const idOf = (uuid: string) => (prefix ? encodeId(prefix, uuid) : uuid);

  const toVersioned = (row: Row): Versioned<Shown> => ({ record: toResponse(row), version: row.version });

  async function findRow(db: Pick<Database, 'prepared'>, project: Project, id: string): Promise<Row | undefined> {
    const uuid = uuidOf(id);
    if (!uuid) return undefined;
    const text = `SELECT ${columns} FROM ${table} r ${join} WHERE r.id = $1 AND r.project = $2 AND ${present}`;
    const [row] = await db.prepared<Row>(`find-${table}`, text, [uuid, project]);
    return row;
  }

  const lock = (tx: Tx, { project }: Caller, { id, ifMatch }: Target): Promise<LockedRecord> =>
    lockRecord(tx, table, project, uuidOf(id), ifMatch);

  return {
    idOf,
    uuidOf,
    toVersioned,
    findRow,

    async find(db: Pick<Database, 'prepared'>, project: Project, id: string): Promise<Versioned<Shown> | undefined> {
      const row = await findRow(db, project, id);
      return row && toVersioned(row);
    },

    /**
     * Reads one page of the list and the total of the list. The total is a stored count, unless there are `conditions`: then the rows are
     * counted.
     */
    async list(db: Pick<Database, 'prepared'>, project: Project, { status, conditions = [], ...page }: RecordFilter) {
      const given = status === undefined ? [] : [equals('r.status', status, 'status')];
      const { rows, total, cut } = await listPage<Row>(db, source, {
        ...page,
        conditions: [{ sql: (of) => `r.project = ${of} AND ${present}`, value: project }, ...given, ...conditions],
        total: conditions.length === 0 ? () => readCount(db, { project, kind: table, status }) : undefined,
      });
      return { items: rows.map(toResponse), total, cut };
    },

    /**
     * Locks a record until the transaction ends.
     *
     * @throws AppError not_found for an unknown record; precondition_failed when `ifMatch` does not contain its version
     */
    lock,

    /** Creates a record, increases the total of the list, and writes an audit row. @throws AppError conflict when a unique value is taken. */
    async create<Written extends WrittenRow>(
      tx: Tx,
      { project, actor }: Caller,
      write: (columns: NewColumns) => Promise<Written>,
      detail: (row: Written) => AuditEntry['detail'],
      id = newId(),
    ): Promise<Written> {
      const row = await write({ id, project, created_by: actor.userId }).catch(conflictWhenTaken);
      await addToCount(tx, { project, kind: table, status: row.status }, 1);
      const entry = { actor, action: `${noun}.create`, resource: idOf(id), project, detail: detail(row) };
      await recordDecision(tx, entry);
      return row;
    },

    /**
     * Writes the next version of a locked record, changes the totals of lists if necessary, and writes an audit row.
     *
     * @throws AppError conflict when a unique value is taken.
     */
    async change<Written extends WrittenRow>(
      tx: Tx,
      { project, actor }: Caller,
      current: LockedRecord,
      write: (next: NextVersion) => Promise<Written>,
      detail: (row: Written) => AuditEntry['detail'],
    ): Promise<Written> {
      const row = await write({ version: { increment: 1 } }).catch(conflictWhenTaken);
      await moveCount(tx, { project, kind: table, status: current.status }, row.status);
      const entry = { actor, action: `${noun}.update`, resource: idOf(current.id), project, detail: detail(row) };
      await recordDecision(tx, entry);
      return row;
    },

    /** Removes a record, decreases the total of the list, and writes an audit row. @throws AppError not_found, precondition_failed like `lock` */
    async remove(
      tx: Tx,
      caller: Caller,
      target: Target,
      deleteRow: (current: LockedRecord) => Promise<unknown>,
    ): Promise<void> {
      const current = await lock(tx, caller, target);
      await deleteRow(current);
      const { project, actor } = caller;
      await addToCount(tx, { project, kind: table, status: current.status }, -1);
      await recordDecision(tx, { actor, action: `${noun}.delete`, resource: idOf(current.id), project });
    },
  };
}
export type Records<Row extends RecordRow, Shown> = ReturnType<typeof defineRecords<Row, Shown>>;
