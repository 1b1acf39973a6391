import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleProgram } from '@millwright/testing/bundle-program';

export interface UploadServer {
  child: ChildProcess;
  url: string;
}

/** Builds the server program into `folder`. @returns a function that starts a process of it with the given file settings */
export async function buildUploadServer(
  folder: string,
  databaseUrl: string,
): Promise<(files: object) => Promise<UploadServer>> {
  const program = join(folder, 'server.mjs');
  await bundleProgram(new URL('test-upload-process.ts', import.meta.url), program);
  return async (files) => {
    const child = spawn(process.execPath, [program, databaseUrl, JSON.stringify(files)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, url: line.toString().trim() };
  };
}
