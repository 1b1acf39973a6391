import type { SecretBox } from '@millwright/secrets';
import type { Database } from '@millwright/db';
import type { Egress } from '@millwright/egress';
import type { Gate } from '@millwright/http';
import type { Logger } from '@millwright/http/process';
import type { RequestHandler } from 'express';
import { createAuthorizationStore } from '../oauth/authorizations.store.js';
import { createClientStore } from '../oauth/clients.store.js';
import { connectionEndpoint } from './connections.endpoint.js';
import { createConnectionStore } from './connections.store.js';
import { createDiscovery } from './discovery.js';
import { createRequestStore } from './requests.store.js';
import { createUpstreamClients } from './upstream-clients.js';

export interface ConnectionOptions {
  db: Database;
  gate: Gate;
  egress: Pick<Egress, 'fetch' | 'checkUrl'>;
  /** Encrypts the tokens of users' connections. */
  secretBox: SecretBox;
  runtimeUrl: string;
  baseUrl: string;
  /** Issuers of authorization servers whose endpoints may be at different origins. */
  trustedIssuers: readonly string[];
  logger: Logger;
  /** Called when a user has connected an account. */
  onConnected: () => void;
}

/** Assembles the pages on which users connect accounts to MCP servers. */
export function connectionEndpoints(options: ConnectionOptions): RequestHandler[] {
  const { db, egress, secretBox, runtimeUrl, trustedIssuers } = options;
  return [
    connectionEndpoint({
      ...options,
      clients: createClientStore(db),
      authorizations: createAuthorizationStore(db),
      requests: createRequestStore(db, secretBox),
      connections: createConnectionStore(db, secretBox),
      upstreamClients: createUpstreamClients({ db, fetch: egress.fetch, secretBox, runtimeUrl }),
      discover: createDiscovery(egress, { db, fetch: egress.fetch, secrets: secretBox }, trustedIssuers),
    }),
  ];
}
