import { countText } from '../../ui/figures.js';

/** A server of an agent, with the names of its available tools. */
export interface ServerTools {
  slug: string;
  name: string;
  tools: readonly string[];
}

/** Pattern for the tools of all MCP servers. The other patterns are `server/*` for all tools of one server, and `server/tool` for one tool. */
export const ALL = '*';
const allOf = (slug: string) => `${slug}/*`;
const toolOf = (slug: string, tool: string) => `${slug}/${tool}`;

/** The built-in tools of this installation, with their labels. The pattern `*` does not include them. */
export const BUILT_IN = {
  current_time: 'Clock: date, time and weekday',
  calculate: 'Calculator',
} as const;
export type BuiltIn = keyof typeof BUILT_IN;
const OWN = 'platform';
const ofBuiltIn = Object.keys(BUILT_IN).map((name) => toolOf(OWN, name));

/** Patterns of the tools that a new agent may call. */
export const FIRST_TOOLS: readonly string[] = [ALL, ...ofBuiltIn];

/** Returns the patterns of the built-in tools that these patterns allow. */
export const builtInOf = (patterns: readonly string[]): string[] =>
  patterns.includes(allOf(OWN)) ? ofBuiltIn : ofBuiltIn.filter((pattern) => patterns.includes(pattern));

export const hasBuiltIn = (patterns: readonly string[], name: BuiltIn): boolean =>
  builtInOf(patterns).includes(toolOf(OWN, name));

export function withBuiltIn(patterns: readonly string[], name: BuiltIn, on: boolean): string[] {
  const pattern = toolOf(OWN, name);
  const kept = builtInOf(patterns).filter((one) => one !== pattern);
  const others = patterns.filter((one) => one !== allOf(OWN) && !ofBuiltIn.includes(one));
  return [...others, ...kept, ...(on ? [pattern] : [])];
}

/** Whether the patterns match every tool of the server, including future tools. */
export const hasServer = (patterns: readonly string[], slug: string): boolean =>
  patterns.includes(ALL) || patterns.includes(allOf(slug));

export const hasTool = (patterns: readonly string[], slug: string, tool: string): boolean =>
  hasServer(patterns, slug) || patterns.includes(toolOf(slug, tool));

/** Replaces `*` by one pattern `server/*` for each server, so that the tools of one server can be removed. */
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
  // Replaces `server/*` by one pattern for each tool of the server, so that the pattern of one tool can be removed.
  const own = now.includes(allOf(slug)) ? tools.map((one) => toolOf(slug, one)) : now;
  return [...now.filter((pattern) => pattern !== allOf(slug)), ...own]
    .filter((pattern, index, all) => pattern !== toolOf(slug, tool) && all.indexOf(pattern) === index)
    .sort((a, b) => now.indexOf(a) - now.indexOf(b));
}

/** Patterns that no checkbox represents: patterns of other servers, and of tools that are not available. */
export function patternsBeyond(
  patterns: readonly string[],
  servers: readonly ServerTools[],
  known: readonly string[] = [],
) {
  const boxes = new Set([
    ALL,
    ...[allOf(OWN), ...ofBuiltIn],
    ...known,
    ...servers.flatMap(({ slug, tools }) => [allOf(slug), ...tools.map((tool) => toolOf(slug, tool))]),
  ]);
  return patterns.filter((pattern) => !boxes.has(pattern));
}

/** Describes the allowed tools: "All 13 tools, and those added later", "2 of 13 tools". */
export function countAllowed(patterns: readonly string[], { slug, tools }: ServerTools): string {
  if (hasServer(patterns, slug)) return `All ${countText(tools.length, 'tool')}, and those added later`;
  const count = tools.filter((tool) => hasTool(patterns, slug, tool)).length;
  return `${count} of ${countText(tools.length, 'tool')}`;
}
