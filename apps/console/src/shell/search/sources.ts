import type { AdminAnswers } from '../../api/answers/admin.js';
import type { PlatformAnswers } from '../../api/answers/platform.js';
import type { PromptAnswers } from '../../api/answers/prompt.js';
import { withQuery } from '../../api/api.js';

export interface Found {
  /** Key of the result, unique over all results. */
  key: string;
  label: string;
  text?: string;
  to?: string;
  /** Theme to set, for a result that is not a page. */
  scheme?: 'light' | 'dark' | 'auto';
}

/** The search in one kind of record. */
export interface Source {
  group: string;
  /** Name of the service, for the message that the search in this service failed. */
  area: string;
  path: (search: string) => string;
  /** Reads the results from the service's answer. The parameter is `never`, because each source has another type of answer. */
  read: (answer: never) => Found[];
}

const SHOWN = 5;

type PlatformList = PlatformAnswers['listAgents' | 'listSkills' | 'listContent' | 'listMcpServers' | 'listPlugins'];

const ofPlatform = (group: string, path: string, to: string): Source => ({
  group,
  area: 'The platform API',
  path: (search) => withQuery(`/areas/platform/api/v1${path}`, { search, per_page: SHOWN }),
  read: ({ items }: { items: PlatformList['items'][number][] }) =>
    items.map((item) => ({
      key: item.id,
      label: 'title' in item ? item.title : item.name,
      ...('description' in item && item.description !== '' && { text: item.description }),
      to: `${to}/${item.id}`,
    })),
});

/** The kinds of records that administrators can search. The search of other users finds no records. */
export const SOURCES: readonly Source[] = [
  ofPlatform('Agents', '/agents', '/build/agents'),
  ofPlatform('Skills', '/skills', '/build/skills'),
  {
    group: 'Prompts',
    area: 'The prompt API',
    path: (search) => withQuery('/areas/prompt/v1/prompt', { search, limit: SHOWN }),
    read: (prompts: PromptAnswers['listPrompts']) =>
      prompts.map(({ id, metadata: { title, description } }) => ({
        key: id,
        label: title || id,
        ...(description !== '' && { text: description }),
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
    read: ({ items }: AdminAnswers['listUsers']) =>
      items.map(({ id, name, email }) => ({ key: id, label: name, text: email, to: `/access/users/${id}` })),
  },
];
