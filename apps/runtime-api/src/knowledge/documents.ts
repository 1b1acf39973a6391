import {
  fetchDocument,
  NotADocument,
  openPluginConfig,
  SecretUnreadable,
  type DataSourceConfig,
  type RunnablePlugin,
  type SecretBox,
} from '@millwright/catalog';
import { EgressError, type EgressFetch } from '@millwright/egress';
import type { Piece } from './content.store.js';

const KEPT_MS = 60_000;
/** A source that fails is asked again sooner. */
const FAILURE_KEPT_MS = 10_000;
const MOST_KEPT = 200;
const DOCUMENT_MAX_CHARACTERS = 64 * 1024;

interface Kept {
  until: number;
  text: Promise<string | undefined>;
}

/** Documents of data sources, each asked for at most once a minute. What a source says is found again by anyone who asks it. */
export function createDocuments(fetch: EgressFetch, box: SecretBox, now: () => number = () => performance.now()) {
  const kept = new Map<string, Kept>();

  /** `undefined` when the source has no document to give. */
  async function read(plugin: RunnablePlugin): Promise<string | undefined> {
    try {
      const document = await fetchDocument(fetch, openPluginConfig(box, plugin) as unknown as DataSourceConfig);
      return JSON.stringify(document).slice(0, DOCUMENT_MAX_CHARACTERS);
    } catch (error) {
      if (error instanceof EgressError || error instanceof NotADocument || error instanceof SecretUnreadable)
        return undefined;
      throw error;
    }
  }

  function textOf(plugin: RunnablePlugin): Promise<string | undefined> {
    const key = `${plugin.id} ${plugin.version}`;
    const known = kept.get(key);
    if (known && known.until > now()) return known.text;
    const entry: Kept = { until: now() + KEPT_MS, text: read(plugin) };
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    void entry.text.then(
      (text) => text ?? (entry.until = now() + FAILURE_KEPT_MS),
      () => kept.delete(key),
    );
    return entry.text;
  }

  return (plugins: readonly RunnablePlugin[]): Promise<Piece[]> =>
    Promise.all(
      plugins.map(async (plugin) => ({
        title: plugin.name,
        text: (await textOf(plugin)) ?? 'This source could not be read.',
      })),
    );
}
export type Documents = ReturnType<typeof createDocuments>;
