import { clientSecretMatches } from '@millwright/auth';
import { isJsonObject } from '@millwright/json';
import { OAuthError, requireParameters, type RequestOrigin } from '@millwright/http/protocol';
import type { Request } from 'express';
import type { Client, ClientStore } from './clients.store.js';

/** The parameters of a form, each given once; `resource` may repeat (RFC 8707 §2). */
export interface Form {
  values: Readonly<Record<string, string>>;
  resources: readonly string[];
}

/** The parameters of a form, each given once (RFC 6749 §3.2). @throws OAuthError invalid_request */
export function requireForm(request: Request): Form {
  if (!request.is('application/x-www-form-urlencoded')) {
    throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
  }
  const body: unknown = request.body;
  const { resource, ...others } = isJsonObject(body) ? body : {};
  const resources = [resource ?? []].flat().filter((value) => typeof value === 'string');
  return { values: requireParameters(others, 'a parameter is repeated'), resources };
}

/**
 * The client of a request: by HTTP Basic or by the body, never both (RFC 6749 §2.3.1). A public client gives only its id.
 *
 * @throws OAuthError invalid_request, invalid_client
 */
export async function authenticateClient(
  clients: ClientStore,
  request: Request,
  origin: RequestOrigin,
  { values }: Form,
): Promise<Client> {
  const basic = basicCredentials(request.headers.authorization);
  if (basic && values['client_secret'] !== undefined) {
    throw new OAuthError('invalid_request', 'more than one way of client authentication was used');
  }
  if (basic && values['client_id'] !== undefined && values['client_id'] !== basic.id) {
    throw new OAuthError('invalid_request', 'the body names another client than the Authorization header');
  }
  const id = basic?.id ?? values['client_id'];
  const secret = basic?.secret ?? values['client_secret'];
  const refused = new OAuthError('invalid_client', 'the client is unknown or its secret is wrong', basic !== undefined);
  if (!id || !CLIENT_ID.test(id)) throw refused;
  const client = await clients.find(id);
  if (!client) throw refused;
  if (!provesItself(client, secret)) {
    await clients.recordWrongSecret(client, origin);
    throw refused;
  }
  const reason = whyRefused(client);
  if (reason === undefined) {
    clients.noteUse(client);
    return client;
  }
  await clients.recordRefusal(client, origin, reason);
  throw refused;
}

/** RFC 6749 appendix A.1. An id of another form is refused without a query. */
export const CLIENT_ID = /^[\x20-\x7e]{1,2000}$/;

function provesItself(client: Client, secret: string | undefined): boolean {
  if (client.auth_method === 'none') return secret === undefined || secret === '';
  return secret !== undefined && clientSecretMatches(secret, client);
}

/** The reason why an authenticated client is refused. An expired document is no reason: it is read again at its next use. */
export function whyRefused({ revoked, expired, left_behind, kind, owner }: Client): string | undefined {
  if (revoked) return 'the client is revoked';
  if (expired && kind === 'registered') return 'the registration has expired';
  if (left_behind) return 'the owner has left the project';
  return owner && owner.user_status !== 'active' ? 'the account is inactive' : undefined;
}

/** Both halves are form-encoded before they are joined (RFC 6749 §2.3.1). */
function basicCredentials(header: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { id: formDecode(id), secret: formDecode(rest.join(':')) };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // not form-encoded: the text is used unchanged, and matches no secret
  }
}
