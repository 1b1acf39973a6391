import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../apps/console/dist/', import.meta.url));
const assets = join(folder, 'assets/console');

/** Bytes of JavaScript after gzip. */
export interface ConsoleSizes {
  /** The console's frame and its libraries, without any page. */
  firstView: number;
  /** The sign-in page with all its scripts; it does not load the console's frame. */
  signIn: number;
  /** Bytes and number of scripts that each page loads in addition to the first view, largest first. */
  pages: { name: string; bytes: number; scripts: number }[];
  /** Code that pages load on demand, with its bytes. */
  parts: { name: string; bytes: number }[];
  /** Names of the scripts of the first view, and names of the scripts that each page adds. */
  files: { firstView: ReadonlySet<string>; ofPage: ReadonlyMap<string, ReadonlySet<string>> };
}

const KIB = 1_024;
/** Limits in bytes after gzip: of the code that all pages share, of the code that a page adds, of the sign-in page, and of code on demand. */
export const FIRST_VIEW_BYTES = 210 * KIB;
export const PAGE_BYTES = 90 * KIB;
const SIGN_IN_BYTES = 150 * KIB;
const PART_BYTES = 120 * KIB;
/** Limit of the number of scripts that a page adds, because each script is a request. */
const PAGE_SCRIPTS = 25;

/** Returns a text for each size that exceeds its limit. */
export function sizeFaults({ firstView, signIn, pages, parts }: ConsoleSizes): string[] {
  const over = (name: string, bytes: number, most: number) =>
    bytes > most ? [`${name}: ${bytes} bytes, at most ${most}`] : [];
  return [
    ...over('first view', firstView, FIRST_VIEW_BYTES),
    ...over('sign-in', signIn, SIGN_IN_BYTES),
    ...pages.flatMap(({ name, bytes }) => over(name, bytes, PAGE_BYTES)),
    ...pages.flatMap(({ name, scripts }) => (scripts > PAGE_SCRIPTS ? [`${name}: ${scripts} scripts`] : [])),
    ...parts.flatMap(({ name, bytes }) => over(name, bytes, PART_BYTES)),
  ];
}

/** Measures the files of the console's build. */
export function consoleSizes(): ConsoleSizes {
  const names = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const imports = new Map(names.map((name) => [name, importsIn(readFileSync(join(assets, name), 'utf8'))]));
  const closure = (name: string, seen = new Set<string>()): Set<string> => {
    if (!seen.has(name)) {
      seen.add(name);
      for (const { file, isLater } of imports.get(name) ?? []) if (!isLater) closure(file, seen);
    }
    return seen;
  };
  const weight = (files: Iterable<string>) =>
    [...files].reduce((total, name) => total + statSync(join(assets, `${name}.gz`)).size, 0);
  const loadedBy = (html: string) => {
    const text = readFileSync(join(folder, html), 'utf8');
    return new Set(names.filter((name) => text.includes(name)).flatMap((name) => [...closure(name)]));
  };
  const frame = loadedBy('index.html');
  const added = (name: string) => {
    const more = [...closure(name)].filter((file) => !frame.has(file));
    return { name, bytes: weight(more), scripts: more.length };
  };
  const isPage = (name: string) => /\.page-/.test(name);
  const later = new Set(
    [...imports.values()].flatMap((all) => all.filter(({ isLater }) => isLater).map(({ file }) => file)),
  );
  const sorted = (files: string[]) => files.map(added).sort((a, b) => b.bytes - a.bytes);
  return {
    firstView: weight(frame),
    signIn: weight(loadedBy('sign-in.html')),
    pages: sorted(names.filter(isPage)),
    parts: sorted([...later].filter((name) => !isPage(name))),
    files: {
      firstView: frame,
      ofPage: new Map(
        names.filter(isPage).map((name) => [name, new Set([...closure(name)].filter((file) => !frame.has(file)))]),
      ),
    },
  };
}

/** Returns the files that a built script imports. `isLater`: by `import()`, and not statically. */
function importsIn(script: string): { file: string; isLater: boolean }[] {
  const found = script.matchAll(/(?:import|from)\s*(\()?\s*["'`]\.\/([\w.-]+\.js)["'`]/g);
  return [...found].map(([, later, file = '']) => ({ file, isLater: later !== undefined }));
}
