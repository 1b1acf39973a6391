import { createPublicKey, verify } from 'node:crypto';
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import {
  createFakeModel,
  createTestDatabase,
  type FakeModel,
  type HttpClient,
  type TestDatabase,
} from '@millwright/testing';
import { RUNTIME_URL, startRuntime, type TestRuntime } from '../test-runtime.js';
import { CardForm } from './test-card-form.js';

const DEFAULT = '/.well-known/agent-card.json';
const ALL = '/.well-known/agent-cards';
const V1 = { 'a2a-version': '1.0' };

let database: TestDatabase;
let model: FakeModel;
let runtime: TestRuntime;
let get: (path: string, headers?: Record<string, string>) => ReturnType<HttpClient>;

beforeAll(async () => {
  [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  runtime = await startRuntime(database.url, model.url);
  get = (path, headers = {}) => runtime.as()('GET', path, { headers });
});
/** The tests silence `console.debug`, because the SDK's verifier logs each invalid signature there. */
const { debug } = console;
beforeAll(() => void (console.debug = () => undefined));
afterAll(async () => {
  console.debug = debug;
  await runtime.close();
  await Promise.all([database.drop(), model.close()]);
});
afterEach(async () => {
  await runtime.db.prisma.agent.deleteMany();
  await runtime.db.prisma.skill.deleteMany();
});

const scribe = {
  name: 'Scribe',
  description: 'Writes minutes.',
  instructions: 'the secret of the house',
  skills: [
    {
      name: 'Minutes',
      description: 'Short minutes',
      instructions: 'a secret too',
      parameters: { tone: { type: 'string' } },
    },
    { name: 'Idle', status: 'inactive' as const },
  ],
};
const modesOf = async (name: string) => (await card(`${ALL}/${name}`)).defaultInputModes;
const namesOf = ({ body }: { body: unknown }) => (body as { name: string }[]).map(({ name }) => name);
const card = async (path: string) => CardForm.parse((await get(path, V1)).body);

/** Formats a value of a card (text, boolean, list or object) in the canonical form of RFC 8785. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}

async function keyOf(kid: string) {
  const { keys } = (await get('/.well-known/jwks.json')).body as { keys: { kid: string }[] };
  const jwk = keys.find((key) => key.kid === kid);
  return createPublicKey({ key: jwk ?? {}, format: 'jwk' });
}

describe('the card of an agent whose address is known', () => {
  it.each(['', '/'])('is found by the SDK when the known address ends in a2a%s', async (end) => {
    await runtime.newAgent(scribe);
    const address = `${RUNTIME_URL}/api/v1/agents/scribe/a2a${end}`;
    const fetched: string[] = [];
    const fetchImpl: typeof fetch = async (url) => {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      fetched.push(pathname);
      const { status, body } = await get(pathname, V1);
      return Response.json(body, { status });
    };
    const found = await new DefaultAgentCardResolver({ fetchImpl }).resolve(address);
    expect(found.name).toBe('Scribe');
    const appended = `${new URL(address).pathname.replace(/\/$/, '')}/.well-known/agent-card.json`;
    expect(await card(appended)).toEqual(await card(`${ALL}/scribe`));
    expect(fetched).toHaveLength(1);
  });

  it('is not found when the agent is not published', async () => {
    await runtime.newAgent(scribe);
    await runtime.db.prisma.agent.updateMany({ data: { published: false } });
    for (const below of ['', '/a2a'])
      for (const name of ['scribe', '%ff'])
        expect((await get(`/api/v1/agents/${name}${below}/.well-known/agent-card.json`)).status).toBe(404);
  });
});

describe('an agent’s card', () => {
  it("has all fields that A2A 1.0 requires and no unknown fields, both by the agent's name and as the default card", async () => {
    await runtime.newAgent(scribe);
    const byName = await card(`${ALL}/scribe`);
    const url = `${RUNTIME_URL}/api/v1/agents/scribe/a2a`;
    expect(byName).toMatchObject({
      name: 'Scribe',
      description: 'Writes minutes.',
      version: '1',
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
      ],
      capabilities: {
        ...{ streaming: true, pushNotifications: true, extendedAgentCard: false },
        extensions: [{ uri: 'https://kagent.dev/extensions/hitl/v1' }],
      },
      skills: [
        {
          id: expect.stringMatching(/^sk_/) as string,
          name: 'Minutes',
          description: 'Short minutes',
          tags: ['minutes'],
        },
      ],
    });
    expect(await card(DEFAULT)).toEqual(byName);
    expect(CardForm.array().parse((await get(ALL)).body)).toEqual([byName]);
  });

  it('contains no instructions, parameters, models or projects', async () => {
    await runtime.newAgent({ ...scribe, model: 'other', content_tags: ['minutes'] });
    for (const path of [DEFAULT, ALL, `${ALL}/scribe`])
      for (const headers of [{}, V1]) {
        const { text } = await get(path, headers);
        for (const word of ['secret', 'tone', 'other', 'Core', 'content_tags', 'Idle'])
          expect(text).not.toContain(word);
      }
  });

  it("lists image types as input modes only when the agent's model reads images (the default model for an agent without a model)", async () => {
    await runtime.newAgent({ name: 'Looker', model: 'seeing' });
    await runtime.newAgent({ name: 'Blind', model: 'house' });
    await runtime.newAgent({ name: 'Plain' });
    await runtime.newAgent({ name: 'Gone', model: 'no-such-model' });
    const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
    expect(await modesOf('looker')).toEqual(['text/plain', ...images]);
    for (const name of ['blind', 'plain', 'gone']) expect(await modesOf(name)).toEqual(['text/plain']);
  });

  it('is complete for an agent without description or skills', async () => {
    await runtime.newAgent({ name: 'Bare', skills: [{ name: '!?' }] });
    await runtime.newAgent({ name: 'Barest' });
    expect(await card(`${ALL}/bare`)).toMatchObject({
      description: 'Bare',
      skills: [{ description: '!?', tags: ['skill'] }],
    });
    expect(await card(`${ALL}/barest`)).toMatchObject({ skills: [{ id: 'chat', name: 'Barest', tags: ['chat'] }] });
  });

  it('names the OAuth flows of the authorization server', async () => {
    await runtime.newAgent(scribe);
    const { securitySchemes } = await card(DEFAULT);
    const metadata = (await get('/.well-known/oauth-authorization-server')).body as Record<string, string>;
    const { oauth, client } = securitySchemes;
    expect(oauth?.oauth2SecurityScheme.flows).toEqual({
      authorizationCode: {
        authorizationUrl: metadata['authorization_endpoint'],
        tokenUrl: metadata['token_endpoint'],
        refreshUrl: metadata['token_endpoint'],
        scopes: { 'agents:message': 'Send messages to agents' },
        pkceRequired: true,
      },
    });
    expect(client?.oauth2SecurityScheme.flows).toMatchObject({
      clientCredentials: { tokenUrl: metadata['token_endpoint'] },
    });
  });

  it('has a signature over its canonical JSON, with the address of the JWKS that publishes the key', async () => {
    await runtime.newAgent(scribe);
    const { signatures, ...unsigned } = await card(DEFAULT);
    const [signature] = signatures;
    const header = JSON.parse(Buffer.from(signature?.protected ?? '', 'base64url').toString()) as Record<
      string,
      string
    >;
    const { kid, jku } = { kid: runtime.signingKey.kid, jku: `${RUNTIME_URL}/.well-known/jwks.json` };
    expect(header).toEqual({ alg: 'ES256', typ: 'JOSE', kid, jku });
    const isSigned = async (content: object) => {
      const input = `${signature?.protected}.${Buffer.from(canonical(content)).toString('base64url')}`;
      const key = { key: await keyOf(kid), dsaEncoding: 'ieee-p1363' as const };
      return verify('sha256', Buffer.from(input), key, Buffer.from(signature?.signature ?? '', 'base64url'));
    };
    expect(await isSigned(unsigned)).toBe(true);
    expect(await isSigned({ ...unsigned, description: 'Another' })).toBe(false);
    expect(await isSigned({ ...unsigned, securitySchemes: {} })).toBe(false);
  });

  it('passes the verifier of @a2a-js/sdk, as received and as parsed by the SDK; a changed card does not pass', async () => {
    await runtime.newAgent(scribe);
    const check = verifyAgentCardSignature((kid) => keyOf(kid));
    const raw = (await get(DEFAULT, V1)).body as AgentCard;
    await check(raw);
    const resolved = await new DefaultAgentCardResolver().resolve(runtime.url);
    expect(resolved.securitySchemes['oauth']?.scheme?.$case).toBe('oauth2SecurityScheme');
    await check(resolved);
    await expect(check({ ...resolved, description: 'Another' })).rejects.toThrow('No valid signatures');
    await expect(check({ ...raw, name: 'Another' })).rejects.toThrow('No valid signatures');
  });
});

describe('public cards', () => {
  it('are the cards of the published agents of all projects, oldest first', async () => {
    const { id } = await runtime.newAgent({ name: 'First' });
    await runtime.newAgent({ name: 'Hidden' });
    await runtime.newAgent({ name: 'Elsewhere', project: 'Commerce', status: 'inactive' });
    await runtime.db.prisma.agent.update({ where: { slug: 'hidden' }, data: { published: false } });
    expect(namesOf(await get(ALL))).toEqual(['First', 'Elsewhere']);
    await runtime.db.prisma.agent.update({ where: { id }, data: { published: false } });
    expect(namesOf(await get(ALL))).toEqual(['Elsewhere']);
  });

  it('are listed in pages of 100; each page except the last links to the next page', async () => {
    for (let n = 0; n < 103; n += 1) await runtime.newAgent({ name: `Agent ${n}` });
    const first = await get(ALL);
    expect([namesOf(first).length, first.headers.get('link')]).toEqual([100, `<${ALL}?page=2>; rel="next"`]);
    const second = await get(`${ALL}?page=2`);
    expect([namesOf(second), second.headers.get('link')]).toEqual([['Agent 100', 'Agent 101', 'Agent 102'], null]);
    expect((await get(`${ALL}?page=3`)).body).toEqual([]);
    expect((await get(`${ALL}?page=0`)).status).toBe(400);
  });

  it('are signed once, and signed again only after a change of their agent', async () => {
    await runtime.newAgent(scribe);
    const signaturesOf = async (path: string) =>
      [(await get(path, V1)).body].flat().map((body) => (body as AgentCard).signatures);
    const [signed] = await signaturesOf(ALL);
    expect([...(await signaturesOf(ALL)), ...(await signaturesOf(DEFAULT))]).toEqual([signed, signed]);
    await runtime.db.prisma.agent.updateMany({ data: { description: 'Writes other minutes.' } });
    expect((await signaturesOf(ALL))[0]).not.toEqual(signed);
  });

  it('do not include the card of an unpublished agent; a request for that card is answered with 404', async () => {
    await runtime.newAgent({ name: 'Hidden' });
    await runtime.db.prisma.agent.update({ where: { slug: 'hidden' }, data: { published: false } });
    const [hidden, none] = [await get(`${ALL}/hidden`), await get(`${ALL}/nobody`)];
    expect([hidden.status, hidden.text]).toEqual([404, none.text]);
  });

  it("consist of the built-in concierge's card alone when no agent is published", async () => {
    await runtime.newAgent({ name: 'Hidden' });
    await runtime.db.prisma.agent.update({ where: { slug: 'hidden' }, data: { published: false } });
    expect(namesOf(await get(ALL))).toEqual(['Concierge']);
    expect((await card(DEFAULT)).name).toBe('Concierge');
    expect((await card(`${ALL}/concierge`)).name).toBe('Concierge');
  });

  it('include a default card: that of the agent marked as default, or else of the oldest agent that is published and active', async () => {
    await runtime.newAgent({ name: 'Asleep', status: 'inactive' });
    await runtime.newAgent({ name: 'Hidden' });
    await runtime.db.prisma.agent.update({ where: { slug: 'hidden' }, data: { published: false } });
    await runtime.newAgent({ name: 'Awake' });
    const { id } = await runtime.newAgent({ name: 'Later' });
    expect((await card(DEFAULT)).name).toBe('Awake');
    await runtime.db.prisma.defaultAgent.create({ data: { agent_id: id } });
    expect((await card(DEFAULT)).name).toBe('Later');
  });
});

describe('a cached card', () => {
  it('is confirmed with 304 by every process until the card changes', async () => {
    const { id } = await runtime.newAgent(scribe);
    const other = await runtime.start();
    for (const path of [DEFAULT, ALL, `${ALL}/scribe`]) {
      const first = await get(path, V1);
      const tag = String(first.headers.get('etag'));
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      const again = await other.as()('GET', path, { headers: { ...V1, 'if-none-match': `"x", ${tag}` } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
      expect(again.headers.get('cache-control')).toBe('public, max-age=300');
      await runtime.db.prisma.agent.update({ where: { id }, data: { version: { increment: 1 } } });
      expect((await get(path, { ...V1, 'if-none-match': tag })).status).toBe(200);
    }
  });

  it('has a separate ETag for each version of A2A', async () => {
    await runtime.newAgent(scribe);
    const [v1, old] = [await get(DEFAULT, V1), await get(DEFAULT)];
    expect([v1, old].map(({ headers }) => headers.get('vary'))).toEqual(['A2A-Version', 'A2A-Version']);
    expect(old.headers.get('etag')).not.toBe(v1.headers.get('etag'));
    expect((await get(DEFAULT, { 'if-none-match': String(v1.headers.get('etag')) })).status).toBe(200);
    expect((await get(DEFAULT, { 'if-none-match': String(old.headers.get('etag')) })).status).toBe(304);
  });

  it('may be read by pages of every origin', async () => {
    await runtime.newAgent(scribe);
    expect((await get(DEFAULT)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the version of a card', () => {
  it('is 0.3 unless the header or the query names another version; a card of 0.3 also lists the interfaces of 1.0', async () => {
    await runtime.newAgent(scribe);
    const url = `${RUNTIME_URL}/api/v1/agents/scribe/a2a`;
    const asked: Record<string, string>[] = [{}, { 'a2a-version': '' }, { 'a2a-version': '0.3' }];
    for (const headers of asked) {
      const { body } = await get(DEFAULT, headers);
      expect(body).toMatchObject({
        protocolVersion: '0.3',
        url,
        preferredTransport: 'JSONRPC',
        additionalInterfaces: [{ url, transport: 'HTTP+JSON' }],
        security: [{ oauth: ['agents:message'] }, { client: ['agents:message'] }],
        securitySchemes: { oauth: { type: 'oauth2' } },
        supportsAuthenticatedExtendedCard: false,
      });
      expect((body as AgentCard).supportedInterfaces).toHaveLength(4);
      expect(body).not.toHaveProperty('signatures');
    }
    expect((await get(`${DEFAULT}?A2A-Version=1.0`)).body).toEqual((await get(DEFAULT, V1)).body);
  });

  it('is refused with 400 when the server does not support it', async () => {
    await runtime.newAgent(scribe);
    const answer = await get(DEFAULT, { 'a2a-version': '2.0' });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: {
          code: 'VALIDATION_ERROR',
          message: expect.any(String) as string,
          details: { field: 'a2a-version', reason: 'must be 1.0 or 0.3' },
        },
      },
    ]);
    expect((await get(`${DEFAULT}?A2A-Version=1.0.0`)).status).toBe(400);
  });
});
