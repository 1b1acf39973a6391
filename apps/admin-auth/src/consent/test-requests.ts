import { hashSecret, newOneTimeToken } from '@millwright/auth';
import { newId, type Database } from '@millwright/db';

export interface TestRequest {
  scopes?: string[];
  redirect_uri?: string;
  /** Milliseconds until the request expires. */
  expires?: number;
  prompt?: string[];
  max_age?: number;
}

const bytes = (text: string) => new Uint8Array(hashSecret(text));

/** Stores an authorization request as the runtime API does. @returns the `request` parameter of its consent page */
export async function storeRequest(
  db: Database,
  client_id: string,
  { expires = 600_000, scopes = ['agents:read'], redirect_uri = 'https://app.example/cb', ...more }: TestRequest = {},
): Promise<string> {
  const request = newOneTimeToken();
  await db.prisma.oAuthAuthorization.create({
    data: {
      ...{ id: newId(), client_id, redirect_uri, scopes, resources: [], ...more },
      ...{ request_hash: bytes(request), browser_hash: bytes(newOneTimeToken()) },
      expires_at: new Date(Date.now() + expires),
    },
  });
  return request;
}

/** Reads the row of a request. */
export const requestRow = (db: Database, request: string) =>
  db.prisma.oAuthAuthorization.findUniqueOrThrow({ where: { request_hash: bytes(request) } });
