import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ConnectionBelow, Run, RunState } from '../runs.contract.js';

const STATES = ['pending', 'approved', 'refused', 'expired', 'used', 'canceled'] as const;

/** Page size limit of approvals. Each item may have two texts of 64 KiB and a schema of 64 KiB. */
export const MOST_APPROVALS = 25;

const Page = z.object({
  limit: z.coerce.number().int().min(1).max(MOST_APPROVALS).default(20),
  cursor: z.string().max(100).optional().meta({ description: 'The `next_cursor` of an earlier answer' }),
});

export const ApprovalListQuery = Page.extend({ state: z.enum(STATES).default('pending') });
export type ApprovalListQuery = z.output<typeof ApprovalListQuery>;
export type ApprovalPage = z.output<typeof Page>;

export const RunApprovalsQuery = Page.extend({
  below: z.enum(['true', 'false']).default('false').meta({
    description:
      '`true`: also those of the runs below it, which its agent has started by calls of other agents; each names its run',
  }),
});
export type RunApprovalsQuery = z.output<typeof RunApprovalsQuery>;

const Person = z.object({ id: z.string(), name: z.string() });

/** A tool call that needs a person's decision. */
export const Approval = z.object({
  id: z.string(),
  run_id: z.string(),
  state: z.enum(STATES).meta({ description: '`used`: the call was made. `canceled`: the run ended before a decision' }),
  agent: z.object({ name: z.string(), version: z.int().nullable() }),
  server: Person.meta({ description: "The tool's MCP server or plugin" }),
  tool: z.string(),
  call_id: z.string(),
  step: z.int().meta({ description: 'The step with the answer of the model that asks for the call' }),
  arguments: z.string().meta({ description: 'Arguments as the model wrote them, as JSON' }),
  parameters: z.unknown().meta({ description: 'JSON Schema of the arguments' }),
  tainted_by: z
    .array(z.string())
    .meta({ description: 'What the run had read that neither its user nor this installation wrote' }),
  requester: Person,
  other_decider: z.boolean().meta({ description: 'Whether another user than the requester has to decide' }),
  may_decide: z.boolean().meta({ description: 'Whether the caller may decide now' }),
  edited_arguments: z.string().nullable().meta({ description: 'The arguments that were approved instead' }),
  reason: z.string().nullable(),
  decided_by: Person.nullable(),
  decided_at: z.string().nullable(),
  expires_at: z.string(),
  created_at: z.string(),
});
export type Approval = z.output<typeof Approval>;

/** Limit of the approvals in the answer to a message. */
export const MOST_NEEDED = 10;

/** A run that a message started, with what the run waits for. */
export const AcceptedRun = Run.extend({
  approvals: z.array(Approval).meta({
    description: `The calls of tools that wait for a decision, in the run and the runs below it: the latest ${MOST_NEEDED}. \`GET /api/v1/runs/{run_id}/approvals?below=true\` lists all`,
  }),
  connections: z.array(ConnectionBelow).meta({
    description: 'The accounts that the run and the runs below it wait for: their user connects each at `connect_url`',
  }),
});
export type AcceptedRun = z.output<typeof AcceptedRun>;

/** Maximum length of the arguments that a decider sends, in characters. The same limit applies to arguments that models write. */
const ARGUMENTS_LENGTH = 64 * 1024;

export const ApprovalDecision = z
  .strictObject({
    decision: z.enum(['approve', 'refuse']),
    arguments: z
      .record(z.string(), z.unknown())
      .refine((value) => JSON.stringify(value).length <= ARGUMENTS_LENGTH, 'must be at most 64 KiB')
      .optional()
      .meta({ description: "Replaces the model's arguments; valid by `parameters`" }),
    reason: z.string().max(2_000).optional().meta({ description: 'Reason that the model reads' }),
  })
  .refine(({ decision, arguments: args }) => decision === 'approve' || args === undefined, {
    path: ['arguments'],
    message: 'are for approvals only',
  });
export type ApprovalDecision = z.output<typeof ApprovalDecision>;

export const DecidedApproval = z.object({ id: z.string(), state: z.enum(STATES), run: RunState });
export type DecidedApproval = z.output<typeof DecidedApproval>;

const approvals = { tag: 'Approvals', limit: 'credential' } as const;
const ofRun = z.object({ run_id: z.string() });
const page = (description: string) =>
  ({
    status: 200,
    description,
    body: z.object({
      items: z.array(Approval),
      next_cursor: z.string().nullable().meta({ description: 'Cursor of the next page; null on the last page' }),
    }),
  }) as const;

export const listApprovals = endpoint({
  ...approvals,
  operationId: 'listApprovals',
  method: 'GET',
  path: '/api/v1/approvals',
  summary: 'List calls of tools that wait for a decision in your runs, or with `runs:read_all` in those of the project',
  access: { scope: 'runs:read' },
  query: ApprovalListQuery,
  success: page('A page of approvals, latest first'),
  errors: [],
});

export const listRunApprovals = endpoint({
  ...approvals,
  operationId: 'listRunApprovals',
  method: 'GET',
  path: '/api/v1/runs/{run_id}/approvals',
  summary: 'List the decisions about calls of tools in a run',
  access: { scope: 'runs:read' },
  params: ofRun,
  query: RunApprovalsQuery,
  success: page('A page of approvals, latest first'),
  errors: [],
});

export const decideApproval = endpoint({
  ...approvals,
  operationId: 'decideApproval',
  method: 'POST',
  path: '/api/v1/runs/{run_id}/approvals/{approval_id}',
  summary:
    'Approve a call of a tool, with other arguments where given, or refuse it. The run goes on once all are decided.',
  access: { scope: 'runs:approve' },
  action: 'approval.decide',
  params: ofRun.extend({ approval_id: z.string() }),
  body: ApprovalDecision,
  success: { status: 200, description: 'The decision and the state of the run', body: DecidedApproval },
  errors: ['conflict'],
});
