import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface UploadServer {
  child: ChildProcess;
  url: string;
}

/** Builds the server into `folder`. @returns a function that starts one with the given file settings */
export async function buildUploadServer(
  folder: string,
  databaseUrl: string,
): Promise<(files: object) => Promise<UploadServer>> {
  const program = join(folder, 'server.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'upload-server.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['pg-native'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });
  return async (files) => {
    const child = spawn(process.execPath, [program, databaseUrl, JSON.stringify(files)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, url: line.toString().trim() };
  };
}
