import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Router } from 'express';

/** Content codings, best compression first. */
const CODINGS = ['br', 'gzip'] as const;

/** A built file with its compressed copies, by content coding. */
interface ConsoleFile {
  type: string;
  body: Buffer;
  encoded: Partial<Record<(typeof CODINGS)[number], Buffer>>;
}

/** The files of the build of apps/console. In the two HTML files, each answer replaces the `__NAMES__`: see send-html.ts. */
export interface ConsoleFiles {
  /** Content of the console's index.html. */
  index: string;
  /** HTML of the pages outside the console: see send-page.ts. */
  signIn: string;
  /** Files by name. The name contains a hash of the content. */
  files: ReadonlyMap<string, ConsoleFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the output folder of the console's build. */
export async function loadConsole(folder: URL): Promise<ConsoleFiles> {
  const assetFolder = new URL('assets/console/', folder);
  const names = await readdir(assetFolder);
  const read = (name: string) => readFile(new URL(name, assetFolder));
  const encoded = async (name: string) => (names.includes(name) ? await read(name) : undefined);
  const files = names
    .filter((name) => extname(name) in TYPES)
    .map(async (name): Promise<[string, ConsoleFile]> => {
      const [body, br, gzip] = await Promise.all([read(name), encoded(`${name}.br`), encoded(`${name}.gz`)]);
      return [name, { type: TYPES[extname(name)] ?? '', body, encoded: { ...(br && { br }), ...(gzip && { gzip }) } }];
    });
  return {
    index: await readFile(new URL('index.html', folder), 'utf8'),
    signIn: await readFile(new URL('sign-in.html', folder), 'utf8'),
    files: new Map(await Promise.all(files)),
  };
}

/** Serves `GET /admin/assets/console/:name`. */
export function serveConsoleFiles({ files }: Pick<ConsoleFiles, 'files'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/admin/assets/console/:name', (request, response, next) => {
    const file = files.get(request.params.name);
    if (file === undefined) {
      next();
      return;
    }
    const coding = CODINGS.find((name) => file.encoded[name] && request.acceptsEncodings(name));
    response.set({
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
    if (coding) response.set('Content-Encoding', coding);
    response.send((coding && file.encoded[coding]) ?? file.body);
  });
  return router;
}
