import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { CommandRefused } from '../command-refused.js';
import type { Terminal } from '../terminal.js';
import { CLIENTS, placeOf, type McpClient } from './clients.js';

export interface Connection {
  client: string;
  entry: { name: string; url: string };
  /** Whether the server is added for the current folder only, and not for the whole account. */
  isProject: boolean;
  /** Path of the file to change, in place of the client's default file. */
  file: string | undefined;
  yes: boolean;
}

/** Maximum size of a configuration, in bytes. Claude Code also keeps much other data in its file. */
const MAX_BYTES = 64 * 1_048_576;

/**
 * Prints the change of a client's configuration, waits for a confirmation, and writes the configuration.
 * @throws CommandRefused when the client has no such file, or the user does not confirm
 */
export async function connectClient(
  { terminal, asJson }: { terminal: Terminal; asJson: boolean },
  { client: name, entry, isProject, file, yes }: Connection,
): Promise<object> {
  const client = CLIENTS[name];
  if (!client) throw new CommandRefused(`There is no client "${name}".`, { kind: 'usage' });
  const path = file ?? fileOf(client, terminal.env, isProject);
  const before = readConfiguration(path);
  const after = withServer(before, client, entry);
  const result = { client: name, file: path, name: entry.name, url: entry.url };
  if (after === before) return { ...result, changed: false };
  const patch = createTwoFilesPatch(path, path, before, after, '', '', { context: 2 });
  if (!asJson) terminal.errors.write(`${patch.split('\n').slice(1).join('\n')}\n`);
  if (!yes) await confirm(terminal, path);
  writeConfiguration(path, after);
  return { ...result, changed: true, next: client.next };
}

function fileOf(client: McpClient, env: NodeJS.ProcessEnv, isProject: boolean): string {
  const place = placeOf(env, process.cwd());
  if (!isProject) return client.accountFile(place);
  if (!client.projectFile)
    throw new CommandRefused(`${client.title} has no configuration for a folder.`, { kind: 'usage' });
  return client.projectFile(place.folder);
}

function readConfiguration(path: string): string {
  if (!existsSync(path)) return '';
  if (statSync(path).size > MAX_BYTES) throw new CommandRefused(`${path} is larger than 64 MiB.`);
  return readFileSync(path, 'utf8');
}

/**
 * Adds a server to the text of a configuration. Everything else stays unchanged, including comments, order and indentation.
 * @throws CommandRefused when the text is not JSON
 */
export function withServer(text: string, client: McpClient, { name, url }: Connection['entry']): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const faults: ParseError[] = [];
  const value: unknown = parse(source, faults, { allowTrailingComma: true });
  if (faults.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandRefused(
      'The configuration of the client is not a JSON object. Correct it first; nothing was changed.',
    );
  const servers: unknown = Object.getOwnPropertyDescriptor(value, client.member)?.value;
  if (servers !== undefined && (typeof servers !== 'object' || servers === null || Array.isArray(servers)))
    throw new CommandRefused(
      `"${client.member}" in the configuration is not an object. Correct it first; nothing was changed.`,
    );
  const present: unknown = servers && Object.getOwnPropertyDescriptor(servers, name)?.value;
  const wanted = client.serverOf(url);
  if (JSON.stringify(present) === JSON.stringify(wanted)) return text;
  const indent = /\n([ \t]+)\S/.exec(source)?.[1] ?? '  ';
  const edits = modify(source, [client.member, name], wanted, {
    getInsertionIndex: () => 0, // inserted first: an insertion at the end would also reformat the preceding line

    formattingOptions: {
      insertSpaces: !indent.startsWith('\t'),
      tabSize: indent.startsWith('\t') ? 1 : indent.length,
      eol: source.includes('\r\n') ? '\r\n' : '\n',
    },
  });
  return applyEdits(source, edits);
}

async function confirm({ input, errors }: Terminal, path: string): Promise<void> {
  if (input.isTTY !== true)
    throw new CommandRefused(`Nothing was changed. Run again with --yes to write ${path}.`, { kind: 'usage' });
  const lines = createInterface({ input, output: errors });
  const answer = await lines.question(`Write ${path}? [y/N] `);
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandRefused('Nothing was changed.');
}

/** Replaces the file atomically. The new file has the same permissions. A symbolic link is kept, and its target is replaced. */
function writeConfiguration(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const target = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
  writeFileSync(`${target}.new`, text, { mode });
  renameSync(`${target}.new`, target);
}
