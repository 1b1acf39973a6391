import { readdir, readFile } from 'node:fs/promises';
import { Router } from 'express';
import { loadConsole, serveConsoleFiles, type ConsoleFiles } from './console-files.js';

/** What browsers load: the scripts of the pages made here, by file name, and the console. */
export interface Assets {
  scripts: ReadonlyMap<string, string>;
  console: ConsoleFiles;
}

/** Reads the folder that the build left: the scripts, and in `console` what Vite made of apps/console. */
export async function loadAssets(folder: URL): Promise<Assets> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const scripts = names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const);
  return { scripts: new Map(await Promise.all(scripts)), console: await loadConsole(new URL('console/', folder)) };
}

/** `GET /admin/assets/…` */
export function serveAssets({ scripts, console }: Assets): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/admin/assets/console/:name', serveConsoleFiles(console));
  router.get('/admin/assets/:name', (request, response, next) => {
    const script = scripts.get(request.params.name);
    if (script === undefined) {
      next();
      return;
    }
    response.set({ 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }).send(script);
  });
  return router;
}
