import { endpoint } from '@millwright/http';
import { pageSize, timestamp, wholeNumber } from '@millwright/records';
import { z } from 'zod';

const text = z.string().min(1).max(500).optional();
const time = timestamp.transform((value) => new Date(value)).optional();

/** Filters of the audit log; an entry has to match all of them. */
const filters = {
  /** Id or email of the accountable user. */
  user: text,
  actor_kind: z.enum(['user', 'job', 'mcp']).optional(),
  actor: text,
  action: text,
  resource: text,
  decision: z.enum(['allow', 'deny']).optional(),
  /** Beginning of the period, included. */
  from: time,
  /** End of the period, not included. */
  to: time,
  request_id: text,
  /** Id of a run. Its rows are about the start of the run, its tool calls, the decisions about tool calls, and the end of the run. */
  run: text,
};
export const AuditFilters = z.object(filters);
export type AuditFilters = z.output<typeof AuditFilters>;

export const ExportQuery = z.object({ ...filters, format: z.enum(['jsonl', 'csv']).default('jsonl') });

/** An audit row as it is exported. */
export const Decision = z.object({
  id: z.string(),
  at: z.string(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  actor_kind: z.string(),
  actor_id: z.string(),
  action: z.string(),
  resource: z.string(),
  project: z.string().nullable(),
  decision: z.string(),
  reason: z.string().nullable(),
  request_id: z.string().nullable(),
  ip: z.string().nullable(),
  detail: z.unknown(),
});
export type Decision = z.output<typeof Decision>;

/** An audit row as the console lists it. */
export const ListedDecision = Decision.extend({
  resource_name: z
    .string()
    .nullable()
    .meta({ description: 'Current name of the record; null for one without a name, or deleted' }),
});
export type ListedDecision = z.output<typeof ListedDecision>;

const Chain = z.object({
  sealed_through: z.string().nullable(),
  batches: z.int(),
  unsealed: z.int(),
  last_sealed_at: z.string().nullable(),
  verified: z.enum(['ok', 'broken', 'unchecked']),
  verified_at: z.string().nullable(),
  /** Source of the keys of the last check: the file AUDIT_PINNED_KEYS_FILE, or the database. */
  verified_with: z.enum(['pinned', 'database']).nullable(),
  faults: z.array(
    z.object({ kind: z.string(), row: z.string().nullable(), seal: z.int().nullable(), reason: z.string() }),
  ),
  verifying: z
    .object({
      verified: z.int().meta({ description: 'The last seal that it has verified' }),
      seals: z.int().meta({ description: 'The last seal when it began' }),
      since: z.string(),
    })
    .nullable()
    .meta({ description: 'The check in progress' }),
  /** All rows that AUDIT_RETENTION_DAYS has removed so far. */
  removed: z.object({ rows: z.int(), sealed_through: z.string() }).nullable(),
});
const chain = { status: 200, description: 'How far it is sealed, and what the last check found', body: Chain } as const;

/** Roles that may read the audit log. */
export const AUDIT_ACCESS = { role: ['admin', 'auditor'] } as const;

export const listDecisions = endpoint({
  operationId: 'listDecisions',
  method: 'GET',
  path: '/admin/api/audit',
  summary: 'The audit log, latest first',
  tag: 'Audit',
  access: AUDIT_ACCESS,
  limit: 'credential',
  query: z.object({
    ...filters,
    job_runs: z
      .enum(['shown', 'hidden'])
      .default('shown')
      .meta({ description: '`hidden` leaves out the rows that jobs write when they end' }),
    page: wholeNumber(1, 100_000).default(1),
    per_page: pageSize,
  }),
  success: {
    status: 200,
    description: 'A page of it',
    body: z.object({
      items: z.array(ListedDecision),
      total: z.int().meta({ description: 'At most 10,000: more rows are shown without being counted' }),
      page: z.int(),
      per_page: z.int(),
    }),
  },
  errors: [],
});

export const getDecision = endpoint({
  operationId: 'getDecision',
  method: 'GET',
  path: '/admin/api/audit/{decision_id}',
  summary: 'One row of the audit log',
  tag: 'Audit',
  access: AUDIT_ACCESS,
  limit: 'credential',
  params: z.object({ decision_id: z.string() }),
  success: { status: 200, description: 'The row', body: ListedDecision },
  errors: ['not_found'],
});

export const listActions = endpoint({
  operationId: 'listAuditActions',
  method: 'GET',
  path: '/admin/api/audit/actions',
  summary: 'The actions that the audit log has rows of',
  tag: 'Audit',
  access: AUDIT_ACCESS,
  limit: 'credential',
  success: {
    status: 200,
    description: 'In alphabetical order; at most 500',
    body: z.object({ items: z.array(z.string()) }),
  },
  errors: [],
});

export const getChain = endpoint({
  operationId: 'getChain',
  method: 'GET',
  path: '/admin/api/audit/chain',
  summary: 'The chain of seals over the audit log',
  tag: 'Audit',
  access: AUDIT_ACCESS,
  limit: 'credential',
  success: chain,
  errors: [],
});

export const verifyChain = endpoint({
  operationId: 'verifyChain',
  grants: 'nothing',
  method: 'POST',
  path: '/admin/api/audit/verify',
  summary: 'Check every sealed row and every seal',
  description: 'A long log is checked in the background: `verifying` says how far.',
  tag: 'Audit',
  access: AUDIT_ACCESS,
  limit: 'credential',
  long: true,
  success: chain,
  errors: ['conflict'],
});
