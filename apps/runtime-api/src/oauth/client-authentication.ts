import { clientSecretMatches } from '@millwright/auth';
import { isJsonObject } from '@millwright/json';
import { OAuthError, requestOrigin, requireParameters, type RequestOrigin } from '@millwright/http/protocol';
import type { Request } from 'express';
import { readClientAssertion, type VerifyClientAssertion } from './client-assertions.js';
import type { FindClient } from './client-documents.js';
import type { Client, ClientStore } from './clients.store.js';

/** The parameters of a form. Only `resource` may be given more than once (RFC 8707 §2). */
export interface Form {
  values: Readonly<Record<string, string>>;
  resources: readonly string[];
}

/** A form, and the thumbprint of the key that the request's DPoP proof is signed with. */
export interface TokenForm extends Form {
  jkt: string | undefined;
}

/** The parameters of a form (RFC 6749 §3.2). @throws OAuthError invalid_request for a parameter that is given more than once */
export function requireForm(request: Request): Form {
  if (!request.is('application/x-www-form-urlencoded')) {
    throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
  }
  const body: unknown = request.body;
  const { resource, ...others } = isJsonObject(body) ? body : {};
  const resources = [resource ?? []].flat().filter((value) => typeof value === 'string');
  return { values: requireParameters(others, 'a parameter is repeated'), resources };
}

/** Converts the form of an authenticated client to URL parameters, the type in which the parameters of a browser's request are read. */
export const queryOf = ({ values, resources }: Form, { client_id }: Pick<Client, 'client_id'>): URLSearchParams =>
  new URLSearchParams([
    ...Object.entries({ ...values, client_id }),
    ...resources.map((resource): [string, string] => ['resource', resource]),
  ]);

export interface ClientAuthenticationOptions {
  clients: ClientStore;
  findClient: FindClient;
  verifyAssertion: VerifyClientAssertion;
}

/**
 * Authenticates the client of a request.
 * @throws OAuthError invalid_request when a request uses two methods; invalid_client when the client is unknown, refused, or not
 * authenticated
 */
export type AuthenticateClient = (request: Request, form: Form) => Promise<Client>;

/**
 * Authenticates a client by HTTP Basic, by the body, or by an assertion that the client's key signed. A request must not use two methods
 * (RFC 6749 §2.3). A public client sends only its id.
 */
export function createClientAuthentication(options: ClientAuthenticationOptions): AuthenticateClient {
  const { clients, verifyAssertion } = options;
  return async (request, form) => {
    const proof = readProof(request, form);
    const origin = requestOrigin(request);
    const refused = () =>
      new OAuthError('invalid_client', 'the client is unknown or did not prove itself', proof.isBasic);
    const { id, secret, assertion } = proof;
    if (!id || !CLIENT_ID.test(id)) throw refused();
    const client = await findByProof(options, proof, id, origin);
    if (!client) throw refused();
    const isProved = assertion === undefined ? provesItself(client, secret) : await verifyAssertion(client, assertion);
    if (!isProved) {
      await clients.recordWrongSecret(client, origin);
      throw refused();
    }
    const reason = whyRefused(client);
    if (reason === undefined) {
      clients.noteUse(client);
      return client;
    }
    await clients.recordRefusal(client, origin, reason);
    throw refused();
  };
}

interface Proof {
  id: string | undefined;
  secret?: string | undefined;
  assertion?: string;
  isBasic: boolean;
}

/** Reads the credential by which a request authenticates its client. @throws OAuthError invalid_request for several or malformed credentials */
function readProof(request: Request, form: Form): Proof {
  const { client_id: named, client_secret: secret } = form.values;
  const basic = basicCredentials(request.headers.authorization);
  const assertion = readClientAssertion(form);
  if ([basic, secret, assertion].filter((way) => way !== undefined).length > 1)
    throw new OAuthError('invalid_request', 'more than one way of client authentication was used');
  const proved = assertion ? assertion.clientId : basic?.id;
  if (named !== undefined && (assertion ?? basic) !== undefined && named !== proved)
    throw new OAuthError('invalid_request', 'client_id is another client than the one that authenticates');
  if (assertion) return { id: assertion.clientId, assertion: assertion.token, isBasic: false };
  return { id: basic?.id ?? named, secret: basic?.secret ?? secret, isBasic: basic !== undefined };
}

/**
 * Finds the client of a request. For an assertion, an expired document of the client is first read again, because a key that was removed
 * from the document must not be accepted.
 */
async function findByProof(
  { clients, findClient }: ClientAuthenticationOptions,
  { assertion }: Proof,
  id: string,
  { ip }: RequestOrigin,
): Promise<Client | undefined> {
  return assertion === undefined ? clients.find(id) : findClient(id, ip);
}

/** Form of a client id (RFC 6749 appendix A.1). Other ids are refused without a query. */
export const CLIENT_ID = /^[\x20-\x7e]{1,2000}$/;

function provesItself(client: Client, secret: string | undefined): boolean {
  if (client.auth_method === 'none') return secret === undefined || secret === '';
  if (client.auth_method === 'private_key_jwt') return false;
  return secret !== undefined && clientSecretMatches(secret, client);
}

/**
 * Why an authenticated client is refused; undefined when it is accepted. An expired document is no reason for a refusal, because the
 * document is read again at the client's next use.
 */
export function whyRefused({ revoked, expired, left_behind, kind, owner }: Client): string | undefined {
  if (revoked) return 'the client is revoked';
  if (expired && kind !== 'document')
    return kind === 'registered' ? 'the registration has expired' : 'the client has expired';
  if (left_behind) return 'the owner has left the project';
  return owner && owner.user_status !== 'active' ? 'the account is inactive' : undefined;
}

/** Reads HTTP Basic credentials. Id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
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
    return text; // the text is not form-encoded; it is used unchanged and matches no secret
  }
}
