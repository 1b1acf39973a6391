import { rolesOf } from '@millwright/auth';
import { ACTORS_MAX, parseOutsideActors } from '@millwright/auth/actors';
import { isIdentityScope } from '@millwright/auth/identity-scopes';
import { OAuthError, type RequestOrigin } from '@millwright/http/protocol';
import type { AssertionUserStore } from './assertion-users.store.js';
import type { AssertionStore } from './assertions.store.js';
import { CLOCK_SKEW_S } from './client-assertions.js';
import type { Form } from './client-authentication.js';
import type { Client, ClientStore } from './clients.store.js';
import { isDelegable, type Grant, type GrantStore } from './grants.store.js';
import type { VerifyIdAssertion } from './id-assertions.js';
import { narrowedResources, parseResources } from './resources.js';
import { clientScopes, grantScopes, MCP_SCOPES, narrowedScopes } from './scopes.js';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface JwtBearerOptions {
  clients: Pick<ClientStore, 'recordRefusal'>;
  grants: Pick<GrantStore, 'openOrReuse'>;
  users: AssertionUserStore;
  assertions: AssertionStore;
  verifyIdAssertion: VerifyIdAssertion;
  runtimeUrl: string;
}

const CHAIN_REFUSED = `the claim act is malformed, larger than 4096 bytes, or names more than ${ACTORS_MAX - 1} actors`;

const words = (scope: string) => scope.split(' ').filter((one) => one !== '');

/**
 * JWT bearer grant (RFC 7523 §2.1) with an ID-JAG. An ID-JAG is an assertion with which an identity provider allows a client to act for one
 * of its users. The token has only scopes that the assertion, the client and the user all have.
 */
export function createJwtBearer({
  clients,
  grants,
  users,
  assertions,
  verifyIdAssertion,
  runtimeUrl,
}: JwtBearerOptions) {
  return async (client: Client, origin: RequestOrigin, { values, resources }: Form): Promise<Grant> => {
    const { owner } = client;
    if (!owner || client.auth_method === 'none')
      throw new OAuthError('unauthorized_client', 'only confidential clients made in Settings may use this grant type');
    const { assertion: token } = values;
    if (!token) throw new OAuthError('invalid_request', 'assertion is missing');
    const asked = parseResources(resources, runtimeUrl);
    const refuse = async (reason: string, description = 'the assertion is not valid'): Promise<never> => {
      await clients.recordRefusal(client, origin, reason);
      throw new OAuthError('invalid_grant', description);
    };
    const claims = await verifyIdAssertion(token);
    if (!claims) return refuse('the assertion is not valid');
    if (claims.client_id !== client.client_id) return refuse('the assertion is for another client');
    const act = parseOutsideActors(claims.act, claims.iss);
    if (claims.act !== undefined && !act) return refuse('the chain of actors is not accepted', CHAIN_REFUSED);
    const user = await users.find(claims.iss, claims.sub, owner.project);
    if (!user) return refuse('the assertion names no active account of the project');
    // The token has no scope of OpenID Connect, because the user has not signed in at this installation.
    const ofAssertion =
      claims.scope === undefined ? MCP_SCOPES : words(claims.scope).filter((scope) => !isIdentityScope(scope));
    const delegable = act ? ofAssertion.filter(isDelegable) : ofAssertion;
    const scopes = narrowedScopes(values['scope'], grantScopes(delegable, clientScopes(client), rolesOf(user)));
    const granted = parseResources([claims.resource ?? []].flat(), runtimeUrl);
    const narrowed = narrowedResources(asked, granted);
    // This check is the last one, so that an invalid request does not consume the assertion.
    if (!(await assertions.use(claims.iss, claims.jti, new Date((claims.exp + CLOCK_SKEW_S) * 1_000))))
      return refuse('the assertion was used before');
    const { project } = owner;
    const { grantId } = await grants.openOrReuse(client, origin, {
      ...{ user, project, kind: 'assertion', scopes, resources: narrowed },
    });
    return { grantId, userId: user.user_id, scopes, resources: narrowed, act };
  };
}
