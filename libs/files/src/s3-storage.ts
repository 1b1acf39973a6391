import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { BATCH, isFileId, NoSuchFile, type FileStorage } from './file-storage.js';

export interface S3Options {
  bucket: string;
  region: string;
  /** The address of a server that is compatible with S3; undefined for AWS. */
  endpoint?: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The prefix of all keys of the installation. */
const PREFIX = 'files/';

/** Stores files as objects of a bucket. */
export function createS3Storage({ bucket: Bucket, region, endpoint, ...credentials }: S3Options): FileStorage {
  const client = new S3Client({
    region,
    credentials,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // Some servers refuse checksums in trailers. Instead, Content-MD5 or the signature protects the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const keyOf = (id: string) => PREFIX + id;

  return {
    async write(id, bytes) {
      // At most two parts of 5 MiB are in memory at a time.
      const upload = new Upload({ client, params: { Bucket, Key: keyOf(id), Body: bytes }, queueSize: 2 });
      let broken: Error | undefined;
      bytes.once('error', (error) => (broken = error));
      try {
        await upload.done();
      } catch (error) {
        throw broken ?? error; // when the abort fails too, the cause of the failure is still thrown
      }
    },

    async check() {
      await client.send(new ListObjectsV2Command({ Bucket, Prefix: PREFIX, MaxKeys: 1 }));
    },

    async read(id, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const { Body } = await client
        .send(new GetObjectCommand({ Bucket, Key: keyOf(id), Range }))
        .catch((error: unknown) => {
          throw error instanceof NoSuchKey ? new NoSuchFile(id, error) : error;
        });
      return Body as Readable; // in Node.js the body is always a Readable
    },

    async remove(ids) {
      for (let at = 0; at < ids.length; at += BATCH) {
        const Objects = ids.slice(at, at + BATCH).map((id) => ({ Key: keyOf(id) }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        if (Errors.length > 0) throw new Error(`${Errors.length} objects stay: ${Errors[0]?.Code ?? ''}`);
      }
    },

    async *list(before) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: PREFIX })) {
        const old = Contents.filter(({ LastModified }) => LastModified !== undefined && LastModified < before);
        const ids = old.map(({ Key = '' }) => Key.slice(PREFIX.length)).filter(isFileId);
        if (ids.length > 0) yield ids;
      }
    },

    async removeBegun(before) {
      let removed = 0;
      for await (const { Key = '', UploadId, Initiated } of begunUploads(client, Bucket)) {
        if (!isFileId(Key.slice(PREFIX.length)) || !Initiated || Initiated >= before) continue;
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(unlessGone);
        removed += 1;
      }
      return removed;
    },

    close: () => client.destroy(),
  };
}

/** Ignores the error when another process has already aborted the upload. */
function unlessGone(error: unknown): void {
  if ((error as Error).name !== 'NoSuchUpload') throw error;
}

/** Lists unfinished multipart uploads. */
async function* begunUploads(client: S3Client, Bucket: string): AsyncIterable<MultipartUpload> {
  let page: Partial<ListMultipartUploadsCommandOutput> = {};
  do {
    const from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    page = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: PREFIX, ...from }));
    yield* page.Uploads ?? [];
  } while (page.IsTruncated);
}
