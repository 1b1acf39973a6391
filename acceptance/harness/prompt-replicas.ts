import { randomBytes } from 'node:crypto';
import { createTestDatabase, freePort } from '@millwright/testing';
import { send } from './calls.js';
import { operator } from './operator.js';
import { createService, type Service } from './service.js';

export interface PromptReplicas {
  services: Service[];
  databaseUrl: string;
  /** A key with every scope. */
  apiKey: string;
  /** Calls one of the processes with the key. */
  call: <Body>(service: Service, path: string, options?: Parameters<typeof send>[1]) => ReturnType<typeof send<Body>>;
  /** Yields the text of an answer while it arrives. */
  open: (service: Service, path: string, body: object, signal?: AbortSignal) => Promise<AsyncIterable<string>>;
  stop(): Promise<void>;
}

/** Starts processes of the built prompt-api, without a gateway, on a new database. */
export async function startPromptReplicas(count: number, env: Record<string, string>): Promise<PromptReplicas> {
  const database = await createTestDatabase();
  const email = 'admin@localhost';
  const role = ['--role', 'admin', '--platform-admin'];
  await operator(database.url, 'users', 'create', '--email', email, '--name', 'Admin', ...role);
  const { key: apiKey = '' } = await operator(database.url, 'keys', 'create', '--user', email, '--name', 'acceptance');
  const secretsKeys = `acceptance:${randomBytes(32).toString('base64')}`;
  const services: Service[] = [];
  for (let n = 0; n < count; n += 1) {
    const ports = { port: await freePort(), adminPort: await freePort() };
    services.push(
      createService('prompt-api', ports, {
        DATABASE_URL: database.url,
        BASE_URL: 'http://localhost:8080',
        PROMPT_API_URL: `http://localhost:${ports.port}`,
        EGRESS_ALLOW_LOOPBACK: 'true',
        SECRETS_KEYS: secretsKeys,
        RATE_LIMIT_MULTIPLIER: '100000',
        ...env,
      }),
    );
  }
  await Promise.all(services.map((service) => service.start()));
  return {
    services,
    databaseUrl: database.url,
    apiKey,
    call: (service, path, options = {}) =>
      send(`${service.url}/v1${path}`, { ...options, headers: { 'api-key': apiKey, ...options.headers } }),
    async open(service, path, body, signal) {
      const { body: answer } = await fetch(`${service.url}/v1${path}`, {
        method: 'POST',
        headers: { 'api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
      if (!answer) throw new Error(`${path} answered without a body`);
      return answer.pipeThrough(new TextDecoderStream());
    },
    async stop() {
      await Promise.all(services.map((service) => service.terminate()));
      await database.drop();
    },
  };
}
