import { createHash } from 'node:crypto';
import { callerOf, type Principal } from '@millwright/auth';
import {
  claimKey,
  findAnswer,
  isStorable,
  keyedRequest,
  storeAnswer,
  type Database,
  type KeyedRequest,
  type StoredAnswer,
  type Tx,
} from '@millwright/db';
import { AppError, type AnswerForm } from '@millwright/errors';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { clientLeft } from '../protocol/client-left.js';
import { requestOrigin } from '../protocol/request-origin.js';
import { recordsIn } from './answer-records.js';
import { storesAnswers, tagOf, versionsAllowed } from './conditional.js';
import type { Call, Commit, EndpointContract, Reply, Route } from '../contract/contract.js';
import { acceptsEventStream, namedEvents, openEventStream, openFeed, wantsEventStream } from './event-stream.js';
import { readUpload } from './read-upload.js';
import { parsePart, singleValues } from '../body/parse.js';
import { hasBody, readJsonBody, readTextBody } from '../body/read-body.js';

export interface CallContext {
  area: AnswerForm;
  db: Database;
  route: Route;
  request: Request;
  response: Response;
  principal: Principal | undefined;
  /** Idempotency keys for which a transaction runs in this process. */
  runningKeys: Set<string>;
  /** Whether the process has reserved room for this request's large body. */
  isLarge: boolean;
}

/** Validates one request, runs its handler, and parses the answer with the contract. */
export async function runCall(context: CallContext): Promise<Reply> {
  const { area, request, response, principal, route } = context;
  const { contract } = route;
  const params = parseParams(area, contract, request.params);
  const query = contract.query && parsePart(contract.query, singleValues(request.query), 'query');
  const headers = contract.headers && parsePart(contract.headers, namedHeaders(request, contract.headers), 'header');
  const raw =
    contract.body &&
    (contract.bodyOptional && !hasBody(request) ? {} : await readJsonBody(request, response, context.isLarge));
  const body = contract.body && parsePart(contract.body, raw, 'body');
  const text = contract.text && (await readTextBody(request, response, contract.text));
  const key = (sent: unknown) => (storesAnswers(area) ? keyedBy(contract, principal, request, sent) : undefined);
  let keyed = key(raw ?? text);
  const streamed = await openStream(context, raw);
  const finished: Finished = new Set();
  const { signal, commit } = { signal: clientLeft(response), commit: committer(context, () => keyed, finished) };
  const { upload } = contract;
  const receive: Call<EndpointContract & { upload: z.ZodObject }>['receive'] | undefined =
    upload &&
    (async (save, maxBytes) => {
      const received = await readUpload(request, upload, save, maxBytes);
      const { fields, sha256, content_type } = received;
      keyed = key({ fields, sha256: sha256.toString('hex'), content_type });
      return received;
    });
  const from = requestOrigin(request);
  const call = {
    params,
    query,
    headers,
    body,
    text,
    receive,
    principal,
    caller: principal && callerOf(principal, from),
    from,
    ifMatch: versionsAllowed(area, request.headers['if-match']),
    idempotencyKey: principal && keyed && ownKey(principal, keyed),
    ...streamed,
    signal,
    commit,
  } as Call<EndpointContract>;
  const reply = keyed && contract.long ? await runClaimed(context, keyed, call, finished) : await route.handler(call);
  return finished.has(reply) ? reply : shaped(contract, reply);
}

/** The headers that a contract names. Repeated headers are joined (RFC 9110 §5.3). */
function namedHeaders(request: Request, { shape }: z.ZodObject): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, request.get(name)]));
}

/**
 * Returns the body or the query that requests the route's own events: a body with `stream: true`, or the query of a GET
 * with `stream=true` or with an `Accept` header for a stream. Otherwise returns `undefined`.
 */
function streamRequest({ method }: EndpointContract, raw: Record<string, unknown> | undefined, request: Request) {
  if (method === 'GET') return acceptsEventStream(request) ? request.query : undefined;
  return raw?.['stream'] === true ? raw : undefined;
}

/**
 * Opens the stream of the answer: the feed of the contract, or the route's own events or the events of the contract if the client requested
 * them. Otherwise returns an empty object.
 */
async function openStream({ route, request, response }: CallContext, raw: Record<string, unknown> | undefined) {
  const { contract, events } = route;
  if (contract.feed) return { feed: await openFeed(contract, response) };
  const wanted = streamRequest(contract, raw, request);
  if (events && wanted) return { events: (await openEventStream(response, (emit) => events(emit, wanted))).writer };
  if (!wantsEventStream(contract, request)) return {};
  const { writer } = await openEventStream(response, namedEvents(contract));
  return { emit: writer.tell };
}

/** Parses the parameters of the path. A malformed id leads to a 400 in the prompt API, whose ids are UUIDs, and to a 404 elsewhere. */
function parseParams(area: AnswerForm, contract: EndpointContract, params: unknown): unknown {
  if (!contract.params) return undefined;
  if (Object.values(params as Record<string, string>).some((value) => !isStorable(value)))
    throw new AppError('not_found');
  try {
    return parsePart(contract.params, params, 'path');
  } catch (error) {
    throw area === 'prompt' ? error : new AppError('not_found', { cause: error });
  }
}

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new AppError('validation_error', {
    fields: [{ field: 'Idempotency-Key', reason: 'must be 1 to 255 visible ASCII characters' }],
  });
}

/**
 * Returns the idempotency key of a request, or `undefined` when the key is missing or not supported. In services that store answers, every
 * POST of an authenticated caller may have a key, unless its contract excludes this.
 */
function keyedBy(contract: EndpointContract, principal: Principal | undefined, request: Request, body: unknown) {
  if (contract.method !== 'POST' || contract.unkeyed || !principal) return undefined;
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  // The caller includes the project, because the project of an admin's token may change between requests.
  const caller = `${principal.credential.id}:${principal.project}`;
  return keyedRequest(caller, key, 'POST', request.originalUrl, body);
}

/**
 * The idempotency key for an upstream that sees all callers as one client. It is equal for each retry of the request,
 * and different for every other request, caller or project.
 */
function ownKey({ project }: Principal, { id, fingerprint }: KeyedRequest): string {
  return createHash('sha256').update(project).update(id).update(fingerprint).digest('hex');
}

/** Answers that are final: this request has committed them, or an earlier request with the same key has stored them. */
type Finished = Set<Reply>;

async function replay({ route, principal }: CallContext, answer: StoredAnswer): Promise<Reply> {
  const { status, headers, source } = answer;
  const restored =
    source === undefined || !principal ? undefined : route.restore?.({ body: answer.body, source }, principal.project);
  const body = (await restored) ?? answer.body;
  return { status: status as Reply['status'] & number, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body };
}

/** Makes the `commit` of a handler. An answer that does not fit its contract rolls the change back. */
function committer(context: CallContext, keyedNow: () => KeyedRequest | undefined, finished: Finished): Commit {
  const { area, db, route, runningKeys } = context;
  const { contract } = route;
  return async <Prepared>(
    work: (tx: Tx, prepared: Prepared) => Promise<Reply>,
    prepare?: () => Promise<Prepared>,
  ): Promise<Reply> => {
    const keyed = keyedNow();
    const findStored = async (tx: Tx) => (keyed && !contract.long ? findAnswer(tx, keyed) : undefined);
    const store = async () => {
      const stored = prepare && keyed ? await db.transaction(findStored) : undefined;
      if (stored) return replay(context, stored);
      const prepared = (await prepare?.()) as Prepared;
      const { found, fresh } = await db.transaction(async (tx) => {
        const found = await findStored(tx);
        if (found) return { found };
        const fresh = shaped(contract, await work(tx, prepared));
        if (keyed) await storeAnswer(tx, keyed, toStore(area, contract, fresh));
        return { fresh };
      });
      return fresh ?? replay(context, found);
    };
    // A long request does not need `alone`, because it has already claimed its key. `alone` could even refuse this request, while a retry
    // with the same key reads the claim.
    const reply = contract.long ? await store() : await alone(runningKeys, keyed, store);
    finished.add(reply);
    return reply;
  };
}

/**
 * Refuses an idempotency key while a transaction with the same key runs in this process. The error is the same as for a key in another
 * process, but the check uses no database connection: otherwise, many simultaneous retries would use all connections.
 *
 * @throws AppError idempotency_running for such a key
 */
async function alone<Result>(
  running: Set<string>,
  keyed: KeyedRequest | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!keyed) return work();
  const id = keyed.id.toString('base64url');
  if (running.has(id)) throw new AppError('idempotency_running', { retryAfter: 1 });
  running.add(id);
  try {
    return await work();
  } finally {
    running.delete(id);
  }
}

function toStore(area: AnswerForm, contract: EndpointContract, reply: Reply): StoredAnswer {
  const { status, headers, stored = { body: reply.body, source: undefined } } = reply;
  const tag = tagOf(area, reply);
  const records = recordsIn(reply.body);
  return {
    ...{ status: status ?? contract.success.status, headers: { ...headers, ...(tag && { ETag: tag }) } },
    ...stored,
    records,
  };
}

async function runClaimed(
  context: CallContext,
  keyed: KeyedRequest,
  call: Call<EndpointContract>,
  finished: Finished,
): Promise<Reply> {
  const { db, route, runningKeys } = context;
  const claim = await alone(runningKeys, keyed, () => claimKey(db, keyed));
  if (claim.answer) {
    const reply = await replay(context, claim.answer);
    finished.add(reply);
    return reply;
  }
  let reply: Reply | undefined;
  try {
    reply = await route.handler(call);
    return reply;
  } finally {
    if (reply && finished.has(reply)) claim.end();
    // Nothing was stored, so a retry runs again. When the claim cannot be released because the database is not
    // available, it expires by itself, and the request is still answered with the outcome of the handler.
    else await claim.release().catch(() => undefined);
  }
}

/** The answer in the form of its contract. Fields that the contract does not have are removed. */
function shaped({ success }: EndpointContract, reply: Reply): Reply {
  const { body: form } = reply.status === 202 && success.accepted ? success.accepted : success;
  if (!form) return { ...reply, body: undefined };
  const { stored } = reply;
  return {
    ...reply,
    body: form.parse(reply.body),
    ...(stored && { stored: { ...stored, body: form.parse(stored.body) } }),
  };
}
