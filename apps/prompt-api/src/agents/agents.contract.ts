import { isReservedSlug } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { ListQuery } from '../metadata/list.contract.js';
import { Metadata } from '../metadata/metadata.contract.js';

/** Instructions of an agent. */
const Content = z.string().max(100_000);
/** Slug of an agent. */
const Prefix = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .refine((slug) => !isReservedSlug(slug), 'is reserved');

/** Name of an agent. */
const Title = z.string().trim().min(1).max(100);
const Description = z.string().max(2_000);
/** Tags of content items. The agent can use each item with at least one of these tags as knowledge. */
const Tag = z
  .array(z.string().trim().min(1).max(100))
  .max(50)
  .refine((tags) => new Set(tags).size === tags.length, 'must not name a tag twice');
/** Status of an agent: a published agent is active, and a draft is inactive. */
const Status = z.enum(['draft', 'published']);

/** An agent in the form that known clients expect. `log_message` is always empty, because agents have no log message. */
export const Agent = z.object({
  id: z.string(),
  content: z.string(),
  prefix: z.string(),
  metadata: Metadata,
  _link: z.string(),
});
export type Agent = z.output<typeof Agent>;

export const NewAgent = z.object({
  content: Content,
  prefix: Prefix.optional(),
  metadata: z.object({
    title: Title,
    description: Description.default(''),
    tag: Tag.default([]),
    status: Status.default('published'),
  }),
});
export type NewAgent = z.output<typeof NewAgent>;

/** Omitted fields keep their values. `metadata.version`, when sent, must be the current version. A sent prefix is ignored. */
export const AgentChanges = z.object({
  content: Content.optional(),
  metadata: z
    .object({
      title: Title.optional(),
      description: Description.optional(),
      tag: Tag.optional(),
      status: Status.optional(),
      version: z.int().optional(),
    })
    .optional(),
});
export type AgentChanges = z.output<typeof AgentChanges>;

const params = z.object({ uuid: z.uuid() });
const one = { status: 200, description: 'The agent', body: Agent } as const;

const agents = { tag: 'Agents', limit: 'credential' } as const;

export const createAgent = endpoint({
  ...agents,
  operationId: 'createAgent',
  method: 'POST',
  path: '/v1/agent',
  summary: 'Create an agent',
  access: { scope: 'agents:write' },
  body: NewAgent,
  success: { status: 201, description: 'The new agent', body: Agent },
  errors: ['conflict'],
});

export const listAgents = endpoint({
  ...agents,
  operationId: 'listAgents',
  method: 'GET',
  path: '/v1/agent',
  summary: 'List agents',
  access: { scope: 'agents:read' },
  query: ListQuery,
  success: { status: 200, description: 'A page of agents', body: z.array(Agent) },
  errors: [],
});

export const getAgent = endpoint({
  ...agents,
  operationId: 'getAgent',
  method: 'GET',
  path: '/v1/agent/{uuid}',
  summary: 'Read an agent',
  access: { scope: 'agents:read' },
  params,
  success: one,
  errors: [],
});

export const updateAgent = endpoint({
  ...agents,
  operationId: 'updateAgent',
  method: 'PUT',
  path: '/v1/agent/{uuid}',
  summary: 'Change an agent',
  access: { scope: 'agents:write' },
  params,
  body: AgentChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});
