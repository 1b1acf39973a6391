import { endpoint } from '@millwright/http';
import { z } from 'zod';

const text = z.string().min(1);

const Interface = z.object({
  url: text,
  protocolBinding: z.enum(['JSONRPC', 'HTTP+JSON']),
  protocolVersion: z.enum(['1.0', '0.3']),
});

/** The fields of every card (A2A 1.0 §4.4.1). Cards for clients of 0.3 also have the fields of that version. */
const Card = z.looseObject({
  name: text,
  description: text,
  version: text,
  supportedInterfaces: z.array(Interface).min(1),
  capabilities: z.looseObject({ streaming: z.boolean(), pushNotifications: z.boolean() }),
  defaultInputModes: z.array(text).min(1),
  defaultOutputModes: z.array(text).min(1),
  skills: z.array(z.looseObject({ id: text, name: text, description: text, tags: z.array(text).min(1) })).min(1),
  signatures: z.array(z.object({ protected: text, signature: text })).optional(),
});

/** The A2A version that a request names. Without it, the version is 0.3 (A2A 1.0 §3.6). */
const Version = z
  .string()
  .refine((version) => ['1.0', '0.3', ''].includes(version), 'must be 1.0 or 0.3')
  .optional();

const shared = { method: 'GET', tag: 'A2A', access: 'public', limit: 'public', errors: [] } as const;
const negotiated = {
  ...shared,
  query: z.object({ 'A2A-Version': Version }),
  headers: z.object({ 'a2a-version': Version }),
};

export const getDefaultCard = endpoint({
  ...negotiated,
  operationId: 'getDefaultAgentCard',
  path: '/.well-known/agent-card.json',
  summary: 'A2A card of the default agent',
  success: { status: 200, description: 'The card, signed in the form of 1.0', body: Card },
  errors: ['not_found'],
});

export const listCards = endpoint({
  ...shared,
  operationId: 'listAgentCards',
  path: '/.well-known/agent-cards',
  summary: 'A2A cards of all published agents',
  expensive: true,
  query: z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1) }),
  success: {
    status: 200,
    description: 'At most 100 cards, signed, in the form of 1.0; `Link` with `rel="next"` leads to further ones',
    body: z.array(Card),
  },
});

export const getCard = endpoint({
  ...negotiated,
  operationId: 'getAgentCard',
  path: '/.well-known/agent-cards/{agent_name}',
  summary: 'A2A card of one published agent',
  params: z.object({ agent_name: z.string() }),
  success: { status: 200, description: 'The card, signed in the form of 1.0', body: Card },
});

/**
 * Defines an endpoint at which clients look for an agent's card when they have only the agent's address. Two such paths exist, because some clients
 * resolve a relative URL and others append a path to the address.
 */
const atAgent = (operationId: string, below: string) =>
  endpoint({
    ...negotiated,
    operationId,
    path: `/api/v1/agents/{agent_name}${below}/.well-known/agent-card.json`,
    summary: 'A2A card of one published agent, found from its address',
    params: z.object({ agent_name: z.string() }),
    success: { status: 200, description: 'The card, signed in the form of 1.0', body: Card },
  });

export const getCardBesideAgent = atAgent('getAgentCardBesideAgent', '');
export const getCardBelowAgent = atAgent('getAgentCardBelowAgent', '/a2a');
