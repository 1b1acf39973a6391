import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api, ServiceName } from '../http/api.js';
import { readJson } from '../read-json.js';
import { withQuery } from '../http/pages.js';

/** The fields of a record in its file: names instead of ids, and no secrets. */
export type Fields = Record<string, unknown>;

/** A record of the installation. */
export interface Stored {
  id: string;
  fields: Fields;
}

/** For each kind, the ids of the installation's records by their keys. */
export type Ids = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Context {
  ids: Ids;
  /** Environment variables. Files name those that contain secrets. */
  env: NodeJS.ProcessEnv;
}

/** A kind of record that is kept as files. */
export interface Kind {
  name: string;
  folder: string;
  /** The field that is the body of a Markdown file. Without such a field, the file is YAML. */
  textField?: string;
  /** Name of the file when each record has a separate folder. Without this name, all records of the kind share one folder. */
  fileName?: string;
  /** Checks a file and fills in defaults. */
  schema: z.ZodObject<Record<string, z.ZodType>, z.core.$strict>;
  /** Name of the field that identifies a record. Its value is the same in all installations. */
  key: string;
  list: (api: Api, context: Context) => Promise<Stored[]>;
  /** The service that stores the records, and the name of their kind in its requests of changes. */
  service: Extract<ServiceName, 'platform' | 'prompt'>;
  changeKind: string;
  /** Reads a record with its ETag before a change replaces it. */
  read: (api: Api, id: string, context: Context) => Promise<{ fields: Fields; etag: string | null }>;
  /** Makes the fields of a change, for a stored record or a new record. */
  bodyOf: (fields: Fields, context: Context, stored: Stored | undefined) => Fields;
  /** Returns the kinds and keys of other records to which a record refers. */
  references?: (fields: Fields) => { kind: string; key: string }[];
}

/** Limits: number of records of a kind, number of records per page, and bytes of a page. */
const MOST_RECORDS = 10_000;
const PER_PAGE = 100;
const MAX_BYTES = 32 * 1_048_576;

/** A page in either form: an array, or an object with `items`. */
const Page = z.union([z.array(z.unknown()), z.object({ items: z.array(z.unknown()) }).transform(({ items }) => items)]);

/** Reads all records of a list. When the answer has a `Link` to the next part, this address is read next, otherwise the next page. */
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

/** Reads one record with its ETag. */
export async function readOne(api: Api, service: ServiceName, path: string) {
  const answer = await api.open(service, path);
  return { record: await readJson(answer, MAX_BYTES), etag: answer.headers.get('etag') };
}

/** Returns the id of a record that another record names. @throws CommandRefused when no such record exists */
export function idOf(ids: Ids, kind: string, key: string): string {
  const id = ids.get(kind)?.get(key);
  if (id === undefined) throw new CommandRefused(`There is no ${kind} "${key}".`, { code: 'not_found' });
  return id;
}

/** Returns the key of the record with this id, or the id when there is no such record. */
export function keyOf(ids: Ids, kind: string, id: string): string {
  for (const [key, other] of ids.get(kind) ?? []) if (other === id) return key;
  return id;
}
