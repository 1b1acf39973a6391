import type { AgentCapabilities, AgentInterface } from '@a2a-js/sdk';
import { duplicateInterfacesForLegacy } from '@a2a-js/sdk/compat/v0_3';

/** The URL of an agent's A2A endpoint. JSON-RPC is at this URL, and HTTP+JSON is below it. */
export const a2aUrl = (runtimeUrl: string, agent: string) => `${runtimeUrl}/api/v1/agents/${agent}/a2a`;

const BINDINGS = ['JSONRPC', 'HTTP+JSON'];

/** Lists the interfaces at the URL for a card: both bindings, each in both versions. The preferred binding comes first. */
export const interfacesAt = (url: string): AgentInterface[] =>
  duplicateInterfacesForLegacy(
    BINDINGS.map((protocolBinding) => ({ url, protocolBinding, protocolVersion: '1.0', tenant: '' })),
    BINDINGS,
  );

/** The extension that defines the form in which clients show a pending call and decide about it (kagent, "Human in the Loop"). */
export const HITL = 'https://kagent.dev/extensions/hitl/v1';

export const CAPABILITIES: AgentCapabilities = {
  streaming: true,
  pushNotifications: true,
  extendedAgentCard: false,
  extensions: [
    {
      uri: HITL,
      description: 'Shows calls of tools that need a decision, and takes it',
      required: false,
      params: undefined,
    },
  ],
};

/** The media type of texts that agents read and write. */
export const MEDIA_TYPE = 'text/plain';
