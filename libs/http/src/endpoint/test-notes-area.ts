import { randomBytes } from 'node:crypto';
import { bearer, createApiKeyVerifier, createAuthenticator, hashSecret, newKey } from '@millwright/auth';
import { createDatabase, newId, type Database } from '@millwright/db';
import { AppError, type Area } from '@millwright/errors';
import { createRateLimiter, type RateLimiter } from '@millwright/rate-limit';
import type { Express } from 'express';
import { pino } from 'pino';
import { z } from 'zod';
import { createServiceApp } from '../app/service-app.js';
import { capacityWith, type Capacity } from '../process/service-config.js';
import { createMetrics, type Work } from '../process/index.js';
import { createAreaRouter, credentialBelow } from './area-router.js';
import { endpoint, route, type Restore } from '../contract/contract.js';
import type { Emit } from '../contract/event-writer.js';

const Note = z.object({ id: z.string(), text: z.string(), tone: z.enum(['warm', 'cold']) });
const params = z.object({ id: z.string() });
const settings = z.strictObject({
  size: z.int().min(1).max(3).optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
});
const NewNote = z.strictObject({
  text: z.string().min(1),
  tone: z.enum(['warm', 'cold']),
  tags: z.array(z.string()).optional(),
  settings: settings.optional(),
});

const common = { summary: 'A note', tag: 'Notes', errors: [] } as const;
export const createNote = endpoint({
  ...common,
  operationId: 'createNote',
  method: 'POST',
  path: '/notes',
  access: { scope: 'skills:write' },
  limit: 'credential',
  body: NewNote,
  success: { status: 201, description: 'The note', body: Note },
});
export const askNote = endpoint({
  ...common,
  operationId: 'askNote',
  method: 'POST',
  path: '/notes/ask',
  access: { scope: 'skills:write' },
  limit: 'messages',
  long: true,
  body: NewNote,
  success: { status: 200, description: 'The note', body: Note },
});
export const attachToNote = endpoint({
  ...common,
  operationId: 'attachToNote',
  method: 'POST',
  path: '/notes/attachments',
  access: { scope: 'skills:write' },
  limit: 'credential',
  largeBody: true,
  body: NewNote,
  success: { status: 200, description: 'The length', body: z.object({ length: z.int() }) },
});
export const readNoteAloud = endpoint({
  ...common,
  operationId: 'readNoteAloud',
  method: 'POST',
  path: '/notes/tell',
  access: { scope: 'skills:write' },
  limit: 'credential',
  long: true,
  body: NewNote.extend({ stream: z.boolean().optional() }),
  success: { status: 200, description: 'The note', body: Note },
  events: { description: 'Words, then the note', body: z.object({ word: z.string() }) },
});
export const getNote = endpoint({
  ...common,
  operationId: 'getNote',
  method: 'GET',
  path: '/notes/{id}',
  access: { scope: 'skills:read' },
  limit: 'credential',
  params,
  query: z.object({ size: z.coerce.number().pipe(z.int().min(1).max(3)).default(1) }),
  success: { status: 200, description: 'The note', body: Note },
});
export const changeNote = endpoint({
  ...common,
  operationId: 'changeNote',
  method: 'PUT',
  path: '/notes/{id}',
  access: { scope: 'skills:write' },
  limit: 'credential',
  params,
  body: NewNote.partial(),
  success: { status: 200, description: 'The note', body: Note },
});
export const suggestNote = endpoint({
  ...common,
  operationId: 'suggestNote',
  method: 'POST',
  path: '/suggestions',
  access: 'public',
  limit: 'public',
  body: NewNote,
  success: { status: 200, description: 'The note', body: Note },
});
export const getStatus = endpoint({
  ...common,
  operationId: 'getStatus',
  method: 'GET',
  path: '/status',
  access: 'public',
  limit: 'public',
  unshed: true,
  success: { status: 200, description: 'Fine', body: z.object({ ok: z.boolean() }) },
});

const noteEvents = (emit: Emit) => ({
  word: (word: string) => emit({ data: { word } }),
  end: (note: unknown) => emit({ event: 'note', data: note }),
  fail: (failure: object) => emit({ event: 'error', data: failure }),
});

export interface NotesAreaOptions {
  db: Database;
  area?: Area;
  capacity?: Partial<Capacity>;
  /** Called inside the handlers. When it throws, the handler throws the same error. */
  during?: (text: string) => Promise<void> | void;
  now?: () => number;
  /** Rate limiter. Default: a limiter that counts in memory. */
  limiter?: RateLimiter;
  log?: (line: string) => void;
  work?: Work;
}

interface NoteRow {
  id: string;
  text: string;
  tone: string;
}

/** A small service for the tests of this lib. Its notes are rows of `notes (id, text, tone)`. */
export function createNotesArea({
  db,
  area = 'platform',
  capacity = {},
  during,
  now,
  limiter = createRateLimiter(now ? { now } : { multiplier: 10_000 }),
  log,
  work,
}: NotesAreaOptions): Express {
  const logger = pino({ level: log ? 'debug' : 'silent' }, { write: (line) => log?.(line) });
  const metrics = createMetrics({ service: 'notes', version: 'test' });
  const insert = (body: { text: string; tone: string }) => async (tx: Pick<Database['prisma'], '$queryRaw'>) => {
    const [row] = await tx.$queryRaw<[NoteRow]>`
      INSERT INTO notes (text, tone) VALUES (${body.text}, ${body.tone}) RETURNING id::text, text, tone`;
    await during?.(body.text);
    const stored = { body: { ...row, text: '' }, source: { note: row.id } };
    return { body: { ...row, secret_column: 'hidden' }, version: 1, headers: { Location: `/notes/${row.id}` }, stored };
  };
  const restoreNote: Restore = async ({ body, source }) => {
    const [note] = await db.prepared<NoteRow>('note-text', 'SELECT text FROM notes WHERE id::text = $1', [
      (source as { note: string }).note,
    ]);
    if (!note) throw new AppError('not_found');
    return { ...(body as object), text: note.text };
  };
  const routes = [
    route(createNote, ({ body, commit }) => commit(insert(body)), undefined, restoreNote),
    route(
      askNote,
      async ({ body, commit }) => {
        if (body.text === 'unanswered') return { body: { id: '0', text: 'no answer', tone: 'cold' } };
        await during?.('asking');
        return commit(insert(body));
      },
      undefined,
      restoreNote,
    ),
    route(
      readNoteAloud,
      async ({ body, commit, events }) => {
        for (const word of body.text.split(' ')) {
          await during?.(word);
          events?.word(word);
        }
        return commit(insert({ ...body, text: 'told' }));
      },
      noteEvents,
      restoreNote,
    ),
    route(attachToNote, async ({ body }) => {
      await during?.('attached');
      return { body: { length: body.text.length } };
    }),
    route(getNote, async ({ params: { id }, query }) => {
      await during?.('reading');
      const [note] = await db.prepared<NoteRow>(
        'find-note',
        'SELECT id::text, text, tone FROM notes WHERE id::text = $1',
        [id],
      );
      if (!note) throw new AppError('not_found');
      return { body: { ...note, secret_column: 'hidden' }, version: query.size };
    }),
    route(changeNote, ({ params: { id }, ifMatch, body }) => {
      if (ifMatch && !ifMatch.includes(1)) throw new AppError('precondition_failed');
      return Promise.resolve({ body: { text: 'unchanged', tone: 'warm', ...body, id }, version: 2 });
    }),
    route(suggestNote, async ({ body }) => {
      await during?.('suggested');
      return { body: { ...body, id: '0' } };
    }),
    route(getStatus, () => Promise.resolve({ body: { ok: true } })),
  ];
  const router = createAreaRouter({
    area,
    routes,
    db,
    logger,
    metrics,
    capacity: capacityWith(capacity),
    work,
    accessOf: credentialBelow('/notes'),
    docsUrl: 'https://docs.example/docs',
    limiter,
    authenticate: createAuthenticator([{ name: 'key', read: bearer, verify: createApiKeyVerifier(db) }], {
      onInvalid: 'unauthorized',
    }),
    challenge: 'Bearer realm="notes"',
    budgets: {
      anonymous: { name: 'ip', limit: 7 },
      credential: () => ({ name: 'notes', limit: 20 }),
      messages: { name: 'messages', limit: 5 },
      ceilings: { account: { name: 'account', limit: 30 }, project: { name: 'project', limit: 45 } },
    },
    openApi: {
      path: '/openapi.json',
      info: {
        title: 'Notes',
        description: '',
        version: '1',
        server: 'http://notes.test',
        limits: { credential: '20 a minute' },
        security: { type: 'http', scheme: 'bearer' },
      },
    },
  });
  return createServiceApp({ area: 'runtime', logger, metrics, trustedProxyHops: 0, handlers: [router] });
}

type IssueKey = (...scopes: string[]) => Promise<string>;

export interface Notes {
  db: Database;
  /** Issues a key with these scopes to the user Ada. */
  issueKey: IssueKey;
  /** Adds another user. Returns the function that issues keys to this user. */
  addUser: (email: string) => Promise<IssueKey>;
}

/** The service's database with the table of notes, and its users. */
export async function openNotes(url: string): Promise<Notes> {
  const db = createDatabase({ url, poolMax: 10 });
  await db.prisma.$executeRaw`CREATE TABLE notes (id serial PRIMARY KEY, text text NOT NULL, tone text NOT NULL)`;
  const project = 'Core';
  const addUser = async (email: string) => {
    const user_id = newId();
    const user = { id: user_id, email, name: 'Ada', role: 'user', project };
    await db.prisma.user.create({ data: { ...user, webauthn_user_id: new Uint8Array(randomBytes(32)) } });
    return async (...scopes: string[]) => {
      const { publicId: public_id, secret, text } = newKey('api_key');
      const secret_hash = new Uint8Array(hashSecret(secret));
      const key = { id: newId(), user_id, kind: 'api_key', name: 'test', plan: 'standard', project };
      await db.prisma.userApiKey.create({ data: { ...key, public_id, secret_hash, scopes } });
      return text;
    };
  };
  return { db, issueKey: await addUser('ada@example.com'), addUser };
}
