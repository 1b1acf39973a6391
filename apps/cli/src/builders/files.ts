import { createWriteStream, existsSync, openAsBlob, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import { Listing } from '../readable.js';
import type { Builder, RunBuilder } from './builder.js';
import { limitOption, withQuery, wholeNumber } from '../http/pages.js';

const StoredFile = z.looseObject({
  id: z.string(),
  path: z.string(),
  size: z.number(),
  content_type: z.string(),
  sha256: z.string(),
  created_at: z.string(),
});
const Files = z.object({ items: z.array(StoredFile), total: z.number() });
/** Time limit of an upload in milliseconds. */
const UPLOAD_MS = 3_600_000;

export function fileCommands(program: Command, run: RunBuilder): void {
  const files = program.command('files').description('List, upload and download files');
  limitOption(files.command('list').description('List files, newest first'))
    .option('--offset <number>', 'files to skip', wholeNumber(0, 1_000_000), 0)
    .option('--search <text>', 'text in the path')
    .action(run(list));
  files
    .command('upload')
    .description('Upload a file')
    .argument('<file>', 'file on this machine')
    .option('--path <path>', 'path in the installation (default: its name)')
    .action(run(upload));
  files
    .command('download')
    .description('Download a file. An existing one is not replaced.')
    .argument('<id>', 'id of the file')
    .option('--output <file>', 'file to write (default: the last part of its path)')
    .action(run(download));
  files
    .command('delete')
    .description('Delete a file')
    .argument('<id>', 'id of the file')
    .action(
      run(({ connect }, _options, id) =>
        connect().api.json('runtime', filePath(id), z.looseObject({ id: z.string() }), { method: 'DELETE' }),
      ),
    );
}

const filePath = (id: string) => `/api/v1/files/${encodeURIComponent(id)}`;

async function list(
  { connect }: Builder,
  options: { limit: number; offset: number; search?: string },
): Promise<Listing> {
  const { limit, offset, search } = options;
  const path = withQuery('/api/v1/files', { limit, offset, search });
  const { items, total } = await connect().api.json('runtime', path, Files);
  const rows = items.map(({ id, path: at, size, content_type, created_at }) => ({
    id,
    path: at,
    size,
    content_type,
    created_at,
  }));
  return new Listing({ items, total }, rows);
}

async function upload({ connect }: Builder, { path }: { path?: string }, file: string): Promise<object> {
  if (!existsSync(file) || !statSync(file).isFile()) throw new CommandRefused(`There is no file ${file}.`);
  const form = new FormData();
  form.set('path', path ?? basename(file));
  form.set('file', await openAsBlob(file), basename(file));
  return connect().api.json('runtime', '/api/v1/files', StoredFile, { method: 'POST', form, timeoutMs: UPLOAD_MS });
}

async function download({ connect }: Builder, options: { output?: string }, id: string): Promise<object> {
  const { api } = connect();
  const stored = await api.json('runtime', filePath(id), StoredFile);
  const target = options.output ?? basename(stored.path);
  if (existsSync(target)) throw new CommandRefused(`${target} exists. Choose another name: --output <file>`);
  const answer = await api.open('runtime', filePath(id), {
    headers: { accept: 'application/octet-stream, */*;q=0.9' },
  });
  if (!answer.body) throw new CommandRefused('The answer has no body.');
  const partial = `${target}.part`;
  try {
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(partial));
    if (statSync(partial).size !== stored.size) throw new CommandRefused('The file arrived incomplete. Try again.');
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
  return { ...stored, file: target };
}
