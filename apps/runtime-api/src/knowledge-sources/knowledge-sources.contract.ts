import type { ExtractFailure } from '@millwright/documents';
import { endpoint } from '@millwright/http';
import { isTimezone, isZonedExpression } from '@millwright/jobs/schedules';
import { z } from 'zod';
import { NewContent } from '../content/content.contract.js';
import { MAX_FILE_MIB } from '../knowledge/knowledge.contract.js';
import { listOf, ListQuery } from '../lists/list.contract.js';
import { isTooFrequent, LEAST_MINUTES } from './schedule.js';

/** Limit of a project's sources. */
export const MOST_SOURCES = 100;
export const MAX_REDIRECTS = 5;
export const FETCH_SECONDS = 30;

/** Failures of a fetch. The other values of `SourceFailure` are failures after the fetch. */
export type FetchFailure =
  'refused' | 'unresolvable' | 'no_answer' | 'timed_out' | 'status' | 'redirects' | 'too_many_bytes' | 'type';
export type SourceFailure = FetchFailure | ExtractFailure | 'quota' | 'interrupted';

/** Messages for people that explain why a source has no new passages. */
const FAILURE_TEXTS: Readonly<Record<SourceFailure, string>> = {
  refused:
    'The address, or one that it redirects to, is not allowed: only public hosts by https are, and no user or password.',
  unresolvable: 'The name of the host is not known.',
  no_answer: 'The server gave no answer, or broke it off.',
  timed_out: `The server did not send the whole document within ${FETCH_SECONDS} seconds.`,
  status: 'The server refused with the status',
  redirects: `The address redirects more than ${MAX_REDIRECTS} times, or to nowhere.`,
  too_many_bytes: `The document has more than ${MAX_FILE_MIB} MiB.`,
  type: 'The type is not supported. Sources are HTML, Markdown, plain text, PDF and DOCX.',
  unsupported: 'The bytes are not what the server calls them. Sources are HTML, Markdown, plain text, PDF and DOCX.',
  damaged: 'The document cannot be read: it is damaged or not of the format that it begins as.',
  encrypted: 'The document needs a password.',
  no_text: 'The document has no text. Pages that programs build in the browser, and scanned pages, have none.',
  too_large: 'The document has too much text: 750,000 characters and 600 passages at most.',
  too_complex: 'Reading the document takes too much time or memory.',
  quota:
    "The project's quota for content is used up. Delete content or have an operator raise the limit, then refresh.",
  interrupted: 'Reading the document was interrupted several times. Refresh it.',
};

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  401: 'The server asks for a sign-in (status 401). Sources are read without one.',
  403: 'The server refuses access (status 403).',
  404: 'There is no document at the address (status 404).',
  410: 'The document was removed (status 410).',
  429: 'The server wants fewer requests (status 429).',
};

/** Returns the message for people that explains a failure. */
export function failureText(failure: SourceFailure, status: number | null): string {
  if (failure !== 'status' || status === null) return FAILURE_TEXTS[failure];
  return STATUS_TEXTS[status] ?? `${FAILURE_TEXTS.status} ${status}.`;
}

const states = ['waiting', 'fetching', 'ready', 'failed'] as const;

export const KnowledgeSource = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    tags: z.array(z.string()),
    schedule: z
      .string()
      .nullable()
      .meta({ description: 'Cron expression at whose times it is fetched; null: only by refresh' }),
    timezone: z.string(),
    state: z.enum(states).meta({
      description: 'Passages of the last fetch that succeeded are found in each state',
    }),
    failure: z
      .object({
        code: z.string(),
        message: z.string(),
        status: z.int().nullable().meta({ description: "Status of the server's answer; null without one" }),
      })
      .nullable()
      .meta({ description: 'Reason for which the last fetch gave no text' }),
    passages: z.int().meta({ description: 'Passages that searches find' }),
    last_fetched_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the text was last fetched, or found unchanged; null: never' }),
    next_fetch_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it is fetched next; null: while it is fetched, and without a schedule' }),
    version: z.int().meta({ description: 'Version of what people set. Fetches do not change it' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ title: 'KnowledgeSource' });
export type KnowledgeSource = z.output<typeof KnowledgeSource>;

/** C0 and C1 controls, and characters that change the direction of text or break its line. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const fields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((name) => !CONTROLS.test(name), 'must not have control characters'),
  url: z.string().trim().min(1).max(2_000),
  tags: NewContent.shape.tags.unwrap(),
  schedule: z
    .string()
    .max(200)
    .refine(isZonedExpression, 'must be five fields of cron with at least one time, such as 0 6 * * *')
    .refine(
      (text) => !isZonedExpression(text) || !isTooFrequent(text),
      `must leave ${LEAST_MINUTES} minutes between two times`,
    )
    .nullable(),
  timezone: z.string().max(64).refine(isTimezone, 'must be a name of the IANA database, such as Europe/Berlin'),
};

export const NewKnowledgeSource = z.strictObject({
  ...fields,
  tags: fields.tags.default([]),
  schedule: fields.schedule.default(null),
  timezone: fields.timezone.default('UTC'),
});
export type NewKnowledgeSource = z.output<typeof NewKnowledgeSource>;

export const KnowledgeSourceChanges = z.strictObject(fields).partial();
export type KnowledgeSourceChanges = z.output<typeof KnowledgeSourceChanges>;

const params = z.object({ source_id: z.string() });
const common = { tag: 'Content', limit: 'credential' } as const;
const reads = { ...common, access: { scope: 'content:read' } } as const;
const writes = { ...common, access: { scope: 'content:write' } } as const;

export const listKnowledgeSources = endpoint({
  ...reads,
  operationId: 'listKnowledgeSources',
  method: 'GET',
  path: '/api/v1/knowledge-sources',
  summary: 'List knowledge sources, newest first',
  query: ListQuery,
  success: { status: 200, description: 'A page of sources', body: listOf(KnowledgeSource) },
  errors: [],
});

export const createKnowledgeSource = endpoint({
  ...writes,
  operationId: 'createKnowledgeSource',
  method: 'POST',
  path: '/api/v1/knowledge-sources',
  summary: 'Use a page or document at a URL as knowledge',
  description: `It is fetched in the background and cut into passages, which searches and agents with one of the tags find. HTML, Markdown, plain text, PDF and DOCX up to ${MAX_FILE_MIB} MiB; links on a page are not followed. Everyone who may read content may read the URL: put no credentials into it.`,
  body: NewKnowledgeSource,
  success: { status: 201, description: 'The new source, which is fetched within seconds', body: KnowledgeSource },
  errors: ['conflict', 'quota_exceeded'],
});

export const getKnowledgeSource = endpoint({
  ...reads,
  operationId: 'getKnowledgeSource',
  method: 'GET',
  path: '/api/v1/knowledge-sources/{source_id}',
  summary: 'Retrieve a knowledge source and how its last fetch ended',
  params,
  success: { status: 200, description: 'The source', body: KnowledgeSource },
  errors: [],
});

export const updateKnowledgeSource = endpoint({
  ...writes,
  operationId: 'updateKnowledgeSource',
  method: 'PATCH',
  path: '/api/v1/knowledge-sources/{source_id}',
  summary: 'Update fields of a knowledge source',
  description:
    'Another name, URL or other tags have it fetched at once: name and tags apply to passages once that succeeded, and passages of another URL are removed from search immediately.',
  params,
  body: KnowledgeSourceChanges,
  success: { status: 200, description: 'The source', body: KnowledgeSource },
  errors: ['conflict', 'precondition_failed'],
});

export const refreshKnowledgeSource = endpoint({
  ...writes,
  operationId: 'refreshKnowledgeSource',
  method: 'POST',
  path: '/api/v1/knowledge-sources/{source_id}/refresh',
  summary: 'Fetch a knowledge source now',
  description: 'An unchanged document is not read again. No effect while it waits or is fetched.',
  params,
  success: { status: 202, description: 'The source, which is fetched within seconds', body: KnowledgeSource },
  errors: [],
});

export const deleteKnowledgeSource = endpoint({
  ...writes,
  operationId: 'deleteKnowledgeSource',
  method: 'DELETE',
  path: '/api/v1/knowledge-sources/{source_id}',
  summary: 'Delete a knowledge source with its passages',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});
