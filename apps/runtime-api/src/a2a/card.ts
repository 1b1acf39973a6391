import { AgentCard } from '@a2a-js/sdk';
import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { ServerCallContext, type A2ARequestHandler } from '@a2a-js/sdk/server';
import { slugify } from '@millwright/catalog';
import { IMAGE_TYPES } from '@millwright/documents';
import { a2aUrl, CAPABILITIES, interfacesAt, MEDIA_TYPE } from '../agents/a2a-interfaces.js';

/** The data of an agent that its card publishes. The agent's instructions and tools are never published. */
export interface CardAgent {
  slug: string;
  name: string;
  description: string;
  /** Version of the card, which increases with each change. */
  version: number;
  skills: readonly { id: string; name: string; description: string }[];
  /** Whether the agent's model reads images. */
  readsImages: boolean;
}

/** A card in the form in which it is sent. */
export type CardJson = Record<string, unknown>;

const SCOPE = 'agents:message';
const requires = (scheme: string) => ({ schemes: { [scheme]: { list: [SCOPE] } } });

/** Builds an agent's unsigned card (A2A 1.0 §4.4.1) as the JSON of its protocol buffer, with all required fields and without unset fields. */
export function cardOf(agent: CardAgent, runtimeUrl: string): CardJson {
  const description = agent.description || agent.name;
  const tokenUrl = `${runtimeUrl}/oauth/token`;
  const flow = { tokenUrl, refreshUrl: tokenUrl, scopes: { [SCOPE]: 'Send messages to agents' } };
  const scheme = (flows: object) => ({
    oauth2SecurityScheme: { flows, oauth2MetadataUrl: `${runtimeUrl}/.well-known/oauth-authorization-server` },
  });
  const card = {
    name: agent.name,
    description,
    version: String(agent.version),
    supportedInterfaces: interfacesAt(a2aUrl(runtimeUrl, agent.slug)),
    documentationUrl: `${runtimeUrl}/api/v1/docs`,
    capabilities: CAPABILITIES,
    securitySchemes: {
      oauth: scheme({
        authorizationCode: { ...flow, authorizationUrl: `${runtimeUrl}/oauth/authorize`, pkceRequired: true },
      }),
      client: scheme({ clientCredentials: flow }),
    },
    securityRequirements: [requires('oauth'), requires('client')],
    defaultInputModes: [MEDIA_TYPE, ...(agent.readsImages ? IMAGE_TYPES : [])],
    defaultOutputModes: [MEDIA_TYPE],
    // A card must have at least one skill, and each skill at least one tag (A2A 1.0 §4.4.5).
    skills:
      agent.skills.length === 0
        ? [{ id: 'chat', name: agent.name, description, tags: ['chat'] }]
        : agent.skills.map((skill) => ({
            ...skill,
            description: skill.description || skill.name,
            tags: [slugify(skill.name) || 'skill'],
          })),
  };
  return AgentCard.toJSON(AgentCard.fromJSON(card)) as CardJson;
}

/**
 * Converts a card to the form for clients of 0.3, which also lists the interfaces of 1.0. The result has no signatures, because signatures are valid
 * only for the form of 1.0.
 */
export async function legacyCardOf(card: CardJson): Promise<CardJson> {
  const core = AgentCard.fromJSON({ ...card, signatures: undefined });
  const source: Pick<A2ARequestHandler, 'getAuthenticatedExtendedAgentCard'> = {
    getAuthenticatedExtendedAgentCard: () => Promise.resolve(core),
  };
  const translator = new LegacyRestTransportHandler(source as A2ARequestHandler);
  const legacy = await translator.getAuthenticatedExtendedAgentCard(new ServerCallContext());
  return { ...legacy, supportedInterfaces: card['supportedInterfaces'] };
}
