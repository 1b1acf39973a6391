/**
 * MCP tools that a client or an agent may use: `*` for all tools, `server/*` for all tools of one server, `server/tool`
 * for one tool. `server` is the slug.
 */
export type ToolList = readonly string[];

/**
 * Tools of this installation. An agent has them only when its list names them, as `platform/*` or one by one; `*` does
 * not include them.
 */
export const BUILTIN_TOOLS = ['current_time', 'calculate'] as const;
export type BuiltinTool = (typeof BUILTIN_TOOLS)[number];

export const isBuiltinListed = (list: ToolList, tool: BuiltinTool): boolean =>
  list.includes('platform/*') || list.includes(`platform/${tool}`);

export const EVERY_TOOL: ToolList = ['*'];
export const MOST_TOOL_ENTRIES = 200;

export const isToolEntry = (entry: string): boolean =>
  /^(\*|[A-Za-z0-9_-]{1,100}\/(\*|[A-Za-z0-9_.-]{1,128}))$/.test(entry);

/** Whether every entry of `list` is in `by`, or is included in an entry of `by`. */
export const isCovered = (list: ToolList, by: ToolList): boolean =>
  list.every((entry) => ['*', `${entry.split('/', 1)[0] ?? ''}/*`, entry].some((wider) => by.includes(wider)));

/** Whether every one of these lists allows the tool. A missing list allows all tools. */
export function allowsTool(lists: readonly (ToolList | undefined)[], server: string, tool: string): boolean {
  const entries = ['*', `${server}/*`, `${server}/${tool}`];
  return lists.every((list) => list === undefined || entries.some((entry) => list.includes(entry)));
}
