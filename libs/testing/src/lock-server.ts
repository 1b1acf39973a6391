import { createHash, randomUUID } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import { listen } from './listen.js';

interface Version {
  id: string;
  key: string;
  body: string;
  mode: string | undefined;
  until: string | undefined;
  storedAt: Date;
}

export interface LockServer {
  /** Settings of the bucket. */
  bucket: {
    bucket: string;
    region: string;
    endpoint: string;
    accessKeyId: string;
    secretAccessKey: string;
    mode: 'COMPLIANCE' | 'GOVERNANCE';
    days: number;
  };
  versions: Version[];
  /**
   * `off`: the bucket refuses locks, like a bucket for which Object Lock is not enabled. `ignored`: the bucket accepts locks, but they have
   * no effect, like a server that does not support Object Lock.
   */
  objectLock: 'on' | 'off' | 'ignored';
  /** Maximum number of versions on a page of the list. */
  pageSize: number;
  close: () => Promise<void>;
}

/**
 * Starts an S3-compatible server with versions and Object Lock. It behaves as Amazon documents PutObject, HeadObject,
 * GetObject, ListObjectVersions and DeleteObject, and accepts any signature.
 */
export async function startLockServer(): Promise<LockServer> {
  const versions: Version[] = [];
  const app = express();
  app.use(express.text({ type: '*/*' }));

  function put(request: Request, response: Response): void {
    const body = String(request.body);
    const [mode, until] = [request.get('x-amz-object-lock-mode'), request.get('x-amz-object-lock-retain-until-date')];
    const isLocked = mode !== undefined || until !== undefined;
    const md5 = request.get('content-md5');
    if (isLocked && server.objectLock === 'off')
      return refuse(response, 400, 'InvalidRequest', 'Bucket is missing Object Lock Configuration');
    if (isLocked && md5 === undefined)
      return refuse(response, 400, 'InvalidRequest', 'Content-MD5 OR x-amz-checksum- HTTP header is required');
    if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64'))
      return refuse(response, 400, 'BadDigest', 'The Content-MD5 is another');
    if (isLocked && !(Date.parse(until ?? '') > Date.now()))
      return refuse(response, 400, 'InvalidArgument', 'The retain until date must be in the future');
    const lock = server.objectLock === 'on' ? { mode, until: until?.replace(/\.\d+Z$/, 'Z') } : {};
    const version = {
      id: randomUUID(),
      key: request.path,
      body,
      mode: undefined,
      until: undefined,
      storedAt: new Date(),
      ...lock,
    };
    versions.push(version);
    if (server.objectLock === 'on') response.set('x-amz-version-id', version.id);
    response.end();
  }

  function head(request: Request, response: Response): void {
    const { versionId } = request.query;
    const found = versions.findLast(
      ({ id, key }) => key === request.path && (versionId === undefined || id === versionId),
    );
    if (!found) return void response.status(404).end();
    if (found.mode !== undefined)
      response.set({ 'x-amz-object-lock-mode': found.mode, 'x-amz-object-lock-retain-until-date': found.until ?? '' });
    response.end();
  }

  function get(request: Request, response: Response): void {
    if ('versions' in request.query) return list(request, response);
    const found = versions.find(({ id, key }) => key === request.path && id === request.query['versionId']);
    if (found) response.type('json').send(found.body);
    else refuse(response, 404, 'NoSuchVersion', 'The version does not exist');
  }

  /** The versions are sorted by key, the newest version first. A page has at most `server.pageSize` versions. */
  function list({ query }: Request, response: Response): void {
    const prefix = typeof query['prefix'] === 'string' ? query['prefix'] : '';
    const sorted = versions
      .map((version) => ({ ...version, key: version.key.replace('/seals/', '') }))
      .filter(({ key }) => key.startsWith(prefix))
      .reverse()
      .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    const after = sorted.findIndex(({ key, id }) => key === query['key-marker'] && id === query['version-id-marker']);
    const page = sorted.slice(after + 1, after + 1 + server.pageSize);
    const last = page.at(-1);
    const isTruncated = last !== undefined && last !== sorted.at(-1);
    const entries = page.map(
      ({ id, key, body, storedAt }) =>
        `<Version><Key>${key}</Key><VersionId>${id}</VersionId><Size>${Buffer.byteLength(body)}</Size>` +
        `<LastModified>${storedAt.toISOString()}</LastModified></Version>`,
    );
    const next = isTruncated
      ? `<NextKeyMarker>${last.key}</NextKeyMarker><NextVersionIdMarker>${last.id}</NextVersionIdMarker>`
      : '';
    response
      .type('xml')
      .send(
        `<ListVersionsResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join('')}</ListVersionsResult>`,
      );
  }

  /** A deletion without a version adds a delete marker, and every version stays. */
  function remove(request: Request, response: Response): void {
    const at = versions.findIndex(({ id }) => id === request.query['versionId']);
    const found = versions[at];
    const mayBypass = found?.mode === 'GOVERNANCE' && request.get('x-amz-bypass-governance-retention') === 'true';
    if (found?.until !== undefined && Date.parse(found.until) > Date.now() && !mayBypass)
      return refuse(response, 403, 'AccessDenied', 'Access Denied because object protected by object lock.');
    if (found) versions.splice(at, 1);
    response.status(204).end();
  }

  app.use((request, response) => {
    const serve = { PUT: put, HEAD: head, GET: get, DELETE: remove }[request.method];
    if (serve) serve(request, response);
    else refuse(response, 405, 'MethodNotAllowed', 'The method is not allowed');
  });
  const { url, close } = await listen(app);
  const bucket: LockServer['bucket'] = {
    ...{ bucket: 'seals', region: 'us-east-1', endpoint: url, accessKeyId: 'key', secretAccessKey: 'secret' },
    ...{ mode: 'COMPLIANCE', days: 400 },
  };
  const server: LockServer = { bucket, versions, objectLock: 'on', pageSize: 1_000, close };
  return server;
}

function refuse(response: Response, status: number, code: string, message: string): void {
  response.status(status).type('xml').send(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}
