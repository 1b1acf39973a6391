export {
  changeContentRecord,
  CONTENT_COLUMNS,
  createContentRecord,
  toContentRecord,
  type ContentRow,
} from './content-records.js';
export { ContentChanges, ContentItem, ContentReplacement, NewContentItem } from './content-shapes.js';
export { insertContent, type NewContentRow } from './content.js';
export { searchContent, type ContentQuery, type FoundContent } from './content-search.js';
export {
  findDefaultAgent,
  findRunnableAgent,
  listRunnableAgents,
  type RunnableAgent,
  type RunnableSkill,
} from './agents.js';
export {
  AGENT_COLUMNS,
  changeAgentRecord,
  createAgentRecord,
  raiseAgents,
  readAgentRecord,
  toAgentRecord,
  type AgentRecord,
  type AgentRow,
} from './agent-records.js';
export { resolveUsed, type AgentRelations } from './agent-relations.js';
export { createAgentRules, type AgentRules, type KnownModels } from './agent-rules.js';
export { Agent, AgentChanges, AgentReplacement, AgentState, MOST_SKILLS, NewAgent } from './agent-shapes.js';
export { listAgentPlugins, listAgentServers, openPluginConfig, type RunnablePlugin } from './agent-plugins.js';
export { secretsConfig } from './config.js';
export { fetchDocument, NotADocument, type DataSourceConfig, type DocumentFault } from './data-source.js';
export {
  configValue,
  openPluginSecrets,
  PLUGIN_TYPES,
  sealPluginSecrets,
  SECRET_MASK,
  withConfigValues,
  type PluginConfig,
  type PluginSecret,
  type PluginType,
} from './plugin-config.js';
export { createSecretBox, parseSecretKey, SecretUnreadable, type SecretBox, type SecretKey } from './secret-box.js';
export {
  createMcpToolCaller,
  McpCallFailed,
  type McpCallFailure,
  type McpToolCall,
  type McpToolCaller,
} from './mcp/call-tool.js';
export {
  CLIENT_AUTH,
  openClientSecret,
  sealClientSecret,
  upstreamHash,
  type ClientAuth,
  type ClientCredentialsAuth,
  type SealedAuth,
  type UpstreamServer,
  type UserAuth,
} from './mcp/auth.js';
export { challengeParameter } from './mcp/challenge.js';
export { endOf, openForConnection, sealForConnection, type ConnectionOwner } from './mcp/connections.store.js';
export { askTokens, revokeToken, TokenRefused, type TokenClient, type Tokens } from './mcp/token-endpoint.js';
export { createUpstreamFetch, notConnectedIn, type UpstreamFetch } from './mcp/upstream-fetch.js';
export { NotConnected } from './mcp/user-tokens.js';
export { openHeaders, sealHeaders, type SealedHeaders } from './mcp/headers.js';
export { refreshMcpServer, refreshMcpServers, type McpDeps, type RefreshOptions } from './mcp/refresh.js';
export type { McpToolResult } from './mcp/result-text.js';
export { definitionOf, hashTool, MOST_TOOLS, readTools, type McpToolDefinition } from './mcp/tool-list.js';
export { approvePresent, countOffered, listOfferedTools, OFFERED, type OfferedTool } from './mcp/tools.store.js';
export { withMcpClient, type McpLimits } from './mcp/upstream.js';
export { changeSkillRecord, createSkillRecord, SKILL_COLUMNS, toSkillRecord, type SkillRow } from './skill-records.js';
export { NewSkill, Skill, SkillChanges, SkillReplacement, SkillState } from './skill-shapes.js';
export { SkillParameter, SkillParameters } from './skill-parameters.js';
export { isReservedSlug, slugCandidates, slugify } from './slug.js';
export { keepVersions, VERSIONED, type VersionedKind } from './versions.js';
