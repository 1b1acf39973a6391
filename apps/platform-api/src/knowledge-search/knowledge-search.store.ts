import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { MOST_DIMENSIONS, type FindVectorSupport } from '@millwright/catalog/knowledge-search';
import type { Database, Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { createModelCheck, type ModelDefinition } from '@millwright/models';
import type { KnowledgeSearch, NewKnowledgeSearch } from './knowledge-search.contract.js';

interface SettingRow {
  model: string | null;
  dimensions: number | null;
  state: 'listing' | 'indexing' | 'ready';
  failure: keyof typeof FAILURES | null;
  generation: number;
  refused: number;
  updated_at: Date;
}

/** Name of a project's setting in the audit log. */
const RESOURCE = 'knowledge-search';
const MOST_COUNTED = 100_000;
/**
 * Seconds between the change of a setting and the listing of the project's content. Transactions that began before the change have ended by
 * then, so that their content is listed too.
 */
const DELAY_SECONDS = 5;

const FAILURES = {
  budget: 'A budget is used up. Raise it, or wait for its next period.',
  length: `The model makes vectors of more than ${MOST_DIMENSIONS.toLocaleString('en')} numbers, or of another length than before. Set a length that it supports.`,
  model: 'The project no longer has this model. Set another one, or add it again.',
  refused: 'The model makes no embeddings, or not of this length. Set another model or length.',
  unavailable: 'The model does not answer. See its state on the page of the model.',
} as const;

const COLUMNS = 'model, dimensions, state, failure, generation, refused, updated_at';

const counted = (from: string) => `(SELECT count(*)::int FROM (SELECT FROM ${from} LIMIT ${MOST_COUNTED}) c)`;
const COUNTS = `
  SELECT ${counted('content_vectors v WHERE v.project = $1 AND v.generation = $2 AND v.place = 1')} AS indexed,
         ${counted('vector_work w WHERE w.project = $1')} AS pending`;

function stateOf(row: SettingRow, hasPgvector: boolean): Pick<KnowledgeSearch, 'state' | 'message'> {
  if (row.model === null) return { state: 'full_text', message: fullText(hasPgvector) };
  if (!hasPgvector)
    return { state: 'no_pgvector', message: 'Full text only: PostgreSQL has no pgvector. An operator can install it.' };
  const isReady = row.state === 'ready';
  if (row.failure) {
    const found = isReady ? 'New text is found by words alone.' : 'Until then searches are full text only.';
    return { state: 'failing', message: `${FAILURES[row.failure]} It is called again later. ${found}` };
  }
  if (isReady) return { state: 'ready', message: 'Searches use words and vectors.' };
  return { state: 'indexing', message: 'Vectors are made. Until all are, searches are full text only.' };
}

const fullText = (hasPgvector: boolean) =>
  `Full text only: no embedding model is set${hasPgvector ? '' : ', and PostgreSQL has no pgvector'}.`;

/** Settings of the search in each project's knowledge. `environment`: the models of MODEL_* and MODELS_FILE. */
export function createKnowledgeSearchStore(
  db: Database,
  findSupport: FindVectorSupport,
  environment: readonly ModelDefinition[],
) {
  const checkModel = createModelCheck(environment);

  /** @throws AppError validation_error for a model that the project does not have, and for the offline model */
  async function requireModel(tx: Tx, project: Project, name: string): Promise<void> {
    await checkModel(tx, project, name).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw invalidField('embedding_model', error.fields[0]?.reason ?? 'is not a model of this project');
    });
    const isOffline = environment.some((given) => given.name === name && given.endpoint === null);
    const isOwn = isOffline && (await tx.model.findFirst({ where: { project, name }, select: { id: true } }));
    if (isOffline && !isOwn)
      throw invalidField('embedding_model', 'is the offline model, which makes no embeddings: add a model that does');
  }

  const toSetting = (
    row: SettingRow,
    hasPgvector: boolean,
    counts: { indexed: number; pending: number },
  ): KnowledgeSearch => ({
    embedding_model: row.model,
    dimensions: row.dimensions,
    ...stateOf(row, hasPgvector),
    ...counts,
    refused: row.refused,
    updated_at: row.updated_at.toISOString(),
  });

  return {
    async find(project: Project): Promise<KnowledgeSearch> {
      const { isInstalled } = await findSupport();
      const text = `SELECT ${COLUMNS} FROM knowledge_search WHERE project = $1`;
      const [row] = await db.prepared<SettingRow>('find-knowledge-search', text, [project]);
      if (!row) {
        const nothing = {
          embedding_model: null,
          dimensions: null,
          indexed: 0,
          pending: 0,
          refused: 0,
          updated_at: null,
        };
        return { ...nothing, state: 'full_text', message: fullText(isInstalled) };
      }
      const [counts = { indexed: 0, pending: 0 }] = await db.prepared<{ indexed: number; pending: number }>(
        'count-vectors',
        COUNTS,
        [project, row.generation],
      );
      return toSetting(row, isInstalled, counts);
    },

    /** @throws AppError validation_error for a model as in `requireModel` */
    async set(
      tx: Tx,
      { project, actor }: Caller,
      { embedding_model: model, dimensions }: NewKnowledgeSearch,
      hasPgvector: boolean,
    ): Promise<KnowledgeSearch> {
      if (model !== null) await requireModel(tx, project, model);
      const [row] = await tx.$queryRaw<[SettingRow]>`
        INSERT INTO knowledge_search AS s (project, model, dimensions, updated_by, next_at)
        VALUES (${project}, ${model}, ${dimensions}::int, ${actor.userId}::uuid, now() + make_interval(secs => ${DELAY_SECONDS}))
        ON CONFLICT (project) DO UPDATE
          SET model = excluded.model, dimensions = excluded.dimensions, updated_by = excluded.updated_by, next_at = excluded.next_at, updated_at = now(),
              generation = s.generation + 1, length = NULL, state = 'listing', listing = 'items', listed_at = NULL, listed_id = NULL, failure = NULL, failed_at = NULL, refused = 0, tries = 0
        RETURNING model, dimensions, state, failure, generation, refused, updated_at`;
      const detail = { embedding_model: model, dimensions };
      await recordDecision(tx, { actor, project, action: 'knowledge_search.update', resource: RESOURCE, detail });
      return toSetting(row, hasPgvector, { indexed: 0, pending: 0 });
    },
  };
}
export type KnowledgeSearchStore = ReturnType<typeof createKnowledgeSearchStore>;
