import { newId } from '@millwright/db';
import { quotaRefusal } from '@millwright/db/quotas';
import { AppError } from '@millwright/errors';
import type { FileStorage } from '@millwright/files';
import { route, type Route } from '@millwright/http';
import * as contract from './files.contract.js';
import type { FileStore } from './files.store.js';

export interface FileService {
  storage: FileStorage;
  /** The largest accepted file, in bytes. */
  maxBytes: number;
}

/**
 * Routes of files. The bytes of a file are stored before its row and removed after it, so that every row has its bytes. The sweep removes bytes
 * without a row.
 */
export function fileRoutes(files: FileStore, { storage, maxBytes }: FileService): Route[] {
  /** Removes bytes without a row. When this fails, the sweep removes them later. */
  const discard = (uuids: Iterable<string>) => storage.remove([...uuids]).catch(() => undefined);

  return [
    route(contract.uploadFile, async ({ caller, receive, commit }) => {
      const uuid = newId();
      const rowless = new Set([uuid]);
      try {
        const upload = await receive((bytes) => storage.write(uuid, bytes), maxBytes);
        return await commit(async (tx) => {
          rowless.delete(uuid); // from this line on, the row may exist, even if the commit seems to fail
          const { record, version } = await files.create(tx, caller, uuid, upload);
          return { body: record, version, headers: { Location: `/api/v1/files/${record.id}` } };
        });
      } catch (error) {
        if (quotaRefusal(error)) rowless.add(uuid); // after this refusal, the transaction was certainly rolled back
        throw error;
      } finally {
        await discard(rowless);
      }
    }),

    route(contract.listFiles, async ({ caller, query }) => ({ body: await files.list(caller.project, query) })),

    route(contract.getFile, async ({ caller, params }) => {
      const found = await files.find(caller.project, params.file_id);
      if (!found) throw new AppError('not_found');
      const { record, uuid, version } = found;
      const name = record.path.split('/').at(-1) ?? record.id;
      const open = async (range?: { start: number; end: number }) => {
        try {
          return await storage.read(uuid, range);
        } catch (error) {
          // When the row is missing as well, the file was deleted meanwhile. A row without bytes is a fault.
          if (!(await files.find(caller.project, params.file_id))) throw new AppError('not_found');
          throw error;
        }
      };
      return { body: record, version, file: { type: record.content_type, size: record.size, name, open } };
    }),

    route(contract.deleteFile, async ({ caller, params: { file_id: id }, ifMatch, commit }) => {
      const removed: string[] = [];
      const reply = await commit(async (tx) => {
        removed.push(await files.remove(tx, caller, { id, ifMatch }));
        return { body: { id } };
      });
      await discard(removed);
      return reply;
    }),
  ];
}
