import { countText } from '../../ui/figures.js';

/** A server of an agent, with the names of its available tools. */
export interface ServerTools {
  slug: string;
  name: string;
  tools: readonly string[];
}

/** Patterns of tools are `*` for all, `server/*` for those of one server, and `server/tool`. */
export const ALL = '*';
const allOf = (slug: string) => `${slug}/*`;
const toolOf = (slug: string, tool: string) => `${slug}/${tool}`;

/** Whether a pattern matches each tool of the server, also those that it will have. */
export const hasServer = (patterns: readonly string[], slug: string): boolean =>
  patterns.includes(ALL) || patterns.includes(allOf(slug));

export const hasTool = (patterns: readonly string[], slug: string, tool: string): boolean =>
  hasServer(patterns, slug) || patterns.includes(toolOf(slug, tool));

/** The same tools without `*`, so that some can be taken out. */
const withoutAll = (patterns: readonly string[], servers: readonly ServerTools[]): string[] =>
  patterns.includes(ALL)
    ? [...new Set([...servers.map(({ slug }) => allOf(slug)), ...patterns.filter((pattern) => pattern !== ALL)])]
    : [...patterns];

export function withServer(patterns: readonly string[], slug: string, on: boolean, servers: readonly ServerTools[]) {
  if (on && patterns.includes(ALL)) return [...patterns];
  const others = withoutAll(patterns, servers).filter((pattern) => !pattern.startsWith(`${slug}/`));
  return on ? [...others, allOf(slug)] : others;
}

export function withTool(
  patterns: readonly string[],
  { slug, tools }: ServerTools,
  tool: string,
  on: boolean,
  servers: readonly ServerTools[],
): string[] {
  if (hasTool(patterns, slug, tool) === on) return [...patterns];
  const now = withoutAll(patterns, servers);
  if (on) return [...now, toolOf(slug, tool)];
  // Out of all tools of the server, one: the others one by one.
  const own = now.includes(allOf(slug)) ? tools.map((one) => toolOf(slug, one)) : now;
  return [...now.filter((pattern) => pattern !== allOf(slug)), ...own]
    .filter((pattern, index, all) => pattern !== toolOf(slug, tool) && all.indexOf(pattern) === index)
    .sort((a, b) => now.indexOf(a) - now.indexOf(b));
}

/** Patterns that no box stands for: of other servers, or of tools that are not available. */
export function patternsBeyond(
  patterns: readonly string[],
  servers: readonly ServerTools[],
  known: readonly string[] = [],
) {
  const boxes = new Set([
    ALL,
    ...known,
    ...servers.flatMap(({ slug, tools }) => [allOf(slug), ...tools.map((tool) => toolOf(slug, tool))]),
  ]);
  return patterns.filter((pattern) => !boxes.has(pattern));
}

/** "All 13 tools", "2 of 13 tools". */
export function countAllowed(patterns: readonly string[], { slug, tools }: ServerTools): string {
  if (hasServer(patterns, slug)) return `All ${countText(tools.length, 'tool')}, and those added later`;
  const count = tools.filter((tool) => hasTool(patterns, slug, tool)).length;
  return `${count} of ${countText(tools.length, 'tool')}`;
}
