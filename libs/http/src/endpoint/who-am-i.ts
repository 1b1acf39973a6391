import { ProjectId } from '@millwright/auth/projects';
import { encodeId } from '@millwright/db';
import { z } from 'zod';
import { endpoint, route, type Route } from '../contract/contract.js';

const Identity = z
  .object({
    user: z
      .object({
        id: z.string().meta({ description: 'Id of the account' }),
        name: z.string().meta({ description: 'Name of the account' }),
        email: z.string().meta({ description: 'Address of the account' }),
      })
      .meta({ description: 'The account for which the credential acts' }),
    project: ProjectId.meta({ description: 'The only project that the credential reaches' }),
    roles: z.array(z.string()).meta({ description: 'Roles of the account' }),
    credential: z
      .object({
        kind: z
          .enum(['api_key', 'access_token', 'gateway_token', 'area_token', 'provisioning_token'])
          .meta({ description: 'Kind of the credential' }),
        plan: z.enum(['standard', 'professional']).meta({ description: 'Plan, which determines the rate limits' }),
      })
      .meta({ description: 'The credential of the request' }),
    scopes: z
      .array(z.string())
      .meta({ description: 'What the credential may do: its scopes that the account still has' }),
  })
  .meta({ title: 'Identity' });

const whoAmI = endpoint({
  operationId: 'whoAmI',
  method: 'GET',
  path: '/api/v1/whoami',
  summary: 'Read whose credential this is and what it may do',
  tag: 'Users',
  access: 'credential',
  limit: 'credential',
  success: { status: 200, description: 'Account, project and scopes of the credential', body: Identity },
  errors: [],
});

/** The endpoint `GET /api/v1/whoami`, for API keys and access tokens. */
export const whoAmIRoute = (): Route =>
  route(whoAmI, ({ principal: { user, project, roles, credential, scopes } }) =>
    Promise.resolve({
      body: {
        user: { ...user, id: encodeId('usr', user.id) },
        ...{ project, roles },
        credential: { kind: credential.kind, plan: credential.plan },
        scopes: [...scopes].sort(),
      },
    }),
  );
