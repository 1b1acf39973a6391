import { createHash } from 'node:crypto';

/** The facts about a call on which its approval depends, in addition to the arguments. */
export interface ApprovedTool {
  runId: string;
  agent: { id: string; version: number | null };
  /** Id of the MCP server or plugin to which the tool belongs, and the name of the tool in the run. */
  owner: string;
  tool: string;
  definitionHash: Buffer | undefined;
}

/** SHA-256 of the tool's definition, the agent's version and the run. */
export function toolHash({ runId, agent, owner, tool, definitionHash }: ApprovedTool): Buffer {
  const parts = [runId, agent.id, agent.version, owner, tool, definitionHash?.toString('hex') ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** SHA-256 of a call with everything on which its approval depends. Any difference changes the hash. */
export const callHash = (tool: Uint8Array, args: string): Buffer =>
  createHash('sha256').update(tool).update(args).digest();
