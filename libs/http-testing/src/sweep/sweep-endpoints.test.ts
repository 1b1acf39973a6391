import { AppError, renderers } from '@millwright/errors';
import { listen, type ListeningApp } from '@millwright/testing';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { endpoint, type EndpointContract } from '@millwright/http';
import { sweepEndpoints, type SweepCheck } from './index.js';

const getThing = endpoint({
  operationId: 'getThing',
  method: 'GET',
  path: '/things/{id}',
  summary: 'A thing',
  tag: 'Things',
  access: { scope: 'skills:read' },
  limit: 'credential',
  params: z.object({ id: z.string() }),
  success: { status: 200, description: 'The thing', body: z.object({}) },
  errors: [],
});
const listThings = endpoint({
  operationId: 'listThings',
  method: 'GET',
  path: '/things',
  summary: 'All things',
  tag: 'Things',
  access: { scope: 'skills:read' },
  limit: 'credential',
  query: z.object({ kind: z.string().min(2) }),
  success: { status: 200, description: 'The things', body: z.object({}) },
  errors: [],
});
const getStatus = endpoint({
  operationId: 'getStatus',
  method: 'GET',
  path: '/status',
  summary: 'Status',
  tag: 'Things',
  access: 'public',
  limit: 'public',
  success: { status: 200, description: 'Fine', body: z.object({}) },
  errors: [],
});

let server: ListeningApp | undefined;

afterEach(() => server?.close());

const THEIRS = 'sk_0000000000000000000002';

async function faultsFound(
  app: RequestListener,
  contracts: readonly EndpointContract[] = [getThing, getStatus],
): Promise<Record<string, string>> {
  server = await listen(app);
  const { url } = server;
  const target = () => ({
    baseUrl: url,
    tightUrl: url,
    credential: { authorization: 'all' },
    wrongCredential: { authorization: 'wrong' },
    credentialWithout: () => ({ authorization: 'some' }),
    params: {
      id: { own: 'mine', foreign: 'theirs', unknown: 'none' },
      skill_id: { own: 'sk_0000000000000000000001', foreign: THEIRS, unknown: 'none' },
    },
  });
  const checks = sweepEndpoints({ area: 'platform', contracts, target });
  const outcomes = checks.map(async ({ title, run }: SweepCheck) => {
    const fault = await run().then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );
    return [title, fault] as const;
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

const limited = {
  'x-ratelimit-limit': '1',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String((Math.floor(Date.now() / 60_000) + 1) * 60),
};

describe('sweepEndpoints', () => {
  it('finds each endpoint that answers 200 without a credential', async () => {
    const found = await faultsFound((_request, response) => response.writeHead(200, limited).end('{}'));
    expect(Object.keys(found)).toEqual([
      'GET /things/{id} answers 401 without a credential',
      'GET /things/{id} answers 401 for a wrong credential',
      'GET /things/{id} answers 403 without the scope skills:read',
      "GET /things/{id} answers 404 for an unknown id and for another project's",
      'GET /things/{id} answers 429 over the limit',
      'GET /status needs no credential',
      'GET /status answers 429 over the limit',
      '/things/{id} answers 405 with Allow for other methods',
      '/status answers 405 with Allow for other methods',
    ]);
    const { 'GET /status needs no credential': open, ...others } = found;
    expect(open).toBe('none');
    for (const fault of Object.values(others)) expect(fault).toContain('status 200 instead of');
  });

  it('reports missing headers, errors in a wrong form, different answers for foreign and unknown records, and repeated request data', async () => {
    const found = await faultsFound((request, response) => {
      const { status, body } = renderers.platform(
        new AppError(request.method === 'GET' ? 'not_found' : 'method_not_allowed'),
      );
      const answered = request.url?.startsWith('/things/theirs')
        ? { error: { ...(body as { error: object }).error, message: 'hidden' } }
        : body;
      response
        .writeHead(request.headers.authorization ? status : 401)
        .end(JSON.stringify({ ...answered, asked: request.url }));
    });
    const absent = found["GET /things/{id} answers 404 for an unknown id and for another project's"];
    for (const fault of [
      'limit headers',
      'the envelope is {asked:string,error:',
      'what was sent comes back',
      'unknown and foreign records have different answers',
    ]) {
      expect(absent).toContain(fault);
    }
    expect(found['GET /things/{id} answers 401 without a credential']).toContain('WWW-Authenticate: null instead of');
    expect(found['/things/{id} answers 405 with Allow for other methods']).toContain(
      'POST: Allow: null instead of GET, HEAD',
    );
  });

  it.each([
    ['reports a list with a record of another project', { items: [{ id: THEIRS }] }, `${THEIRS} is another project's`],
    ['reports no fault for a list without such a record', { items: [{ id: 'sk_0000000000000000000001' }] }, 'none'],
  ])('requests a list with a query that its contract accepts, and %s', async (_title, body, fault) => {
    const found = await faultsFound(
      (request, response) =>
        response.writeHead(request.url === '/things?kind=xx' ? 200 : 422, limited).end(JSON.stringify(body)),
      [listThings],
    );
    expect(found['GET /things shows no record of another project']).toBe(fault);
  });

  it('reports date fields for which the earliest or the latest date of the calendar causes an internal error', async () => {
    const day = z.iso.date().nullable().optional();
    const listDays = { ...listThings, query: z.object({ kind: z.string(), from: day, to: day }) };
    const postTime = endpoint({
      ...listThings,
      operationId: 'postTime',
      method: 'POST',
      query: undefined,
      body: z.object({ kind: z.string(), at: z.iso.datetime({ offset: true }) }),
    });
    const found = await faultsFound(
      (request, response) =>
        void text(request).then((body) => {
          const isBad = request.url?.includes('to=0000-01-01') || body.includes('9999-12-31T23:59:59-12:00');
          response.writeHead(isBad ? 500 : 200, limited).end('{}');
        }),
      [listDays, postTime],
    );
    const faultOf = (endpointName: string, field: string) =>
      found[`${endpointName} answers dates at the ends of the calendar in ${field}`];
    expect(faultOf('GET /things', 'from of the query')).toBe('none');
    expect(faultOf('GET /things', 'to of the query')).toBe('0000-01-01: status 500: {}');
    expect(faultOf('POST /things', 'at of the body')).toBe('9999-12-31T23:59:59-12:00: status 500: {}');
  });
});
