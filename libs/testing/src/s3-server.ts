import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const BUCKET = 'millwright';

/** The package has no types. TypeScript does not look for them when the name of the package is in a variable of the type string. */
const S3RVER: string = 's3rver';
type S3rver = new (options: object) => { configureBuckets: () => Promise<unknown>; callback: () => RequestListener };

export interface S3Server {
  /** Settings with which `openFileStorage` opens the server's bucket. */
  settings: Record<string, string>;
  /** Returns the keys of unfinished multipart uploads. */
  begun: () => Promise<string[]>;
  /** Deletes all objects. */
  empty: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Starts an S3-compatible server with one bucket, which can contain at most 1,000 objects. It accepts any signature.
 */
export async function startS3(directory: string): Promise<S3Server> {
  await mkdir(directory, { recursive: true });
  const { default: S3rver } = (await import(S3RVER)) as { default: S3rver };
  const s3rver = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET, configs: [] }] });
  await s3rver.configureBuckets();
  const uploads = createUploadRegister(join(directory, BUCKET, '._S3rver_uploads'));
  const serve = s3rver.callback();
  const server = createServer((request, response) => {
    request.url = withoutPages(request.url ?? '');
    uploads.serve(request, response).then(
      (served) => served || serve(request, response),
      (error: unknown) => response.destroy(error as Error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    settings: {
      FILES_S3_BUCKET: BUCKET,
      FILES_S3_REGION: 'us-east-1',
      FILES_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      FILES_S3_ACCESS_KEY_ID: 'S3RVER',
      FILES_S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async empty() {
      await rm(join(directory, BUCKET), { recursive: true });
      await mkdir(join(directory, BUCKET));
    },
    begun: async () => (await uploads.list()).map(({ key }) => key),
    close: () => closeServer(server),
  };
}

/**
 * Removes the length of a page from a request. s3rver encrypts the token of the next page with a cipher that Node does
 * not have, so each list must be one page.
 */
const withoutPages = (url: string): string => url.replace(/([?&])max-keys=\d+&?/, '$1');

/**
 * The operations that s3rver lacks: ListMultipartUploads and AbortMultipartUpload. They use the parts that s3rver
 * stores in `folder`.
 */
function createUploadRegister(folder: string) {
  async function list() {
    const ids = await readdir(folder).catch(() => []);
    const uploads = ids.map(async (id) => {
      const { birthtime } = await stat(join(folder, id));
      return { id, key: await readFile(join(folder, id, 'key'), 'utf8'), begun: birthtime };
    });
    return (await Promise.allSettled(uploads)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async function serve({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { searchParams } = new URL(url, 'http://s3.invalid');
    const id = searchParams.get('uploadId');
    if (method === 'DELETE' && id !== null) {
      await rm(join(folder, id), { recursive: true, force: true });
      response.writeHead(204).end();
      return true;
    }
    if (method !== 'GET' || !searchParams.has('uploads')) return false;
    const found = (await list()).filter(({ key }) => key.startsWith(searchParams.get('prefix') ?? ''));
    const uploads = found.map(
      (one) =>
        `<Upload><Key>${one.key}</Key><UploadId>${one.id}</UploadId><Initiated>${one.begun.toISOString()}</Initiated></Upload>`,
    );
    const xml = `<ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`;
    response.writeHead(200, { 'content-type': 'application/xml' }).end(xml);
    return true;
  }

  return { list, serve };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
