import {
  fetchDocument,
  NotADocument,
  openPluginConfig,
  type DataSourceConfig,
  type RunnablePlugin,
} from '@millwright/catalog';
import type { PluginConfig } from '@millwright/catalog/plugin-config';
import { SecretUnreadable, type SecretBox } from '@millwright/secrets';
import { EgressError, type EgressFetch } from '@millwright/egress';
import { LRUCache } from 'lru-cache';
import type { Piece } from './content.store.js';

const KEPT_MS = 60_000;
/** Time in milliseconds after which a source that could not be read is read again. */
const FAILURE_KEPT_MS = 10_000;
const MOST_KEPT = 200;
const DOCUMENT_MAX_CHARACTERS = 64 * 1024;

interface Kept {
  until: number;
  text: Promise<string | undefined>;
}

/** Reads documents of data sources, each at most once a minute. All agents that use the same version of a plugin share the cache. */
export function createDocuments(fetch: EgressFetch, secretBox: SecretBox, now: () => number = () => performance.now()) {
  const kept = new LRUCache<string, Kept>({ max: MOST_KEPT });

  /** Fetches the document of a data source. Returns `undefined` when the source cannot be read or returns no document. */
  async function read(plugin: RunnablePlugin): Promise<string | undefined> {
    try {
      const fetchAsProject: EgressFetch = (url, init) => fetch(url, { ...init, share: plugin.project });
      const document = await fetchDocument(
        fetchAsProject,
        openPluginConfig(secretBox, plugin) as PluginConfig & DataSourceConfig,
      );
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
    kept.set(key, entry);
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
