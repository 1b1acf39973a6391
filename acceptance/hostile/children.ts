import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const startChild = (file: string) =>
  spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

export interface HostileUpstream {
  url: string;
  stop: () => Promise<void>;
}

/** An MCP server with endless streams, and a tool `flood` that answers 60 MiB. */
export async function startHostileUpstream(): Promise<HostileUpstream> {
  const child = startChild('hostile-upstream.mjs');
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: url.toString().trim(), stop: () => stopChild(child) };
}

/** The target of attacks; see `attacks.mjs`. */
export interface Target {
  baseUrl: string;
  runtimeUrl: string;
  promptUrl: string;
  keys: string[];
  tokens: string[];
  endpoints: string[];
}

/** Begins an attack of `attacks.mjs` in a process of its own. @returns the function that ends it, and counts its answers */
export function beginAttack(attack: string, target: Target): () => Promise<Record<string, number>> {
  const child = startChild('attacker.mjs');
  child.stdin.end(JSON.stringify({ attack, target }));
  const printed = text(child.stdout);
  return async () => {
    await stopChild(child);
    return JSON.parse(await printed) as Record<string, number>;
  };
}
