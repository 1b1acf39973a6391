import type { ModelTool } from '@millwright/models';
import type { AgentTool } from './tool.js';

/** Maximum length of a function name that OpenAI-compatible servers accept. */
const NAME_LENGTH = 64;
/** Limit of the tools that are sent to a model. With more tools, models choose a wrong tool more often. */
const MOST_TOOLS = 128;
const DESCRIPTION_LENGTH = 1_024;

export interface ModelTools {
  definitions: ModelTool[];
  /** Finds a tool by its name. With `isBegun`, also finds a tool that exists only for a call that was started before. */
  find: (name: string, isBegun?: boolean) => AgentTool | undefined;
}

/**
 * Gives each tool a unique name that the model API accepts: a second tool `search` becomes `search_2`. `begun` contains tools of calls that
 * were started before. They are found by the name under which the model called them, but the model does not receive their definitions.
 */
export function toModelTools(tools: readonly AgentTool[], begun: readonly AgentTool[] = []): ModelTools {
  const byName = new Map<string, AgentTool>();
  for (const tool of tools.slice(0, MOST_TOOLS)) {
    const wanted = validName(tool.name);
    let name = wanted;
    for (let n = 2; byName.has(name); n += 1) name = `${wanted.slice(0, NAME_LENGTH - 1 - String(n).length)}_${n}`;
    byName.set(name, tool);
  }
  const definitions = [...byName].map(([name, { description, parameters }]) => ({
    name,
    description: description.slice(0, DESCRIPTION_LENGTH),
    parameters,
  }));
  const find = (name: string, isBegun = false) =>
    byName.get(name) ?? (isBegun ? begun.find((tool) => tool.name === name) : undefined);
  return { definitions, find };
}

function validName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain.slice(0, NAME_LENGTH) || 'tool';
}
