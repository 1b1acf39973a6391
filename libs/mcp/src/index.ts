export { challengeParameter } from './bearer-challenge.js';
export { agentDetail, readEntry, toolCallEntry } from './call-audit.js';
export { McpCallFailed, type McpCallFailure } from './call-failure.js';
export { createMcpToolCaller, IDEMPOTENCY_KEY, type McpToolCaller } from './call-tool.js';
export type { Generation } from './generations.js';
export { createMcpServers, type McpServers } from './mcp-servers.js';
export {
  CLIENT_AUTH,
  openClientSecret,
  sealClientSecret,
  sealedSecretOf,
  upstreamHash,
  type ClientAuth,
  type SealedAuth,
  type UpstreamServer,
  type UserAuth,
} from './server-auth.js';
export {
  CALL_SILENCE_MS,
  isUnsent,
  STREAM_SILENCE_MS,
  type ServerAnswer,
  type ServerConnections,
} from './server-connections.js';
export { ServerBusy, ServerNotCalled, ServerUnavailable } from './server-unavailable.js';
export type { HeldBytes } from './held-bytes.js';
export { createUpstreamFetch, notConnectedIn } from './server-fetch.js';
export { openHeaders, sealHeaders, type SealedHeaders } from './server-headers.js';
export type { ServerProbe } from './server-probes.js';
export {
  asUser,
  markProbeDue,
  pageOfActiveServers,
  SERVER_COLUMNS,
  serverOf,
  slugOf,
  type AvailableTools,
  type RegisteredServer,
  type ServerPageRow,
  type ServerRow,
} from './servers.store.js';
export { createSharedSessionStore, type SharedSessionStore } from './shared-sessions.store.js';
export { attributed, attributedInstructions } from './attribution.js';
export { toJudgedText, withoutUnavailableTools } from './tool-approval.js';
export {
  approvePresent,
  AVAILABLE,
  countAvailableTools,
  findApprovedSchema,
  findTaskSupport,
  findToolRule,
  listAvailableTools,
  type AvailableTool,
} from './tools.store.js';
