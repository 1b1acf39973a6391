import { readdir } from 'node:fs/promises';
import { extname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type Request, type Response } from 'express';

/** The build of apps/docs: pages, their Markdown, and assets. Next to each file, there are compressed copies. */
export interface DocsFiles {
  folder: string;
  /** Paths of the files within the folder, compressed copies included. */
  paths: ReadonlySet<string>;
}

/** Content codings, best compression first, with the ending of their copies. */
const CODINGS = { br: '.br', gzip: '.gz' } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

/** Lists the files in the output folder of the docs' build. */
export async function loadDocs(folder: URL): Promise<DocsFiles> {
  const root = fileURLToPath(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return { folder: root, paths: new Set(files.map(({ parentPath, name }) => relative(root, `${parentPath}/${name}`))) };
}

/**
 * Returns a content security policy that allows only the files of the documentation, because this origin also serves files that users
 * uploaded.
 */
const policyOf = (baseUrl: string) => {
  const assets = `${baseUrl}/docs/assets/`;
  return [
    "default-src 'none'",
    ...['script-src', 'style-src', 'connect-src'].map((kind) => `${kind} ${assets}`),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

/** Serves the documentation at `/docs`, `/docs/…` and `/llms.txt`, without a session. */
export function serveDocs(docs: DocsFiles, baseUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const policy = policyOf(baseUrl);
  router.get(['/docs', '/docs/*path', '/llms.txt'], (request, response, next) => {
    const path = pathOf(request.path, docs);
    if (path === undefined) next();
    else send(request, response, path);
  });
  router.get('/docs/', (_request, response) => response.redirect(308, '/docs'));
  return router;

  function send(request: Request, response: Response, path: string): void {
    response.set({
      'Content-Type': TYPES[extname(path)] ?? '',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'same-origin',
      Vary: 'Accept-Encoding',
    });
    if (request.secure) response.set('Strict-Transport-Security', 'max-age=31536000');
    const coding = (['br', 'gzip'] as const).find(
      (name) => docs.paths.has(path + CODINGS[name]) && request.acceptsEncodings(name),
    );
    if (coding) response.set('Content-Encoding', coding);
    // Names of assets contain a hash of their content, so browsers may cache assets for a year.
    const isAsset = path.startsWith('assets/');
    response.sendFile(coding ? path + CODINGS[coding] : path, {
      root: docs.folder,
      cacheControl: false,
      headers: { 'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache' },
    });
  }
}

/** Returns the file for an address; `undefined` when no file has the address. */
function pathOf(address: string, { paths }: DocsFiles): string | undefined {
  const name = address === '/docs' ? 'index' : address.replace(/^\/(docs\/)?/, '');
  const path = paths.has(`${name}.html`) ? `${name}.html` : name;
  return paths.has(path) && extname(path) in TYPES ? path : undefined;
}
