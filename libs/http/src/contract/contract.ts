import type { Readable } from 'node:stream';
import type { Caller, Principal, Project } from '@millwright/auth';
import type { Tx } from '@millwright/db';
import type { ErrorCode } from '@millwright/errors';
import type { z } from 'zod';
import type { Access, OptionalAccess, PrincipalFor } from './access.js';
import type { Emit, EventWriter, Feed } from './event-writer.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The budget that an endpoint's requests count against. `messages` counts in addition to the credential's own budget; `sign-in`
 * counts per address like `public`, but separately; `client` is counted by the endpoint itself, which finds the OAuth client in
 * the body.
 */
export type LimitClass = 'public' | 'sign-in' | 'client' | 'credential' | 'messages';

export type TextType = 'text/markdown';

/** The one description of an endpoint: validation, types, OpenAPI, access, limits and sweep tests all read it. */
export interface EndpointContract {
  operationId: string;
  method: Method;
  /** Template with `{name}` parameters, as the specification writes it. */
  path: string;
  /** One sentence without a full stop; further sentences become part of the description. */
  summary: string;
  /** Facts that the summary, access, errors and shapes do not state. */
  description?: string;
  tag: string;
  access: Access;
  /** The name of a refused attempt in the audit log. Default: the operationId. */
  action?: string;
  /**
   * The credential, right or account that the endpoint creates for its caller or for other users. Every contract of a change in admin-auth
   * has this field.
   */
  grants?: 'credential' | 'right' | 'account' | 'nothing';
  limit: LimitClass;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Further headers that the answer depends on, by lower-case name; headers that every endpoint reads are left out. */
  headers?: z.ZodObject;
  body?: z.ZodObject;
  /** Whether the body may be missing; it then counts as `{}`. */
  bodyOptional?: boolean;
  /** The body may have up to 8 MiB in place of 1, for images and files. Few such bodies are held at a time. */
  largeBody?: true;
  /** An endpoint of OAuth's form (`oauthFormEndpoint`): `body` may be a form, too, and a 400 has the body of RFC 6749 §5.2. */
  oauth?: true;
  /** Replaces `body`: the request carries a text of this media type. */
  text?: TextType;
  /** Replaces `body`: the request is a multipart form with one `file` and these text fields. */
  upload?: z.ZodObject;
  success: {
    /** Answers 303 to the address in `Location`; only for protocol endpoints. */
    status: 200 | 201 | 202 | 204 | 303;
    description: string;
    body?: z.ZodType;
    /** The media type of a body that is a text. Default: JSON. */
    type?: TextType;
    /** The answer is bytes, the reply's `file`; `body` is for clients that prefer JSON. */
    file?: true;
    /** Another status with the same body, and its condition. */
    also?: { status: 200 | 201 | 204; description: string };
    /** Answer with status 202 in place of the usual status: the request is accepted, and its work continues or waits. */
    accepted?: { description: string; body: z.ZodType };
  };
  /** Error codes of this endpoint alone, besides the codes of every endpoint and of its access. */
  errors: readonly ErrorCode[];
  /** Whether the endpoint is served while the process sheds load. */
  unshed?: boolean;
  /**
   * Each request uses much of the database or the process: few run concurrently per user and per project, and one for all anonymous callers
   * together. The other requests wait.
   */
  expensive?: boolean;
  /**
   * Whether the endpoint works for longer than a transaction may last before it commits, because it calls a model. Its idempotency key is
   * then claimed before the work.
   */
  long?: boolean;
  /**
   * Whether a POST stores nothing and has an answer that is too large to keep. Such an endpoint takes no `Idempotency-Key`; a repeated
   * request is executed again.
   */
  unkeyed?: true;
  /**
   * The answer is also available as server-sent events: by `Accept: text/event-stream` or `?stream=true`. `events` are sent while
   * the handler works; then `completed` carries the answer, `accepted` the answer with status 202, or `error` the service's envelope.
   */
  stream?: { events: Readonly<Record<string, z.ZodType>>; completed: string; accepted?: string };
  /** The answer is a feed of server-sent events only; a client resumes it by `Last-Event-ID`. */
  feed?: Readonly<Record<string, z.ZodType>>;
  /** The server-sent events that answer a body with `stream: true`, or a GET with `stream=true`, and the form of their data. */
  events?: { description: string; body: z.ZodType };
}

/** Declares an endpoint with the literal types of its contract. */
export function endpoint<const Contract extends EndpointContract>(contract: Contract): Contract {
  return contract;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A range of bytes: first and last index, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bytes to answer with; they never change within a version. */
export interface FileReply {
  type: string;
  size: number;
  /** File name of the download. */
  name: string;
  open: (range?: ByteRange) => Promise<Readable>;
}

/** Stores bytes: they are durable once it resolves. Rejects when the bytes break off. */
export type Save = (bytes: Readable) => Promise<void>;

/** The content of an upload, its file stored already. */
export interface Upload<Fields> {
  fields: Fields;
  /** Size of the content in bytes. */
  size: number;
  sha256: Buffer;
  content_type: string;
}

/** A successful answer. `body` is parsed by the contract on its way out. */
export interface Reply {
  body?: unknown;
  /** The record's version, from which its ETag is made. */
  version?: number;
  /** The answer covers more than one record: its ETag is the version and a digest of the body. */
  digest?: true;
  /** Replaces `version` for an answer that is not a record: the entity tag itself. */
  tag?: string;
  /** The status, when the contract has a second status (200 for a repeated assignment, 202 for an accepted request). */
  status?: 200 | 201 | 202 | 204;
  headers?: Readonly<Record<string, string>>;
  file?: FileReply;
  /**
   * The reply that is stored under the idempotency key in place of a body that grows with a record; the route's `restore` makes the body
   * from it.
   */
  stored?: StoredReply;
}

/** A body in the contract's format without the parts that grow, and the source to reload them from. */
export interface StoredReply {
  body: unknown;
  source: unknown;
}

/**
 * Rebuilds the body of a stored reply: the same bytes, even after later changes and additions.
 *
 * @throws AppError not_found when the record was deleted.
 */
export type Restore = (stored: StoredReply, project: Project) => Promise<unknown>;

/** One request that passed credential, limit, access and validation. */
export interface Call<Contract extends EndpointContract, Events extends EventWriter = EventWriter> {
  params: Output<Contract['params']>;
  query: Output<Contract['query']>;
  headers: Output<Contract['headers']>;
  body: Output<Contract['body']>;
  text: Contract['text'] extends TextType ? string : undefined;
  /** Reads the upload and stores its file by `save`: once, before `commit`. The handler removes a stored file that it refuses. */
  receive: Contract['upload'] extends z.ZodObject
    ? (save: Save, maxBytes: number) => Promise<Upload<z.output<Contract['upload']>>>
    : undefined;
  principal: Contract['access'] extends OptionalAccess ? Principal | undefined : PrincipalFor<Contract['access']>;
  /** The project in which the request works, and the actor that the audit rows of its changes name; undefined without a principal. */
  caller: Contract['access'] extends OptionalAccess ? Caller | undefined : Caller;
  /** The origin of the request, recorded with each change. */
  from: { requestId: string; ip: string };
  /** Versions that `If-Match` allows; `undefined` when the request is unconditional. */
  ifMatch: readonly number[] | undefined;
  /**
   * The idempotency key for an upstream that sees all callers as one client: equal for each retry, different for every other request,
   * caller or project. 64 hexadecimal digits.
   */
  idempotencyKey: string | undefined;
  /**
   * Sends an event to a client that requested a stream; from the first event on the answer is a stream. No effect after the client
   * disconnected.
   */
  emit: ((event: string, data: unknown) => void) | undefined;
  /** Writes the answer of a contract with a feed. */
  feed: Contract['feed'] extends object ? Feed : undefined;
  /** Writes the answer as a stream; `undefined` when none was requested. */
  events: Events | undefined;
  /** The signal aborts when the client disconnects. */
  signal: AbortSignal;
  /**
   * Runs the change in one transaction, which also stores the answer under the request's idempotency key. Every write answers with the
   * result of `work`.
   *
   * `prepare` runs before the transaction, for reads over the network and for refusals that are recorded. It is skipped when the request's
   * answer is already stored: that answer is sent, whatever has changed since.
   */
  commit: Commit;
}

export interface Commit {
  (work: (tx: Tx) => Promise<Reply>): Promise<Reply>;
  <Prepared>(work: (tx: Tx, prepared: Prepared) => Promise<Reply>, prepare: () => Promise<Prepared>): Promise<Reply>;
}

export type Handler<Contract extends EndpointContract, Events extends EventWriter = EventWriter> = (
  call: Call<Contract, Events>,
) => Promise<Reply>;

/** A contract with the function that serves it. */
export interface Route {
  contract: EndpointContract;
  handler: Handler<EndpointContract>;
  /** Writes the answer to a client that requested a stream by this body, or query of a GET, which is not validated yet. */
  events?: ((emit: Emit, body: Readonly<Record<string, unknown>>) => EventWriter) | undefined;
  restore?: Restore | undefined;
}

/** Binds a contract to its handler, types checked; `events` belongs to a contract that has them, `restore` to replies with `stored`. */
export function route<Contract extends EndpointContract, Events extends EventWriter = EventWriter>(
  contract: Contract,
  handler: Handler<Contract, Events>,
  events?: (emit: Emit, body: Readonly<Record<string, unknown>>) => Events,
  restore?: Restore,
): Route {
  // The handler is called only with values parsed by this contract and with the writer of `events`.
  return { contract, handler: handler as Handler<EndpointContract>, events, restore };
}
