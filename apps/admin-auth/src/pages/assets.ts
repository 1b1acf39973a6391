import { readdir, readFile } from 'node:fs/promises';
import { Router } from 'express';

/** The pages' scripts by file name. */
export type Assets = ReadonlyMap<string, string>;

/** Reads the scripts that the build put into a folder. */
export async function loadAssets(folder: URL): Promise<Assets> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)),
  );
}

/** `GET /admin/assets/…` */
export function serveAssets(assets: Assets): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/admin/assets/:name', (request, response, next) => {
    const script = assets.get(request.params.name);
    if (script === undefined) {
      next();
      return;
    }
    response.set({ 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }).send(script);
  });
  return router;
}
