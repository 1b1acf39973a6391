import { changeOf, endpoint, MadeChanges, MOST_CHANGES } from '@millwright/http';
import { z } from 'zod';
import { AgentChanges, NewAgent } from '../agents/agents.contract.js';
import { ContentChanges, NewContentItem } from '../content/content.contract.js';
import { McpServerChanges, NewMcpServer } from '../mcp-servers/mcp-servers.contract.js';
import { NewSkill, SkillChanges } from '../skills/skills.contract.js';

export const Change = z.discriminatedUnion('kind', [
  changeOf('skill', NewSkill, SkillChanges),
  changeOf('content', NewContentItem, ContentChanges),
  changeOf('mcp_server', NewMcpServer, McpServerChanges),
  changeOf('agent', NewAgent, AgentChanges),
]);
export type Change = z.output<typeof Change>;

export const makeChanges = endpoint({
  operationId: 'makeChanges',
  method: 'POST',
  path: '/api/v1/changes',
  tag: 'Changes',
  summary: 'Create, update and delete skills, content, MCP servers and agents, all or nothing',
  description:
    'The changes are made in their order and in one transaction. A refusal names the change, as `changes.2`, and nothing is changed. A new record with a `ref` can be named by it in later changes. Requires `skills:write`, `content:write`, `mcp:write` or `agents:write` for the kinds that it names.',
  access: 'credential',
  limit: 'credential',
  body: z.strictObject({ changes: z.array(Change).min(1).max(MOST_CHANGES) }),
  success: { status: 200, description: 'All changes were made', body: MadeChanges },
  errors: ['forbidden', 'step_up_required', 'not_found', 'conflict', 'precondition_failed'],
});
