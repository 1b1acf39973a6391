import type { Caller, Project } from '@millwright/auth';
import type { FindVectorSupport, SearchVector } from '@millwright/catalog/knowledge-search';
import type { Database } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import type { EmbeddingModel, EmbedTexts } from './embed-texts.js';

/** Time limit in milliseconds for making the vector of a search text. When it passes, the search uses only words. */
const TIMEOUT_MS = 2_000;
/** Limit in characters of the text from which a vector is made. The beginning of a long message shows what the message is about. */
const MOST_CHARACTERS = 2_000;

export interface SearchVectorDeps {
  db: Pick<Database, 'prepared'>;
  findSupport: FindVectorSupport;
  embedTexts: EmbedTexts;
  logger: Pick<Logger, 'warn'>;
}

interface ReadySetting extends EmbeddingModel {
  length: number;
  generation: number;
}

const READY = `
  SELECT model, dimensions, length, generation FROM knowledge_search
   WHERE project = $1 AND model IS NOT NULL AND length IS NOT NULL AND state = 'ready'`;

/** Makes the vector of a search text. */
export function createSearchVectors({ db, findSupport, embedTexts, logger }: SearchVectorDeps) {
  const findSetting = async (project: Project): Promise<ReadySetting | undefined> =>
    (await db.prepared<ReadySetting>('find-ready-vectors', READY, [project]))[0];

  /** Returns undefined when the project has no vectors, the database has no pgvector, or the model does not answer in time. */
  return async (caller: Caller, text: string): Promise<SearchVector | undefined> => {
    const searched = text.slice(0, MOST_CHARACTERS).toWellFormed().trim();
    if (searched === '') return undefined;
    const setting = await findSetting(caller.project);
    if (!setting) return undefined;
    const support = await findSupport();
    if (!support.isInstalled) return undefined;
    try {
      const [vector = []] = await embedTexts(caller, setting, [searched], AbortSignal.timeout(TIMEOUT_MS));
      return { vector, generation: setting.generation, isIndexed: support.indexed.has(setting.length) };
    } catch (err) {
      logger.warn({ err, project: caller.project }, 'a search has no vector; it finds content by words alone');
      return undefined;
    }
  };
}
export type FindSearchVector = ReturnType<typeof createSearchVectors>;
