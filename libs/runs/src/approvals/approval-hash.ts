import { createHash } from 'node:crypto';

/** The parts of a call, besides its arguments, to which an approval applies. */
export interface ApprovedTool {
  runId: string;
  agent: { id: string; version: number | null };
  /** Id of the tool's MCP server or plugin, and the tool's name in the run. */
  owner: string;
  tool: string;
  definitionHash: Buffer | undefined;
}

/** SHA-256 of the tool's definition, the agent's version and the run. */
export function toolHash({ runId, agent, owner, tool, definitionHash }: ApprovedTool): Buffer {
  const parts = [runId, agent.id, agent.version, owner, tool, definitionHash?.toString('hex') ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** SHA-256 of a call with everything that its approval depends on: any difference changes the hash. */
export const callHash = (tool: Uint8Array, args: string): Buffer =>
  createHash('sha256').update(tool).update(args).digest();
