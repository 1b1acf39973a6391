import { endpoint } from '@millwright/http';
import { z } from 'zod';

/** The caller's account, the numbers of their project's records, and their own usage, in the form that known clients read. */
export const UserStatus = z.object({
  user: z.object({
    id: z.string(),
    /** Equal to `id`: some known clients read this field. */
    uuid: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(z.string()),
    project: z.string(),
  }),
  /** Records of the key's project. */
  content: z.object({ prompt: z.int(), artifact: z.int(), block: z.int(), conversation: z.int() }),
  /** The caller's own usage in this project in the current calendar month (UTC). */
  usage: z.object({ ai: z.object({ execution: z.int(), token: z.int() }) }),
});
export type UserStatus = z.output<typeof UserStatus>;

/** Known clients send more fields; only the name can be changed. */
const UserChanges = z.object({ user: z.object({ name: z.string().trim().min(1).max(200).optional() }).optional() });

const status = { status: 200, description: 'The account', body: UserStatus } as const;

const users = { tag: 'Users', limit: 'credential' } as const;

export const getOwnUser = endpoint({
  ...users,
  operationId: 'getOwnUser',
  method: 'GET',
  path: '/v1/user/me',
  summary: 'Read your own account',
  access: { scope: 'prompts:read' },
  success: status,
  errors: [],
});

export const getMcpUser = endpoint({
  ...users,
  operationId: 'getMcpUser',
  method: 'GET',
  path: '/v1/user/mcp',
  summary: 'Read your own account, at the path that known MCP servers use',
  access: { scope: 'prompts:read' },
  success: status,
  errors: [],
});

export const updateOwnUser = endpoint({
  ...users,
  operationId: 'updateOwnUser',
  method: 'PATCH',
  path: '/v1/user/{uuid}',
  summary: 'Change your own name',
  access: { scope: 'prompts:write' },
  params: z.object({ uuid: z.uuid() }),
  body: UserChanges,
  success: status,
  errors: ['precondition_failed'],
});
