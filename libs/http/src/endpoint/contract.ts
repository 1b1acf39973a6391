import type { Readable } from 'node:stream';
import type { Caller, Principal, Scope } from '@millwright/auth';
import type { Tx } from '@millwright/db';
import type { ErrorCode } from '@millwright/errors';
import type { z } from 'zod';
import type { Emit, EventWriter } from './event-stream.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an endpoint's requests are counted against. `messages` counts besides the credential's own budget. */
export type LimitClass = 'public' | 'credential' | 'messages';

export type TextType = 'text/markdown';

/** The one description of an endpoint: validation, types, OpenAPI, scope, limits and sweep tests all read it. */
export interface EndpointContract {
  operationId: string;
  method: Method;
  /** Template with `{name}` parameters, as the specification writes it. */
  path: string;
  summary: string;
  tag: string;
  /** `null`: no credential is needed. */
  scope: Scope | null;
  limit: LimitClass;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers that the answer depends on besides those that every endpoint reads, by their names in lower case. */
  headers?: z.ZodObject;
  body?: z.ZodObject;
  /** A request may go without the body; it is taken for `{}` then. */
  bodyOptional?: boolean;
  /** In the place of `body`: the request carries a text of this media type. */
  text?: TextType;
  /** In the place of `body`: the request is a multipart form with one `file` and these text fields. */
  upload?: z.ZodObject;
  success: {
    status: 200 | 201 | 202 | 204;
    description: string;
    body?: z.ZodType;
    /** The media type of a body that is a text; JSON when left out. */
    type?: TextType;
    /** The answer is bytes, the reply's `file`; `body` is for those who rather accept JSON. */
    file?: true;
    /** Another status with the same body, and when it is answered. */
    also?: { status: 200 | 201; description: string };
  };
  /** Codes besides those that every endpoint can answer. */
  errors: readonly ErrorCode[];
  /** Answered also while the process refuses other requests, because it has as many as it can take. */
  unshed?: boolean;
  /**
   * The endpoint works longer than a transaction may last before it commits (it calls a model). Its idempotency key is then
   * claimed beforehand.
   */
  long?: boolean;
  /**
   * The answer is offered as server-sent events too: to `Accept: text/event-stream` and `?stream=true`. `events` are told while
   * the handler works; the one named `completed` carries the answer, or `error` the area's envelope.
   */
  stream?: { events: Readonly<Record<string, z.ZodType>>; completed: string };
  /** A body with `stream: true` is answered as server-sent events: what they are, and the form of their data. */
  events?: { description: string; body: z.ZodType };
}

/** Keeps the literal's types. */
export function endpoint<const Contract extends EndpointContract>(contract: Contract): Contract {
  return contract;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Both ends included, from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Bytes to answer with. They never change under their version. */
export interface FileReply {
  type: string;
  size: number;
  /** What it is called when saved. */
  name: string;
  open: (range?: ByteRange) => Promise<Readable>;
}

/** Puts bytes where they stay once it resolves; rejects when they break off. */
export type Save = (bytes: Readable) => Promise<void>;

/** What an upload held, its file saved already. */
export interface Upload<Fields> {
  fields: Fields;
  /** In bytes. */
  size: number;
  sha256: Buffer;
  content_type: string;
}

/** A successful answer. `body` is parsed by the contract on its way out. */
export interface Reply {
  body?: unknown;
  /** The record's version: sent as its ETag. */
  version?: number;
  /** The answer tells of more than one record's version: its ETag is a digest of the body besides. */
  digest?: true;
  /** In the place of `version`, for what is no record: the entity tag itself. */
  tag?: string;
  /** The status, where the contract's own is not the only one (assigning twice: 200). */
  status?: 200 | 201;
  headers?: Readonly<Record<string, string>>;
  file?: FileReply;
}

/** One request that passed credential, limit, scope and validation. */
export interface Call<Contract extends EndpointContract, Events extends EventWriter = EventWriter> {
  params: Output<Contract['params']>;
  query: Output<Contract['query']>;
  headers: Output<Contract['headers']>;
  body: Output<Contract['body']>;
  text: Contract['text'] extends TextType ? string : undefined;
  /** Reads the upload, its file into `save`: once, before `commit`. What was saved and then refused is the handler's to remove. */
  receive: Contract['upload'] extends z.ZodObject
    ? (save: Save, maxBytes: number) => Promise<Upload<z.output<Contract['upload']>>>
    : undefined;
  principal: Contract['scope'] extends null ? Principal | undefined : Principal;
  /** The principal's project, and the actor that changes are recorded under. */
  caller: Contract['scope'] extends null ? Caller | undefined : Caller;
  /** Where the request comes from: what is recorded with a change, whoever makes it. */
  from: { requestId: string; ip: string };
  /** Versions that `If-Match` allows; `undefined` when the request is unconditional. */
  ifMatch: readonly number[] | undefined;
  /**
   * Stands for the request's `Idempotency-Key` towards an upstream that knows all callers as one: the same for each retry, another
   * one for another request, caller or project. 64 hexadecimal digits.
   */
  idempotencyKey: string | undefined;
  /** Tells the client of progress, where it asked for a stream; from then on the answer is one. Harmless once the client has left. */
  emit: ((event: string, data: unknown) => void) | undefined;
  /** Where the answer is told while it is made; `undefined` when the request did not ask for a stream. */
  events: Events | undefined;
  /** Aborted when the client leaves. */
  signal: AbortSignal;
  /**
   * Runs the change in one transaction and stores the answer under the request's idempotency key in the same transaction. Every
   * write answers with what this returns.
   */
  commit: (work: (tx: Tx) => Promise<Reply>) => Promise<Reply>;
}

export type Handler<Contract extends EndpointContract, Events extends EventWriter = EventWriter> = (
  call: Call<Contract, Events>,
) => Promise<Reply>;

/** A contract with the function that serves it. */
export interface Route {
  contract: EndpointContract;
  handler: Handler<EndpointContract>;
  /** How the answer is told to a client that asked for a stream. */
  events?: ((emit: Emit) => EventWriter) | undefined;
}

/** Binds a contract to its handler, types checked; `events` belongs to a contract that has them. */
export function route<Contract extends EndpointContract, Events extends EventWriter = EventWriter>(
  contract: Contract,
  handler: Handler<Contract, Events>,
  events?: (emit: Emit) => Events,
): Route {
  // The kit calls the handler only with what this very contract parsed and the writer that `events` made.
  return { contract, handler: handler as Handler<EndpointContract>, events };
}
