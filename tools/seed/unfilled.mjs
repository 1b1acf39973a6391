// @ts-check

/**
 * Tables that the seed leaves empty, with the reason. A test checks that every other table of the schema has rows.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const UNFILLED = {
  account_notices: 'would be sent as mail',
  audit_checkpoints: 'written when retention removes audit rows, which are kept for 90 days at least',
  audit_checks: 'the result of a verification, which an admin or the command line starts',
  audit_seal_cursors: 'written by the senders of seals',
  audit_verification: 'a verification under way',
  budget_reservations: 'calls of models under way',
  budget_waits: 'runs that wait for a budget, which would go on',
  connection_waits: 'runs that wait for an account, which would go on',
  console_codes: 'a sign-in under way: valid for a minute',
  content_vectors: 'made by an embedding model, of which the seed has none',
  content_words_left: 'work of the job forget-content',
  deleted_agent_versions: 'for runs that are under way when their agent is deleted',
  deleted_agents: 'work of the job forget-content',
  deleted_knowledge: 'work of the indexers',
  device_link_codes: 'a device that is being linked: valid for ten minutes',
  device_nonces: 'a proof under way: valid for a minute',
  installation_secrets: 'made by the services at their first start',
  knowledge_search: 'needs an embedding model, of which the seed has none',
  magic_link_requests: 'requests of the last 15 minutes',
  magic_link_tokens: 'a recovery under way: valid for 15 minutes',
  mcp_connection_requests: 'a connection that is being made',
  mcp_connections: 'tokens of other systems, which would be renewed there',
  mcp_shared_sessions: 'sessions at other servers',
  mcp_upstream_clients: 'registrations at other systems',
  mcp_upstream_sessions: 'sessions at other servers',
  mcp_waiting_calls: 'calls under way',
  model_health: 'what the services observed of models',
  oauth_used_assertions: 'assertions of the last minutes',
  partition_changes: 'written when partitions of a month are made or dropped',
  platform_admin_requests: 'needs two platform admins, whom an operator makes',
  push_notifications: 'would be sent',
  quota_recount: 'written by the job that counts again',
  quota_refusals: 'no project has reached its quota',
  setup_tokens: 'valid for a day, and of a person who enrols',
  sso_logout_tokens: 'logout tokens of the last minutes',
  sso_requests: 'a sign-in under way: valid for ten minutes',
  task_chunks: 'of releases before runs were records',
  tasks: 'of releases before runs were records',
  vector_work: 'work of the embedder',
  webauthn_ceremonies: 'a ceremony under way: valid for five minutes',
};
