import type { ModelTool } from '@millwright/models';
import type { AgentTool } from './tool.js';

/** What OpenAI-compatible servers take as a function's name. */
const NAME_LENGTH = 64;
/** More definitions than this cost more of the model's attention than they give. */
const MOST_TOOLS = 128;
const DESCRIPTION_LENGTH = 1_024;

export interface OfferedTools {
  definitions: ModelTool[];
  find: (name: string) => AgentTool | undefined;
}

/** Gives each tool a name that is valid for the model API and its own: the second `search` is `search_2`. */
export function offerTools(tools: readonly AgentTool[]): OfferedTools {
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
  return { definitions, find: (name) => byName.get(name) };
}

function validName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain.slice(0, NAME_LENGTH) || 'tool';
}
