import type { SignAgentToken } from '@millwright/auth/agent-tokens';
import type { Database } from '@millwright/db';
import { requireLiveHop, type Hop } from './agent-hops.store.js';
import type { AgentTokenAuth } from './server-auth.js';

/** The issuer of the tokens that this installation sends with its calls to other servers, and the function that signs these tokens. */
export interface AgentTokenIssuer {
  /** Value of `iss`: the URL at which the keys are published. */
  issuer: string;
  sign: SignAgentToken;
}

/**
 * Issues a new token for each call. Tokens are not cached, so that no further token names a disabled user, agent or client.
 *
 * @throws HopRefused when the user, an agent or the client of the call is not active
 */
export function createAgentTokens({ db, issuer, sign }: AgentTokenIssuer & { db: Database }) {
  return async (
    hop: Hop,
    audience: string,
    { client_id, scope }: Pick<AgentTokenAuth, 'client_id' | 'scope'> = {},
  ): Promise<string> => {
    const { userId, project, act, clientId, txn } = await requireLiveHop(db, hop);
    return sign({
      ...{ iss: issuer, sub: userId, aud: audience, project },
      ...(act && { act }),
      ...(txn !== undefined && { txn }),
      ...(clientId !== undefined && { client_id: clientId }),
      ...(client_id !== undefined && { may_act: { sub: client_id } }),
      ...(scope !== undefined && { scope }),
    });
  };
}
export type AgentTokens = ReturnType<typeof createAgentTokens>;
