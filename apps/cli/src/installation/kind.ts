import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api, ServiceName } from '../http/api.js';
import { readJson } from '../read-json.js';
import { withQuery } from '../http/pages.js';

/** The fields of a record as its file has them: names instead of ids, no secret. */
export type Fields = Record<string, unknown>;

/** A record of the installation. */
export interface Stored {
  id: string;
  fields: Fields;
}

/** Ids of the records of an installation, by kind and key. */
export type Ids = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Context {
  ids: Ids;
  /** Holds the secrets that files name. */
  env: NodeJS.ProcessEnv;
}

/** A kind of record that is kept as files. */
export interface Kind {
  name: string;
  folder: string;
  /** The field that is the text of a Markdown file; without it, the file is YAML. */
  textField?: string;
  /** Name of the file in a folder of the record; without it, the file is beside those of other records. */
  fileName?: string;
  /** Checks a file and fills in defaults. */
  schema: z.ZodObject<Record<string, z.ZodType>, z.core.$strict>;
  /** The field by which a record is found again in any installation. */
  key: string;
  list: (api: Api, context: Context) => Promise<Stored[]>;
  /** The service that has the records, and their name in its lists of changes. */
  service: Extract<ServiceName, 'platform' | 'prompt'>;
  changeKind: string;
  /** Reads a record with its ETag, before a change over it. */
  read: (api: Api, id: string, context: Context) => Promise<{ fields: Fields; etag: string | null }>;
  /** The fields of a change: of the record that is stored, or of a new one. */
  bodyOf: (fields: Fields, context: Context, stored: Stored | undefined) => Fields;
  /** Keys of other kinds that a record names. */
  references?: (fields: Fields) => { kind: string; key: string }[];
}

/** Limits of one installation as files. */
const MOST_RECORDS = 10_000;
const PER_PAGE = 100;
const MAX_BYTES = 32 * 1_048_576;

/** A page of either form: an array, or an object with `items`. */
const Page = z.union([z.array(z.unknown()), z.object({ items: z.array(z.unknown()) }).transform(({ items }) => items)]);

/** All records of a list. A page that is answered in parts names the next part in `Link`. */
export async function listAll<Schema extends z.ZodType>(
  api: Api,
  service: ServiceName,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  const all: z.output<Schema>[] = [];
  const size = service === 'prompt' ? 'limit' : 'per_page';
  for (let page = 1, next: string | undefined = withQuery(path, { page, [size]: PER_PAGE }); next !== undefined;) {
    const answer: Response = await api.open(service, next);
    const body = await readJson(answer, MAX_BYTES);
    const items: unknown[] = Page.parse(body);
    all.push(...items.map((item) => schema.parse(item)));
    if (all.length > MOST_RECORDS) throw new CommandRefused(`There are more than ${MOST_RECORDS} records at ${path}.`);
    const link = /<([^>]+)>;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1];
    if (link !== undefined) {
      const { pathname, search } = new URL(link, api.addresses.base_url);
      next = pathname + search;
    } else next = items.length < PER_PAGE ? undefined : withQuery(path, { page: (page += 1), [size]: PER_PAGE });
  }
  return all;
}

/** One record with its ETag. */
export async function readOne(api: Api, service: ServiceName, path: string) {
  const answer = await api.open(service, path);
  return { record: await readJson(answer, MAX_BYTES), etag: answer.headers.get('etag') };
}

/** The id of a record that another one names. @throws CommandRefused when there is none */
export function idOf(ids: Ids, kind: string, key: string): string {
  const id = ids.get(kind)?.get(key);
  if (id === undefined) throw new CommandRefused(`There is no ${kind} "${key}".`, { code: 'not_found' });
  return id;
}

/** The key of a record by its id. */
export function keyOf(ids: Ids, kind: string, id: string): string {
  for (const [key, other] of ids.get(kind) ?? []) if (other === id) return key;
  return id;
}
