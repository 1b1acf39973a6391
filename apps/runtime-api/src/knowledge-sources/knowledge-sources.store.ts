import { recordDecision, type AuditEntry } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import {
  ADVISORY_LOCKS,
  conflictWhenTaken,
  decodeId,
  encodeId,
  newId,
  Prisma,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { EgressRefused, type Egress } from '@millwright/egress';
import { AppError, invalidField } from '@millwright/errors';
import { equals, listPage } from '@millwright/records';
import {
  failureText,
  MOST_SOURCES,
  type KnowledgeSource,
  type KnowledgeSourceChanges,
  type NewKnowledgeSource,
  type SourceFailure,
} from './knowledge-sources.contract.js';
import { nextFetchAt } from './schedule.js';

interface SourceRow {
  id: string;
  name: string;
  url: string;
  tags: string[];
  schedule: string | null;
  timezone: string;
  state: KnowledgeSource['state'];
  failure: SourceFailure | null;
  failure_status: number | null;
  passages: number;
  next_at: Date | null;
  fetched_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

const NAMES =
  'id, name, url, tags, schedule, timezone, state, failure, failure_status, passages, next_at, fetched_at, version, created_at, updated_at';
const RETURNED = Prisma.raw(NAMES);
const COLUMNS = NAMES.split(', ')
  .map((name) => `r.${name}`)
  .join(', ');

function toSource({ failure, failure_status: status, next_at, fetched_at, ...row }: SourceRow): KnowledgeSource {
  const { name, url, tags, schedule, timezone, state, passages, version } = row;
  return {
    id: encodeId('kns', row.id),
    ...{ name, url, tags, schedule, timezone, state },
    failure: failure && { code: failure, message: failureText(failure, status), status },
    passages,
    last_fetched_at: fetched_at?.toISOString() ?? null,
    // While a process fetches the source, this column contains the end of the process's lease.
    next_fetch_at: state === 'fetching' ? null : (next_at?.toISOString() ?? null),
    version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const toVersioned = (row: SourceRow): Versioned<KnowledgeSource> => ({ record: toSource(row), version: row.version });

/** Reads and changes knowledge sources of projects. Every function accesses only one project. */
export function createKnowledgeSourceStore(db: Database, { checkUrl }: Pick<Egress, 'checkUrl'>) {
  /** Checks a URL. @returns the URL in the form in which it is stored and fetched @throws AppError validation_error for the field `url` */
  function addressOf(text: string): string {
    try {
      const url = checkUrl(text);
      url.hash = '';
      if (url.href.length > 2_000) throw invalidField('url', 'is too long: 2,000 characters at most, once encoded');
      return url.href;
    } catch (error) {
      if (error instanceof EgressRefused) throw invalidField('url', `is refused: ${error.message}`);
      throw error;
    }
  }

  /** Locks the source's row. @throws AppError not_found; precondition_failed when `ifMatch` does not have the current version */
  async function lock(tx: Tx, { project }: Caller, { id, ifMatch }: Target): Promise<SourceRow> {
    const uuid = decodeId('kns', id);
    const [row] = uuid
      ? await tx.$queryRaw<SourceRow[]>`
          SELECT ${RETURNED} FROM knowledge_sources WHERE id = ${uuid}::uuid AND project = ${project} FOR UPDATE`
      : [];
    if (!row) throw new AppError('not_found');
    if (ifMatch && !ifMatch.includes(row.version)) throw new AppError('precondition_failed');
    return row;
  }

  const record = (tx: Tx, { actor, project }: Caller, action: string, id: string, detail?: AuditEntry['detail']) =>
    recordDecision(tx, {
      ...{ actor, project, action: `knowledge_source.${action}`, resource: encodeId('kns', id) },
      ...(detail && { detail }),
    });

  return {
    async find(project: Project, id: string): Promise<Versioned<KnowledgeSource> | undefined> {
      const uuid = decodeId('kns', id);
      if (!uuid) return undefined;
      const text = `SELECT ${COLUMNS} FROM knowledge_sources r WHERE r.id = $1 AND r.project = $2`;
      const [row] = await db.prepared<SourceRow>('find-knowledge-source', text, [uuid, project]);
      return row && toVersioned(row);
    },

    /** Lists sources, newest first. */
    async list(project: Project, { limit, offset }: { limit: number; offset: number }) {
      const { rows, total } = await listPage<SourceRow>(
        db.reads,
        { name: 'knowledge-sources', table: 'knowledge_sources', columns: COLUMNS },
        { conditions: [equals('r.project', project)], sort: 'created_at', direction: 'desc', limit, offset },
      );
      return { items: rows.map(toSource), total, limit, offset };
    },

    /**
     * @throws AppError validation_error for a refused URL; quota_exceeded when the project has `MOST_SOURCES`; conflict when it already has the URL
     */
    async create(tx: Tx, caller: Caller, input: NewKnowledgeSource): Promise<Versioned<KnowledgeSource>> {
      const { project, actor } = caller;
      const url = addressOf(input.url);
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${project}, ${ADVISORY_LOCKS.knowledgeSources}))::text`;
      if ((await tx.knowledgeSource.count({ where: { project }, take: MOST_SOURCES })) >= MOST_SOURCES) {
        const reason = `the project has ${MOST_SOURCES}, and may not have more; delete one that is no longer needed`;
        throw new AppError('quota_exceeded', { fields: [{ field: 'knowledge_sources', reason }] });
      }
      const { name, tags, schedule, timezone } = input;
      const [row] = await tx.$queryRaw<[SourceRow]>`
        INSERT INTO knowledge_sources (id, project, name, url, tags, schedule, timezone, attempt, created_by)
        VALUES (${newId()}::uuid, ${project}, ${name}, ${url}, ${tags}, ${schedule}, ${timezone}, nextval('knowledge_attempts'),
                ${actor.userId}::uuid)
        RETURNING ${RETURNED}`.catch(conflictWhenTaken);
      await record(tx, caller, 'create', row.id, { name, url, tags, schedule, timezone });
      return toVersioned(row);
    },

    /**
     * @throws AppError not_found; precondition_failed for another version; validation_error for a refused URL; conflict when the project already has
     * the URL
     */
    async change(
      tx: Tx,
      caller: Caller,
      target: Target,
      changes: KnowledgeSourceChanges,
    ): Promise<Versioned<KnowledgeSource>> {
      const current = await lock(tx, caller, target);
      const fields = Object.keys(changes);
      if (fields.length === 0) return toVersioned(current);
      const url = changes.url === undefined ? current.url : addressOf(changes.url);
      const { name, tags, schedule, timezone } = { ...current, ...changes };
      const isOther = url !== current.url;
      const isReadAgain = isOther || name !== current.name || tags.join('\n') !== current.tags.join('\n');
      // A waiting source is fetched with the new settings, and a fetch in progress is repeated, because it began with the former settings.
      const isFetched = isReadAgain || current.state === 'waiting' || current.state === 'fetching';
      const next = isFetched ? new Date() : nextFetchAt({ schedule, timezone }, new Date());
      const [row] = await tx.$queryRaw<[SourceRow]>`
        UPDATE knowledge_sources
           SET name = ${name}, url = ${url}, tags = ${tags}, schedule = ${schedule}, timezone = ${timezone},
               attempt = nextval('knowledge_attempts'), tries = 0, next_at = ${next},
               state = CASE WHEN ${isFetched} THEN 'waiting' ELSE state END,
               etag = CASE WHEN ${isReadAgain} THEN NULL ELSE etag END,
               last_modified = CASE WHEN ${isReadAgain} THEN NULL ELSE last_modified END,
               sha256 = CASE WHEN ${isReadAgain} THEN NULL ELSE sha256 END,
               failure = CASE WHEN ${isOther} THEN NULL ELSE failure END,
               failure_status = CASE WHEN ${isOther} THEN NULL ELSE failure_status END,
               passages = CASE WHEN ${isOther} THEN 0 ELSE passages END,
               fetched_at = CASE WHEN ${isOther} THEN NULL ELSE fetched_at END,
               version = version + 1, updated_at = now()
         WHERE id = ${current.id}::uuid RETURNING ${RETURNED}`.catch(conflictWhenTaken);
      await record(tx, caller, 'update', current.id, { fields, ...(isOther && { url }) });
      return toVersioned(row);
    },

    /**
     * Requests a fetch of the source now, unless the source already waits for a fetch or is being fetched. @throws AppError not_found when the
     * project has no such source
     */
    async refresh(tx: Tx, caller: Caller, id: string): Promise<Versioned<KnowledgeSource>> {
      const current = await lock(tx, caller, { id, ifMatch: undefined });
      if (current.state === 'waiting' || current.state === 'fetching') return toVersioned(current);
      const [row] = await tx.$queryRaw<[SourceRow]>`
        UPDATE knowledge_sources SET state = 'waiting', tries = 0, next_at = now() WHERE id = ${current.id}::uuid RETURNING ${RETURNED}`;
      await record(tx, caller, 'refresh', current.id);
      return toVersioned(row);
    },

    /**
     * Deletes the source, and removes its passages from search. Indexers delete the rows of the passages later. @throws AppError not_found;
     * precondition_failed for another version
     */
    async remove(tx: Tx, caller: Caller, target: Target): Promise<void> {
      const { id } = await lock(tx, caller, target);
      await tx.$executeRaw`DELETE FROM knowledge_sources WHERE id = ${id}::uuid`;
      await record(tx, caller, 'delete', id);
    },
  };
}
export type KnowledgeSourceStore = ReturnType<typeof createKnowledgeSourceStore>;
