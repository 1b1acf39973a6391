import { ProjectId } from '@millwright/auth/projects';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { PERIODS } from './usage-period.js';

/** The project that a platform admin chooses; an admin and a project admin have only one project. */
export const ShownProject = ProjectId.optional();

const Figure = z.object({
  /** Value for the whole period: a user on two days counts once, and a percentile covers all requests. Null when unknown. */
  value: z.number().nullable(),
  /** Value for the preceding period of the same length; null when unknown. */
  before: z.number().nullable(),
  /** One point for each of `times`. */
  points: z.array(z.number().nullable()),
});
export type Figure = z.output<typeof Figure>;

export const FIGURES = [
  'requests',
  'errors',
  'latency_p95_ms',
  'agent_messages',
  'tokens',
  'cost_usd',
  'active_users',
] as const;
export type FigureName = (typeof FIGURES)[number];

const Busy = z.object({
  id: z.string(),
  /** Name of the record; null when the record was deleted. */
  name: z.string().nullable(),
  project: z.string(),
  /** Messages of the agent, messages of agents with the skill, or runs of the prompt. */
  uses: z.int(),
  tokens: z.int(),
  /** Cost in US dollars; null when no price is known. */
  cost_usd: z.number().nullable(),
});
export type Busy = z.output<typeof Busy>;

const Usage = z.object({
  period: z.enum(PERIODS),
  /** Id of the project; null for all projects. */
  project: ProjectId.nullable(),
  interval: z.enum(['hour', 'day']),
  times: z.array(z.string()),
  figures: z.object({
    requests: Figure,
    errors: Figure,
    latency_p95_ms: Figure,
    agent_messages: Figure,
    tokens: Figure,
    cost_usd: Figure,
    active_users: Figure,
  } satisfies Record<FigureName, typeof Figure>),
  /** Tokens of models without a known price. Their cost is missing in the sum of costs. */
  unpriced_tokens: z.int(),
  busiest: z.object({ agents: z.array(Busy), skills: z.array(Busy), prompts: z.array(Busy) }),
});
export type Usage = z.output<typeof Usage>;

export const getDashboardUsage = endpoint({
  operationId: 'getDashboardUsage',
  method: 'GET',
  path: '/admin/api/dashboard/usage',
  summary: 'What a period used, beside the one before it',
  tag: 'Dashboard',
  access: { role: ['admin', 'project_admin'] },
  limit: 'credential',
  query: z.object({ period: z.enum(PERIODS).default('7d'), project: ShownProject }),
  success: {
    status: 200,
    description:
      'Figures of one project, or of all of them for a platform admin who names none. Requests are those of the platform, runtime and prompt APIs with a known caller, errors those of them answered 400 or above; they show within seconds.',
    body: Usage,
  },
  errors: [],
});
