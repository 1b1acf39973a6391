import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';

/** One part of a backup. */
export interface Entry {
  kind: 'table' | 'file' | 'key';
  name: string;
  /** The content in parts. For a table, the content is lines, each with one row as text. For a file or a key, it is bytes. */
  parts: AsyncIterable<Buffer>;
}

const Listed = z.object({
  kind: z.enum(['table', 'file', 'key']),
  name: z.string().max(1_000),
  bytes: z.number().int(),
  sha256: z.string(),
});
const Manifest = z.object({
  /** Time of the snapshot from which the tables were read. */
  taken_at: z.string(),
  version: z.string(),
  migrations: z.array(z.string()),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  entries: z.array(Listed),
});
export type Manifest = z.output<typeof Manifest>;
export type Listed = z.output<typeof Listed>;

/** Types of frames. A frame begins with its type and with the length of its content, in four bytes. */
const FRAME = { entry: 1, data: 2, end: 3, manifest: 4 } as const;
/** Maximum size of a frame's content, in bytes. */
const MAX_FRAME = 64 * 1_048_576;
/** Length in bytes into which longer content is split. */
const PIECE = 1_048_576;

function frame(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(type);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

function* framesOf(type: number, content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE) yield frame(type, content.subarray(at, at + PIECE));
}

/** Writes an archive of the entries. At the end, the archive has a manifest with the hash of each entry. */
export async function* writeArchive(
  entries: AsyncIterable<Entry>,
  about: Omit<Manifest, 'entries'>,
): AsyncGenerator<Buffer, Manifest> {
  const listed: Listed[] = [];
  for await (const { kind, name, parts } of entries) {
    const hash = createHash('sha256');
    let bytes = 0;
    yield frame(FRAME.entry, Buffer.from(JSON.stringify({ kind, name })));
    for await (const part of parts) {
      hash.update(part);
      bytes += part.length;
      yield* framesOf(FRAME.data, part);
    }
    yield frame(FRAME.end, Buffer.alloc(0));
    listed.push({ kind, name, bytes, sha256: hash.digest('hex') });
  }
  const manifest = { ...about, entries: listed };
  yield* framesOf(FRAME.manifest, Buffer.from(JSON.stringify(manifest)));
  return manifest;
}

/** Receives the entries of an archive one after the other. */
export interface ArchiveReader {
  begin: (kind: Entry['kind'], name: string) => Promise<void>;
  data: (bytes: Buffer) => Promise<void>;
  end: () => Promise<void>;
}

/** Reads a whole archive. @throws CommandRefused when its content differs from its manifest */
export async function readArchive(source: AsyncIterable<Uint8Array>, reader: ArchiveReader): Promise<Manifest> {
  const found: Listed[] = [];
  const manifestParts: Buffer[] = [];
  let hash = createHash('sha256');
  for await (const { type, content } of readFrames(source)) {
    const last = found.at(-1);
    if (type === FRAME.manifest) manifestParts.push(content);
    else if (manifestParts.length > 0) throw damaged();
    else if (type === FRAME.entry) {
      const { kind, name } = Listed.pick({ kind: true, name: true }).parse(JSON.parse(content.toString()));
      found.push({ kind, name, bytes: 0, sha256: '' });
      hash = createHash('sha256');
      await reader.begin(kind, name);
    } else if (type === FRAME.data && last) {
      hash.update(content);
      last.bytes += content.length;
      await reader.data(content);
    } else if (type === FRAME.end && last) {
      last.sha256 = hash.digest('hex');
      await reader.end();
    } else throw damaged();
  }
  if (manifestParts.length === 0) throw damaged();
  const manifest = Manifest.parse(JSON.parse(Buffer.concat(manifestParts).toString()));
  if (JSON.stringify(manifest.entries) !== JSON.stringify(found)) throw damaged();
  return manifest;
}

const damaged = () =>
  new CommandRefused('The content of the backup is not what its manifest lists. Nothing was restored.', {
    code: 'backup_unreadable',
  });

async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<{ type: number; content: Buffer }> {
  let kept = Buffer.alloc(0);
  for await (const part of source) {
    kept = Buffer.concat([kept, part]);
    while (kept.length >= 5) {
      const length = kept.readUInt32BE(1);
      if (length > MAX_FRAME) throw damaged();
      if (kept.length < 5 + length) break;
      yield { type: kept.readUInt8(0), content: kept.subarray(5, 5 + length) };
      kept = kept.subarray(5 + length);
    }
  }
  if (kept.length > 0) throw damaged();
}
