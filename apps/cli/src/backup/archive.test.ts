import { Readable } from 'node:stream';
import { readArchive, writeArchive, type Entry } from './archive.js';

/** Number of files, high enough that the manifest has more than one frame. */
const MANY = 10_000;
/** Length of the longest frame in bytes, including the five bytes at its beginning. */
const LONGEST = 1_048_576 + 5;

function* manyFiles(): Generator<Entry> {
  for (let n = 0; n < MANY; n += 1) {
    const name = `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    yield { kind: 'file', name, parts: Readable.from([]) };
  }
}

it('an archive of any number of files is written in frames of limited length, and read again', async () => {
  const about = { taken_at: new Date().toISOString(), version: '0', migrations: [], sequences: [] };
  const lengths: number[] = [];
  const archive = async function* () {
    for await (const frame of writeArchive(Readable.from(manyFiles()), about)) {
      lengths.push(frame.length);
      yield frame;
    }
  };
  const ignore = () => Promise.resolve();
  const manifest = await readArchive(archive(), { begin: ignore, data: ignore, end: ignore });
  expect(manifest.entries).toHaveLength(MANY);
  expect(manifest.entries.at(-1)?.name).toContain(String(MANY - 1));
  expect(Math.max(...lengths)).toBe(LONGEST);
});
