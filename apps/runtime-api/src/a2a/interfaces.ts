import type { AgentCapabilities, AgentInterface } from '@a2a-js/sdk';
import { duplicateInterfacesForLegacy } from '@a2a-js/sdk/compat/v0_3';

/** Where an agent is reached by A2A: JSON-RPC at this very URL, HTTP+JSON below it. */
export const a2aUrl = (runtimeUrl: string, agent: string) => `${runtimeUrl}/api/v1/agents/${agent}/a2a`;

const BINDINGS = ['JSONRPC', 'HTTP+JSON'];

/** Both bindings, the preferred one first, in both versions. */
export const interfacesAt = (url: string): AgentInterface[] =>
  duplicateInterfacesForLegacy(
    BINDINGS.map((protocolBinding) => ({ url, protocolBinding, protocolVersion: '1.0', tenant: '' })),
    BINDINGS,
  );

export const CAPABILITIES: AgentCapabilities = {
  streaming: true,
  pushNotifications: false,
  extendedAgentCard: false,
  extensions: [],
};

/** What agents read and write. */
export const MEDIA_TYPE = 'text/plain';
