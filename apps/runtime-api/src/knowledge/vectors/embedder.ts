import type { Caller } from '@millwright/auth';
import { cutParts, type FindVectorSupport } from '@millwright/catalog/knowledge-search';
import type { Database } from '@millwright/db';
import { createScan, type Logger } from '@millwright/http/process';
import { NoVectors, type EmbeddingModel, type EmbedTexts } from './embed-texts.js';
import {
  createEmbedderStore,
  VectorsLost,
  type MadeVectors,
  type VectorLease,
  type VectorOwner,
} from './embedder.store.js';

/** Interval at which a process looks for texts without vectors, in milliseconds. */
const LOOK_MS = 2_000;
/** Limit of the texts in one call. With the longest vectors, the answer to a call has about a megabyte. */
const MOST_TEXTS = 32;
/** Limit of consecutive steps for one project, so that other projects do not wait for all of its texts. */
const MOST_STEPS = 20;
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 900;
/** Limit of a passage's text in characters. */
const PASSAGE_CHARACTERS = 4_000;

export interface EmbedderOptions {
  db: Database;
  findSupport: FindVectorSupport;
  embedTexts: EmbedTexts;
  logger: Pick<Logger, 'warn'>;
}

const textsOf = ({ kind, title, body }: VectorOwner): string[] => {
  const parts = kind === 'item' ? cutParts(body) : [body.slice(0, PASSAGE_CHARACTERS).toWellFormed()];
  return (parts.length > 0 ? parts : ['']).map((part) => `${title}\n\n${part}`.trim());
};

/**
 * Makes the vectors of projects with an embedding model, one project at a time in each process. After a change of the model, it first lists the
 * project's content and passages as work. Then it makes the vectors of the listed texts, and of texts that change later. The work is stored in rows,
 * so that another process can continue it when this process ends.
 */
export function createEmbedder({ db, findSupport, embedTexts, logger }: EmbedderOptions) {
  const store = createEmbedderStore(db);
  const stopping = new AbortController();

  async function embedAll(caller: Caller, model: EmbeddingModel, texts: readonly string[]) {
    const vectors: (readonly number[])[] = [];
    for (let from = 0; from < texts.length; from += MOST_TEXTS) {
      const length = model.length ?? vectors[0]?.length ?? null;
      const part = texts.slice(from, from + MOST_TEXTS);
      vectors.push(...(await embedTexts(caller, { ...model, length }, part, stopping.signal)));
    }
    return vectors;
  }

  /**
   * Makes the vectors of each owner in separate calls. A text that the model refuses gets no vectors. When the model refuses every text, another text
   * is sent, so that a model that refuses everything counts as failed.
   */
  async function embedEach(
    caller: Caller,
    model: EmbeddingModel,
    owners: readonly VectorOwner[],
  ): Promise<MadeVectors[]> {
    const made: MadeVectors[] = [];
    for (const owner of owners) {
      const vectors = await embedAll(caller, model, textsOf(owner)).catch((error: unknown) => {
        if (error instanceof NoVectors && error.failure === 'refused') return [];
        throw error;
      });
      made.push({ owner, vectors });
    }
    if (made.every(({ vectors }) => vectors.length === 0))
      await embedAll(caller, model, ['Does the model make vectors?']);
    return made;
  }

  async function embedOwners(
    caller: Caller,
    model: EmbeddingModel,
    owners: readonly VectorOwner[],
  ): Promise<MadeVectors[]> {
    const texts = owners.map(textsOf);
    try {
      const vectors = [...(await embedAll(caller, model, texts.flat()))];
      return owners.map((owner, index) => ({ owner, vectors: vectors.splice(0, texts[index]?.length ?? 0) }));
    } catch (error) {
      if (!(error instanceof NoVectors) || error.failure !== 'refused') throw error;
      return embedEach(caller, model, owners);
    }
  }

  /** Does a part of the work on a project. @returns whether there may be more to do */
  async function step(lease: VectorLease): Promise<boolean> {
    if (await store.deletePart(lease)) return true;
    const { model, listing, project, updated_by: userId } = lease;
    if (model === null) {
      await store.finish(lease);
      return false;
    }
    if (listing !== null) {
      lease.listing = await store.listPart({ ...lease, listing });
      return true;
    }
    const owners = await store.nextOwners(lease);
    if (!owners) {
      await store.finish(lease);
      return false;
    }
    if (owners.length === 0) return true;
    const caller: Caller = { project, actor: { userId, kind: 'job', label: 'embedder' } };
    const made = await embedOwners(caller, { ...lease, model }, owners);
    await store.store(lease, made);
    lease.length ??= made.flatMap(({ vectors }) => vectors)[0]?.length ?? null;
    return true;
  }

  async function work(lease: VectorLease): Promise<void> {
    try {
      for (let steps = 0; steps < MOST_STEPS; steps += 1) if (!(await step(lease))) return;
      await store.release(lease);
    } catch (err) {
      if (err instanceof VectorsLost) return;
      if (stopping.signal.aborted) return store.release(lease);
      const failure = err instanceof NoVectors ? err.failure : 'unavailable';
      logger.warn({ err, project: lease.project }, 'vectors could not be made; they are tried again');
      const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(lease.tries, 10), LONGEST_PAUSE_SECONDS);
      await store.release(lease, pause, failure);
    }
  }

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      const lease = await store.claim((await findSupport()).isInstalled);
      if (!lease) return;
      await work(lease);
    }
  }

  const scan = createScan(look, LOOK_MS, (err) => logger.warn({ err }, 'vectors could not be made'));

  return {
    start: scan.start,
    /** Stops this process's work on vectors. Another process continues it. */
    async close(): Promise<void> {
      stopping.abort();
      await scan.close();
    },
  };
}
export type Embedder = ReturnType<typeof createEmbedder>;
