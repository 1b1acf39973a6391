import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The answers to honest callers during one phase. */
export interface Answers {
  milliseconds: number[];
  errors: string[];
  /** Path and duration of the slowest request. */
  slowest: string;
}

export type Area = 'platform-api' | 'runtime-api' | 'prompt-api';
export type HonestAnswers = Record<Area, Answers>;

export interface Asked {
  url: string;
  body?: object;
}

const startChild = (file: string) =>
  spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

export interface HostileUpstream {
  /** URL of a server with endless streams, and with a tool `flood` that answers 60 MiB. */
  url: string;
  /** URL of a server with a tool `ask` that sends its user an input request. */
  askingUrl: string;
  stop: () => Promise<void>;
}

/** Starts the MCP servers of `hostile-upstream.mjs`. */
export async function startHostileUpstream(): Promise<HostileUpstream> {
  const child = startChild('hostile-upstream.mjs');
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const addresses = JSON.parse(printed.toString()) as Pick<HostileUpstream, 'url' | 'askingUrl'>;
  return { ...addresses, stop: () => stopChild(child) };
}

/** The target of attacks; see `attacks.mjs`. */
export interface Target {
  baseUrl: string;
  runtimeUrl: string;
  promptUrl: string;
  keys: string[];
  tokens: string[];
  endpoints: string[];
  askingEndpoint: string;
}

/**
 * Begins an attack of `attacks.mjs` in a separate process.
 *
 * @returns a function that ends the attack and returns its number of answers by status
 */
export function beginAttack(attack: string, target: Target): () => Promise<Record<string, number>> {
  const child = startChild('attacker.mjs');
  child.stdin.end(JSON.stringify({ attack, target }));
  const printed = text(child.stdout);
  return async () => {
    await stopChild(child);
    return JSON.parse(await printed) as Record<string, number>;
  };
}

/** What the honest callers of one service send, and how often; see `honest-callers.mjs`. */
export interface HonestOrder {
  requests: readonly Asked[];
  credentials: readonly string[];
  everyMs: number;
  count: number;
}

/** Runs `honest-callers.mjs` in a separate process. @returns the answers by area */
export async function runHonestCallers(orders: Record<Area, HonestOrder>): Promise<HonestAnswers> {
  const child = startChild('honest-callers.mjs');
  child.stdin.end(JSON.stringify(orders));
  return JSON.parse(await text(child.stdout)) as HonestAnswers;
}
