/** The part of oidc-provider that the tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export interface Context {
    path: string;
    body: unknown;
    respond?: boolean;
    req: IncomingMessage;
    res: ServerResponse;
    oidc: {
      client?: { clientId: string };
      session?: { accountId?: string };
    };
  }

  export interface Grant {
    addOIDCScope: (scope: string) => void;
    save: () => Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    Grant: new (properties: { clientId: string | undefined; accountId: string | undefined }) => Grant;
    use: (middleware: (context: Context, next: () => Promise<void>) => Promise<void>) => void;
    callback: () => RequestListener;
    on: (event: string, listener: (...values: unknown[]) => void) => void;
    interactionFinished: (req: IncomingMessage, res: ServerResponse, result: object, options?: object) => Promise<void>;
  }
}
