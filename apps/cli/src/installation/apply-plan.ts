import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { CommandRefused, EXIT } from '../command-refused.js';
import type { Api } from '../http/api.js';
import type { Context, Fields } from './kind.js';
import type { Change, Installation, Plan } from './plan.js';

/**
 * Limits of one request with changes. The API limits the number of changes. The limit in bytes is below the API's limit, to leave room for
 * the rest of the request.
 */
const MOST_CHANGES = 100;
const MOST_BYTES = 1_000_000;

/**
 * The services in the order in which they get their changes. Blocks and prompts come first, because they do not refer to records of the
 * platform API.
 */
const SERVICES = [
  ['prompt', '/v1/changes'],
  ['platform', '/api/v1/changes'],
] as const;

const Made = z.looseObject({ changes: z.array(z.looseObject({ id: z.string() })) });

/** A change in the form that a service expects, with the record that it is about. */
interface Item {
  change: Change;
  ref: string | undefined;
  sent: Fields[];
}

/**
 * Makes the changes of a plan: in one transaction for each service, or in several when the changes do not fit into one request. Deletions
 * come last, in reverse order.
 * @throws CommandRefused that names the record at fault, and the number of changes made before
 */
export async function applyPlan(
  api: Api,
  { changes }: Plan,
  { ids }: Installation,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const context: Context = { ids, env };
  const ordered = [
    ...changes.filter(({ action }) => action !== 'delete'),
    ...changes.filter(({ action }) => action === 'delete').toReversed(),
  ];
  // All ETags are read before anything is changed, so that a stale plan changes nothing.
  const etags = new Map<Change, string | null>();
  for (const change of ordered) etags.set(change, await readTag(api, change, context));
  let made = 0;
  for (const [service, path] of SERVICES) {
    let batch: Item[] = [];
    const flush = async () => {
      if (batch.length === 0) return;
      const sent = batch.flatMap((item) => item.sent);
      const answer = await api
        .json(service, path, Made, { method: 'POST', body: { changes: sent } })
        .catch((error: unknown) => {
          throw named(error, batch, made);
        });
      let place = 0;
      for (const item of batch) {
        if (item.ref !== undefined)
          ids.get(item.change.kind.name)?.set(item.change.key, answer.changes[place]?.id ?? '');
        place += item.sent.length;
      }
      made += batch.length;
      batch = [];
    };
    for (const change of ordered.filter(({ kind }) => kind.service === service)) {
      const etag = etags.get(change) ?? null;
      let item = itemOf(change, batch.length, etag, context);
      if (!fits([...batch, item])) {
        await flush();
        // The request was sent, so `ids` now contains the ids of its records. The item is made again, to refer to these ids.
        item = itemOf(change, 0, etag, context);
      }
      batch.push(item);
      if (item.ref !== undefined) ids.get(change.kind.name)?.set(change.key, item.ref);
    }
    await flush();
  }
}

const fits = (batch: readonly Item[]): boolean => {
  const sent = batch.flatMap((item) => item.sent);
  return sent.length <= MOST_CHANGES && Buffer.byteLength(JSON.stringify(sent)) <= MOST_BYTES;
};

/** Reads the ETag of a stored record. @throws CommandRefused when the record has changed since the plan was made */
async function readTag(api: Api, { kind, key, stored }: Change, context: Context): Promise<string | null> {
  if (!stored) return null;
  const { fields, etag } = await kind.read(api, stored.id, context);
  if (!isDeepStrictEqual(fields, stored.fields))
    throw new CommandRefused(`The ${kind.name} "${key}" was changed by somebody else meanwhile. Make a new plan.`, {
      code: 'changed_since',
    });
  return etag;
}

function itemOf(change: Change, place: number, etag: string | null, context: Context): Item {
  const { kind, action, file, stored } = change;
  const about = { kind: kind.changeKind, ...(stored && { id: stored.id }), ...(etag !== null && { if_match: etag }) };
  if (action === 'delete' || !file) return { change, ref: undefined, sent: [{ ...about, action: 'delete' }] };
  const fields = kind.bodyOf(file.fields, context, stored);
  if (stored) return { change, ref: undefined, sent: [{ ...about, action: 'update', fields }] };
  const ref = `@${place}`;
  if (kind.service === 'prompt') return { change, ref, sent: [{ ...about, action: 'create', ref, fields }] };
  // The platform API creates each record as active, so a second change makes a new record inactive.
  const { status, ...rest } = fields;
  const inactive = { ...about, action: 'update', id: ref, fields: { status } };
  const created = { ...about, action: 'create', ref, fields: rest };
  return { change, ref, sent: status === 'inactive' ? [created, inactive] : [created] };
}

/** Returns the refusal of a request with changes, with the names of the changed records in place of the numbers of the changes. */
function named(error: unknown, batch: readonly Item[], made: number): unknown {
  if (!(error instanceof CommandRefused) || error.exitCode !== EXIT.refused) return error;
  const records = batch.flatMap(({ change, sent }) => sent.map(() => `${change.kind.name} "${change.key}"`));
  const message = error.message.replaceAll(
    /changes\.(\d+)(?:\.fields)?(\.)?/g,
    (whole, index: string, dot: string | undefined) =>
      `${records[Number(index)] ?? whole}${dot === undefined ? '' : ' '}`,
  );
  const { code, detail } = error;
  const before =
    made === 0 ? 'Nothing was changed.' : `${made} changes were made before; the rest is in the next plan.`;
  return new CommandRefused(`${message} ${before}`, { code, detail: { ...detail, made }, cause: error });
}
