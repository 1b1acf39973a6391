import type { Readable } from 'node:stream';
import type { Caller, Principal, Project } from '@millwright/auth';
import type { Tx } from '@millwright/db';
import type { ErrorCode } from '@millwright/errors';
import type { z } from 'zod';
import type { Access, OptionalAccess, PrincipalFor } from './access.js';
import type { Emit, EventWriter, Feed } from './event-writer.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The budget against which the requests of an endpoint are counted. `public` and `sign-in` count per address, each in a separate budget.
 * `credential` counts per credential. `messages` counts in a further budget of the credential, too. `client` is counted by the endpoint
 * itself, which reads the OAuth client from the body.
 */
export type LimitClass = 'public' | 'sign-in' | 'client' | 'credential' | 'messages';

export type TextType = 'text/markdown';

/** The declaration of an endpoint. Validation, types, OpenAPI, access, limits and sweep tests all use it. */
export interface EndpointContract {
  operationId: string;
  method: Method;
  /** Path in which `{name}` stands for a parameter, as in `/api/v1/skills/{skill_id}`. */
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
   * What the endpoint creates for its caller or for other users: a credential, a right or an account. Every contract of
   * a change in admin-auth has this field.
   */
  grants?: 'credential' | 'right' | 'account' | 'nothing';
  limit: LimitClass;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers on which the answer depends, by lower-case name, except the headers that every endpoint reads. */
  headers?: z.ZodObject;
  body?: z.ZodObject;
  /** Whether the body may be missing. A missing body counts as `{}`. */
  bodyOptional?: boolean;
  /**
   * Set when the body may have up to 8 MiB instead of 1 MiB, for images and files. Few such bodies are in memory at the same time; further
   * requests wait.
   */
  largeBody?: true;
  /**
   * Set for an OAuth endpoint (`oauthFormEndpoint`): `body` may also be sent as a form, and an answer with status 400 has the body of RFC
   * 6749 §5.2.
   */
  oauth?: true;
  /** Replaces `body`: the request contains a text of this media type. */
  text?: TextType;
  /** Replaces `body`: the request is a multipart form with one `file` and these text fields. */
  upload?: z.ZodObject;
  success: {
    /** Status of the answer. 303 redirects to the address in `Location`, and is only for protocol endpoints. */
    status: 200 | 201 | 202 | 204 | 303;
    description: string;
    body?: z.ZodType;
    /** The media type of a body that is a text. Default: JSON. */
    type?: TextType;
    /** The body of the answer is the bytes of `file` in the handler's reply. Clients that prefer JSON get `body`. */
    file?: true;
    /** A second possible status with the same body, and the condition for this status. */
    also?: { status: 200 | 201 | 204; description: string };
    /**
     * An answer with status 202 instead of the usual status: the request is accepted, and its work continues or waits.
     */
    accepted?: { description: string; body: z.ZodType };
  };
  /** Error codes of this endpoint. The codes that every endpoint has, and those that follow from `access`, are not listed here. */
  errors: readonly ErrorCode[];
  /** Whether the endpoint is answered even while the process refuses other requests because of overload. */
  unshed?: boolean;
  /**
   * Whether each request uses much time of the database or the process. Only few run concurrently per user and per project, and only one
   * for all anonymous callers together. The other requests wait.
   */
  expensive?: boolean;
  /**
   * Whether the endpoint calls a model before it commits, which takes longer than a transaction may last. The
   * idempotency key of the request is then claimed before this work.
   */
  long?: boolean;
  /**
   * Whether a POST stores nothing and has an answer that is too large to store. Such an endpoint ignores
   * `Idempotency-Key`, and executes a repeated request again.
   */
  unkeyed?: true;
  /**
   * The answer is also available as server-sent events, by `Accept: text/event-stream` or `?stream=true`. `events` are
   * sent while the handler works. The last event is `completed` with the answer, `accepted` with an answer of status
   * 202, or `error` with the service's envelope.
   */
  stream?: { events: Readonly<Record<string, z.ZodType>>; completed: string; accepted?: string };
  /** The answer is only available as a feed of server-sent events. A client resumes it with `Last-Event-ID`. */
  feed?: Readonly<Record<string, z.ZodType>>;
  /**
   * The server-sent events with which the endpoint answers a body with `stream: true`, or a GET with `stream=true`, and
   * the form of their data.
   */
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

/** A reply with bytes instead of JSON. The bytes never change within a version of the record. */
export interface FileReply {
  type: string;
  size: number;
  /** File name of the download. */
  name: string;
  open: (range?: ByteRange) => Promise<Readable>;
}

/** Stores bytes. The bytes are durable once the promise resolves. The promise rejects when the stream of the bytes ends too early. */
export type Save = (bytes: Readable) => Promise<void>;

/** A multipart request as its handler receives it: the form's fields, and a description of the file, which is already stored. */
export interface Upload<Fields> {
  fields: Fields;
  /** Size of the content in bytes. */
  size: number;
  sha256: Buffer;
  content_type: string;
}

/** A successful answer. The contract parses `body` before it is sent. */
export interface Reply {
  body?: unknown;
  /** The record's version, from which its ETag is made. */
  version?: number;
  /** Set for an answer that covers more than one record. Its ETag consists of the version and a digest of the body. */
  digest?: true;
  /** The entity tag itself, for an answer that is not a record. It replaces `version`. */
  tag?: string;
  /**
   * The status, for a contract that has a second status (200 for a repeated assignment, 202 for an accepted request).
   */
  status?: 200 | 201 | 202 | 204;
  headers?: Readonly<Record<string, string>>;
  file?: FileReply;
  /**
   * The reply that is stored under the idempotency key, for a body that would grow with a record. The route's `restore` makes the body from
   * this reply.
   */
  stored?: StoredReply;
}

/**
 * A body in the format of the contract without the parts that grow, and the source from which these parts are read
 * again.
 */
export interface StoredReply {
  body: unknown;
  source: unknown;
}

/**
 * Makes the body of a stored reply again. The bytes are the same, even after later changes and additions.
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
  /**
   * Reads the upload and stores its file with `save`. Call this once, before `commit`. A handler that refuses the file
   * removes it.
   */
  receive: Contract['upload'] extends z.ZodObject
    ? (save: Save, maxBytes: number) => Promise<Upload<z.output<Contract['upload']>>>
    : undefined;
  principal: Contract['access'] extends OptionalAccess ? Principal | undefined : PrincipalFor<Contract['access']>;
  /** The project in which the request works, and the actor that the audit rows of its changes name; undefined without a principal. */
  caller: Contract['access'] extends OptionalAccess ? Caller | undefined : Caller;
  /** The id and the address of the request, which the audit row of each change contains. */
  from: { requestId: string; ip: string };
  /** Versions that `If-Match` allows; `undefined` when the request is unconditional. */
  ifMatch: readonly number[] | undefined;
  /**
   * The idempotency key for an upstream that sees all callers as one client. It is equal for each retry, and different
   * for every other request, caller or project. 64 hexadecimal digits.
   */
  idempotencyKey: string | undefined;
  /**
   * Sends an event to a client that requested a stream. From the first event on, the answer is a stream. Has no effect
   * after the client has disconnected.
   */
  emit: ((event: string, data: unknown) => void) | undefined;
  /** Writes the answer of a contract with a feed. */
  feed: Contract['feed'] extends object ? Feed : undefined;
  /** Writes the answer as a stream; `undefined` when the client requested no stream. */
  events: Events | undefined;
  /** This signal aborts when the client disconnects. */
  signal: AbortSignal;
  /**
   * Runs the change in one transaction, which also stores the answer under the request's idempotency key. Every write answers with the
   * result of `work`.
   *
   * `prepare` runs before the transaction, for reads over the network and for refusals that are recorded. When the answer to the
   * request is already stored, `prepare` is skipped and the stored answer is sent.
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
  /**
   * Writes the answer to a client that requested a stream. `body` is the body, or the query of a GET, and is not
   * validated yet.
   */
  events?: ((emit: Emit, body: Readonly<Record<string, unknown>>) => EventWriter) | undefined;
  restore?: Restore | undefined;
}

/**
 * Binds a contract to its handler with checked types. `events` is for a contract with events, `restore` for replies
 * with `stored`.
 */
export function route<Contract extends EndpointContract, Events extends EventWriter = EventWriter>(
  contract: Contract,
  handler: Handler<Contract, Events>,
  events?: (emit: Emit, body: Readonly<Record<string, unknown>>) => Events,
  restore?: Restore,
): Route {
  // The cast is safe: the handler is called only with values that this contract has parsed, and with the writer of
  // `events`.
  return { contract, handler: handler as Handler<EndpointContract>, events, restore };
}
