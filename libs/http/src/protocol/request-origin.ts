import type { Request } from 'express';
import { requestIdOf } from '../process/request-id.js';

/** The origin of a request, for the audit log. */
export interface RequestOrigin {
  requestId: string;
  /** The client's address, as far as the trusted proxies report it. */
  ip: string;
}

export function requestOrigin(request: Request): RequestOrigin {
  return { requestId: requestIdOf(request), ip: request.ip ?? '' };
}
