import { recordAction } from '@millwright/audit';
import { rolesOf, type NewToken, type TokenClaims } from '@millwright/auth';
import { actorName, actorsOf, ACTORS_MAX } from '@millwright/auth/actors';
import { AGENT_TOKEN_SECONDS, type AgentTokenClaims } from '@millwright/auth/agent-tokens';
import { encodeId, type Database } from '@millwright/db';
import { OAuthError, type RequestOrigin } from '@millwright/http/protocol';
import type { AgentTokenIssuer } from '@millwright/mcp/agent-tokens';
import { HopRefused, isLiveDelegation, requireLiveHop, type Hop } from '@millwright/mcp/agent-hops';
import type { TokenForm } from './client-authentication.js';
import type { Client, ClientStore } from './clients.store.js';
import type { ExchangeStore } from './exchange.store.js';
import { isDelegable, type GrantStore } from './grants.store.js';
import { parseResources } from './resources.js';
import { clientScopes, grantScopes, narrowedScopes } from './scopes.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const TOKEN_TYPES: ReadonlySet<string> = new Set([ACCESS_TOKEN, 'urn:ietf:params:oauth:token-type:jwt']);

export interface ExchangeOptions {
  db: Database;
  clients: Pick<ClientStore, 'recordRefusal'>;
  grants: Pick<GrantStore, 'findPrincipal' | 'openOrReuse'>;
  targets: ExchangeStore;
  /** Returns the claims of an access token of this server. The token may have any audience. */
  verify: (token: string) => Promise<TokenClaims | undefined>;
  /** Verifies a call token, and returns its claims. */
  verifyAgentToken: (token: string) => Promise<AgentTokenClaims | undefined>;
  agentTokenIssuer: AgentTokenIssuer;
  sign: (token: NewToken) => string;
  runtimeUrl: string;
}

export interface ExchangeResponse {
  access_token: string;
  issued_token_type: typeof ACCESS_TOKEN;
  token_type: 'Bearer' | 'DPoP';
  expires_in: number;
  scope: string;
}

interface Request {
  subjectToken: string;
  /** The only audience for which a token can be exchanged. */
  target: string;
  scope: string | undefined;
  /** Thumbprint of the key that the client proved to hold. */
  jkt: string | undefined;
}

/**
 * Token exchange (RFC 8693). A server that received a call token exchanges it for a token of the next hop. A client exchanges its own
 * access token for a token with fewer rights. Only clients created in Settings may exchange tokens.
 */
export function createTokenExchange(options: ExchangeOptions) {
  const { clients, verify, verifyAgentToken } = options;

  return async (client: Client, origin: RequestOrigin, form: TokenForm): Promise<ExchangeResponse> => {
    if (!client.owner || client.auth_method === 'none')
      throw new OAuthError('unauthorized_client', 'only confidential clients made in Settings may use this grant type');
    const request = readRequest(form);
    const call = await verifyAgentToken(request.subjectToken);
    const token = call ? undefined : await verify(request.subjectToken);
    const reason = call || token ? notIts(client, request, call, token) : 'the subject token is not valid';
    if (reason !== undefined) {
      await clients.recordRefusal(client, origin, reason);
      throw refused(reason);
    }
    return call ? forNextHop(options, client, origin, request, call) : narrower(options, client, request, token);
  };
}

/** Reads the parameters. @throws OAuthError invalid_target unless there is exactly one target; invalid_request for other faults */
function readRequest({ values, resources, jkt }: TokenForm): Request {
  const { subject_token: subjectToken, subject_token_type: type, requested_token_type: wanted = ACCESS_TOKEN } = values;
  if (!subjectToken || type === undefined) throw refused('subject_token and subject_token_type are required');
  if (!TOKEN_TYPES.has(type) || !TOKEN_TYPES.has(wanted)) throw refused('only access tokens are exchanged');
  if ((values['actor_token'] ?? values['actor_token_type']) !== undefined)
    throw refused('actor_token is not supported: the client that asks is the actor');
  const targets = [...new Set([...resources, ...[values['audience'] ?? []].flat()])];
  const [target] = targets;
  if (target === undefined || targets.length > 1)
    throw new OAuthError('invalid_target', 'name one audience or resource');
  return { subjectToken, target, scope: values['scope'], jkt };
}

const refused = (reason: string) => new OAuthError('invalid_request', reason);

/**
 * Returns why a client may not exchange a token; undefined when it may. One reason is a token of another client whose `may_act` does not
 * name this client (RFC 8693 §4.4). The other reason is a token that is bound to a key which the client does not prove.
 */
function notIts(
  { client_id: id }: Client,
  { jkt }: Request,
  call: AgentTokenClaims | undefined,
  token: TokenClaims | undefined,
): string | undefined {
  const mayAct = call ? call.may_act?.sub === id : token?.client_id === id;
  if (!mayAct) return 'the subject token may not be exchanged by this client';
  const isHolder = token?.cnf === undefined || token.cnf.jkt === jkt;
  return isHolder ? undefined : 'the subject token is bound to a key, of which the request has no proof';
}

const words = (scope = '') => scope.split(' ').filter((one) => one !== '');

/**
 * Issues a call token for another registered server, or an access token of this installation. The server that received the subject
 * token is added to the chain of actors.
 */
async function forNextHop(
  options: ExchangeOptions,
  client: Client,
  origin: RequestOrigin,
  request: Request,
  subject: AgentTokenClaims,
): Promise<ExchangeResponse> {
  const { db, clients, targets, agentTokenIssuer, runtimeUrl } = options;
  const { target, scope: wanted } = request;
  const { sub, project, txn, scope: had, act: former, exp } = subject;
  const found = await targets.findTarget(project, target);
  // A registered server is not this installation, even when its URL begins with the URL of this installation.
  const isHere = !found && (target === runtimeUrl || target.startsWith(`${runtimeUrl}/`));
  const refuse = async (reason: string): Promise<never> => {
    await clients.recordRefusal(client, origin, reason);
    throw refused(reason);
  };
  // Leaves room for one more actor, because the agent of this installation that is called with the token is also added to the chain.
  const most = isHere ? ACTORS_MAX - 1 : ACTORS_MAX;
  if (actorsOf(former).length >= most) return refuse(`the chain of actors may name ${most} at most`);
  const hop: Hop = txn === undefined ? { userId: sub, project, clientId: subject.client_id } : { runId: txn };
  const isLive = await requireLiveHop(db, hop).then(
    ({ userId }) => userId === sub,
    (error: unknown) => {
      if (error instanceof HopRefused) return false;
      throw error;
    },
  );
  if (!isLive || !(await isLiveDelegation(db, former ? { act: former } : {})))
    return refuse('the user, an agent, a client or the run of the subject token is not active');
  if (isHere) return forThisInstallation(options, client, origin, request, subject);
  if (!found)
    throw new OAuthError('invalid_target', 'no registered server of the project takes tokens at this address');
  const ofSubject = new Set(words(had));
  const allowed = new Set(words(found.scope ?? '').filter((one) => ofSubject.has(one)));
  const scope = narrowedScopes(wanted, allowed).join(' ');
  const act = { sub: client.client_id, ...(former && { act: former }) };
  await recordAction(db, {
    actor: { userId: sub, kind: 'mcp', label: client.name, ...origin },
    action: 'oauth_token.exchange',
    resource: encodeId('cli', client.id),
    project,
    detail: { target: found.name, actors: actorsOf(act).map(actorName), scope, ...(txn !== undefined && { run: txn }) },
  });
  const expires_in = Math.min(AGENT_TOKEN_SECONDS, exp - Math.floor(Date.now() / 1_000));
  const access_token = agentTokenIssuer.sign(
    {
      ...{ iss: agentTokenIssuer.issuer, sub, aud: target, project, act, client_id: client.client_id },
      ...(txn !== undefined && { txn }),
      ...(found.client_id !== null && { may_act: { sub: found.client_id } }),
      ...(scope !== '' && { scope }),
    },
    expires_in,
  );
  return { access_token, issued_token_type: ACCESS_TOKEN, token_type: 'Bearer', expires_in, scope };
}

/**
 * Issues an access token of this installation for the user of a call. The token has only scopes that the subject token, the client and the
 * user all have. It keeps the actors of the subject token.
 */
async function forThisInstallation(
  { db, clients, grants, targets, sign, runtimeUrl }: ExchangeOptions,
  client: Client,
  origin: RequestOrigin,
  { target, scope: wanted, jkt }: Request,
  { sub, project, txn, scope: had, act: former, exp }: AgentTokenClaims,
): Promise<ExchangeResponse> {
  const [resource = runtimeUrl] = parseResources([target], runtimeUrl);
  const user = await targets.findUser(sub, project);
  if (!user || client.owner?.project !== project) {
    const reason = 'the user or the client does not work in the project of the subject token';
    await clients.recordRefusal(client, origin, reason);
    throw refused(reason);
  }
  const allowed = grantScopes(words(had).filter(isDelegable), clientScopes(client), rolesOf(user));
  const scopes = narrowedScopes(wanted, allowed);
  if (scopes.length === 0)
    throw new OAuthError('invalid_scope', 'the subject token and the client share no scope of this installation');
  const opened = { user, project, kind: 'exchange', scopes, resources: [resource] } as const;
  const { grantId } = await grants.openOrReuse(client, origin, opened);
  const act = { sub: client.client_id, ...(former && { act: former }) };
  await recordAction(db, {
    actor: { userId: sub, kind: 'mcp', label: client.name, ...origin },
    action: 'oauth_token.exchange',
    resource: encodeId('cli', client.id),
    project,
    detail: {
      ...{ target: resource, actors: actorsOf(act).map(actorName), scope: scopes.join(' '), grant: grantId },
      ...(txn !== undefined && { run: txn }),
    },
  });
  const expires_in = Math.min(AGENT_TOKEN_SECONDS, exp - Math.floor(Date.now() / 1_000));
  const scope = scopes.join(' ');
  const access_token = sign({
    ...{ issuer: runtimeUrl, audience: resource, subject: sub, scope, sid: grantId },
    ...{ clientId: client.client_id, expiresIn: expires_in, jkt, act, txn },
  });
  const token_type = jkt === undefined ? 'Bearer' : 'DPoP';
  return { access_token, issued_token_type: ACCESS_TOKEN, token_type, expires_in, scope };
}

/** Issues an access token of the same grant for one resource, with the same or fewer scopes and the expiry of the original token. */
async function narrower(
  { grants, sign, runtimeUrl }: ExchangeOptions,
  client: Client,
  { target, scope: wanted, jkt }: Request,
  subject: TokenClaims | undefined,
): Promise<ExchangeResponse> {
  const principal = subject && (await grants.findPrincipal(subject));
  if (!principal) throw refused('the subject token is not valid');
  const [resource = runtimeUrl] = parseResources([target], runtimeUrl);
  const had = [subject.aud].flat();
  if (!had.includes(runtimeUrl) && !had.includes(resource))
    throw new OAuthError('invalid_target', 'the subject token is not for this resource');
  const scope = narrowedScopes(wanted, principal.scopes).join(' ');
  const expires_in = subject.exp - Math.floor(Date.now() / 1_000);
  const access_token = sign({
    ...{ issuer: runtimeUrl, audience: resource, subject: subject.sub, scope, sid: subject.sid },
    ...{ clientId: client.client_id, expiresIn: expires_in, jkt, act: subject.act, txn: subject.txn },
  });
  const token_type = jkt === undefined ? 'Bearer' : 'DPoP';
  return { access_token, issued_token_type: ACCESS_TOKEN, token_type, expires_in, scope };
}
