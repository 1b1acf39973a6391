import { withQuery } from '../../api/api.js';

export interface Found {
  /** Unlike any other's. */
  key: string;
  label: string;
  text?: string;
  to: string;
}

/** Where a kind of record is searched, by those who may open its pages. */
export interface Source {
  group: string;
  /** Who answers, as it is named when nobody does. */
  area: string;
  path: (search: string) => string;
  read: (answer: unknown) => Found[];
}

const SHOWN = 5;

interface Item {
  id: string;
  name?: string;
  title?: string;
  description?: string;
}

function ofPlatform(group: string, path: string, to: string): Source {
  return {
    group,
    area: 'The platform API',
    path: (search) => withQuery(`/areas/platform/api/v1${path}`, { search, per_page: SHOWN }),
    read: (answer) =>
      (answer as { items: Item[] }).items.map(({ id, name, title, description }) => ({
        key: id,
        label: name ?? title ?? id,
        ...(description && { text: description }),
        to: `${to}/${id}`,
      })),
  };
}

/** What an administrator finds besides pages; everyone else's pages hold no records of others. */
export const SOURCES: readonly Source[] = [
  ofPlatform('Agents', '/agents', '/build/agents'),
  ofPlatform('Skills', '/skills', '/build/skills'),
  {
    group: 'Prompts',
    area: 'The prompt API',
    path: (search) => withQuery('/areas/prompt/v1/prompt', { search, limit: SHOWN }),
    read: (answer) =>
      (answer as { id: string; metadata: { title: string; description: string } }[]).map(({ id, metadata }) => ({
        key: id,
        label: metadata.title || id,
        ...(metadata.description && { text: metadata.description }),
        to: `/prompts/${id}`,
      })),
  },
  ofPlatform('Content', '/content', '/build/content'),
  ofPlatform('MCP servers', '/mcp/servers', '/build/mcp'),
  ofPlatform('Plugins', '/plugins', '/build/plugins'),
  {
    group: 'Users',
    area: 'The console’s server',
    path: (search) => withQuery('/users', { search, per_page: SHOWN }),
    read: (answer) =>
      (answer as { items: { id: string; name: string; email: string }[] }).items.map(({ id, name, email }) => ({
        key: id,
        label: name,
        text: email,
        to: `/access/users/${id}`,
      })),
  },
];
