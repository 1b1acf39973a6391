import { pipeline } from 'node:stream/promises';
import { AppError } from '@millwright/errors';
import type { Request, Response } from 'express';
import { isUnchanged } from './conditional.js';
import type { ByteRange, FileReply } from '../contract/contract.js';

/** Files come from users, so nothing in them may run in a browser, even when a file is opened instead of saved. */
const SAFE = { 'Content-Security-Policy': "default-src 'none'; sandbox", 'X-Content-Type-Options': 'nosniff' };

/** Sends bytes: all of them or one range (RFC 9110 §14). @throws AppError range_not_satisfiable for a range beyond the end of the file */
export async function sendFile(request: Request, response: Response, file: FileReply, tag: string): Promise<void> {
  response.set({ ...SAFE, ETag: tag, 'Accept-Ranges': 'bytes' });
  if (isUnchanged(request.headers['if-none-match'], tag)) {
    response.status(304).end();
    return;
  }
  const range = rangeOf(request, file.size, tag);
  const length = range ? range.end - range.start + 1 : file.size;
  // The bytes are opened before the answer starts, so that a failure is still answered with its own status.
  const bytes = request.method === 'HEAD' ? undefined : await file.open(range);
  response.attachment(file.name);
  // `set` would add a character set, but the character set is unknown.
  response.setHeader('Content-Type', file.type);
  response.setHeader('Content-Length', length);
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  if (bytes)
    await pipeline(bytes, response).catch(() => response.destroy()); // the answer has started, so no error can be sent
  else response.end();
}

/**
 * The requested range, when the request has exactly one. Several ranges may be ignored, and a range of another version
 * must be ignored (RFC 9110 §13.1.5, §14.2).
 */
function rangeOf({ method, headers }: Request, size: number, tag: string): ByteRange | undefined {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== tag)) return undefined;
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end) throw new AppError('range_not_satisfiable', { headers: { 'Content-Range': `bytes */${size}` } });
  return { start, end };
}
