import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Era } from './example-server.js';

/** A scenario's result: `passed`, or the failed checks with their reasons. */
export type Outcomes = Record<string, 'passed' | { failed: string[] }>;

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

const PACKAGE = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/', import.meta.url));
const TIMEOUT_MS = 10_000;

/** The scenarios that a revision requires of servers. */
export function requiredOf(revision: Era): string[] {
  const text = readFileSync(join(PACKAGE, `requirements/${revision}.yaml`), 'utf8');
  return (parse(text) as { server: string[] }).server;
}

/** Runs the official runner's server suite for a revision. */
export async function runServerSuite(url: string, revision: Era): Promise<Outcomes> {
  const asked = ['server', '--url', url, '--requirements', revision, '--timeout', String(TIMEOUT_MS)];
  const checks = await run(asked);
  return Object.fromEntries(
    requiredOf(revision).map((name) => [name, outcomeOf(checks.get(`server-${name}`))] as const),
  );
}

/** Runs the runner in a separate folder. @returns its checks, by the name of the scenario's folder */
export async function run(args: string[], onOutput?: (text: string) => void): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-conformance-'));
  try {
    await new Promise<void>((resolve) => {
      const program = join(PACKAGE, 'dist/index.js');
      const process_ = execFile(process.execPath, [program, ...args, '--output-dir', folder], () => resolve());
      process_.stdout?.on('data', (text: string) => onOutput?.(text));
    });
    return new Map(
      readdirSync(folder).flatMap((name) => {
        const file = join(folder, name, 'checks.json');
        const scenario = name.replace(/-\d{4}-\d\d-\d\dT.*$/, '');
        return existsSync(file) ? [[scenario, JSON.parse(readFileSync(file, 'utf8')) as Check[]]] : [];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function outcomeOf(checks: Check[] | undefined): Outcomes[string] {
  if (!checks) return { failed: ['the scenario left no result'] };
  const failed = checks.filter(({ status }) => status === 'FAILURE');
  return failed.length === 0 ? 'passed' : { failed: failed.map((check) => `${check.id}: ${check.errorMessage ?? ''}`) };
}
