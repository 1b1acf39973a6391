import {
  anthropicError,
  AppError,
  catalogue,
  invalidField,
  renderers,
  type AnswerForm,
  type ErrorCode,
} from './index.js';

const codes = Object.keys(catalogue) as ErrorCode[];
const areas = ['admin', 'platform', 'runtime', 'prompt', 'scim'] as const satisfies readonly AnswerForm[];
const every = areas.flatMap((area) => codes.map((code) => [area, code] as const));

describe.each(['admin', 'platform'] as const)('the error envelope of the area %s', (area) => {
  it('has code, message and status', () => {
    expect(renderers[area](new AppError('not_found'))).toEqual({
      status: 404,
      body: { error: { code: 'not_found', message: 'The resource does not exist.', status: 404 } },
    });
  });

  it('has the status 400 for a malformed request, and 422 for invalid values', () => {
    expect(renderers[area](new AppError('bad_request')).status).toBe(400);
    expect(renderers[area](invalidField('name', 'is required'))).toEqual({
      status: 422,
      body: {
        error: { code: 'validation_error', message: 'The request has invalid values: name: is required.', status: 422 },
      },
    });
  });
});

describe('the error envelope of the runtime API', () => {
  it('has the code in upper case, message and details with field and reason', () => {
    expect(renderers.runtime(invalidField('content', 'must not be empty'))).toEqual({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          message: 'The request has invalid values: content: must not be empty.',
          details: { field: 'content', reason: 'must not be empty' },
        },
      },
    });
  });

  it('renders a malformed body as a validation error of the field body', () => {
    expect(renderers.runtime(new AppError('bad_request'))).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field: 'body' } } },
    });
  });

  it.each([
    ['not_found', 404, 'NOT_FOUND'],
    ['unauthorized', 401, 'UNAUTHORIZED'],
    ['forbidden', 403, 'FORBIDDEN'],
    ['rate_limited', 429, 'RATE_LIMITED'],
    ['idempotency_running', 409, 'CONFLICT'],
  ] as const)('renders %s as %i %s', (code, status, shown) => {
    expect(renderers.runtime(new AppError(code))).toMatchObject({ status, body: { error: { code: shown } } });
  });
});

describe('the error envelope of the prompt API', () => {
  it('is the envelope of the platform API, but also has the message at the top level and has 400 for invalid values', () => {
    const message = 'The request has invalid values: structured_data.a: is required.';
    expect(renderers.prompt(invalidField('structured_data.a', 'is required'))).toEqual({
      status: 400,
      body: {
        error: {
          code: 'validation_error',
          message,
          status: 400,
          type: 'invalid_request_error',
          param: 'structured_data.a',
        },
        message,
      },
    });
  });

  it.each([
    ['not_found', 'invalid_request_error'],
    ['unauthorized', 'authentication_error'],
    ['forbidden', 'permission_error'],
    ['rate_limited', 'rate_limit_error'],
    ['unavailable', 'server_error'],
    ['internal_error', 'server_error'],
  ] as const)('sends %s to OpenAI’s clients as %s, without a param', (code, type) => {
    expect(renderers.prompt(new AppError(code)).body).toMatchObject({ error: { type, param: null } });
  });

  it.each(codes)('makes OpenAI’s clients repeat %s only when repeating can help', (code) => {
    const { status, headers } = renderers.prompt(new AppError(code));
    expect(headers).toEqual(status === 409 ? { 'x-should-retry': 'false' } : undefined);
  });
});

describe('the error envelope of SCIM', () => {
  const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

  it('has the format of RFC 7644, with the status as a string and its own media type', () => {
    expect(renderers.scim(new AppError('not_found'))).toEqual({
      status: 404,
      body: { schemas: [SCHEMA], status: '404', detail: 'The resource does not exist.' },
      headers: { 'Content-Type': 'application/scim+json' },
    });
  });

  it.each([
    [new AppError('bad_request'), 400, 'invalidSyntax'],
    [invalidField('userName', 'is required'), 400, 'invalidValue'],
    [new AppError('validation_error', { scimType: 'invalidFilter' }), 400, 'invalidFilter'],
    [new AppError('conflict'), 409, 'uniqueness'],
    [new AppError('forbidden'), 403, undefined],
  ])('states the kind of fault: %s', (error, status, scimType) => {
    const { status: sent, body } = renderers.scim(error);
    expect([sent, (body as { scimType?: string }).scimType]).toEqual([status, scimType]);
  });
});

describe('the error envelope', () => {
  it.each(every)('of %s contains nothing of the cause of %s', (area, code) => {
    const failure = new AppError(code, { cause: new Error('the secret of the house') });
    expect(JSON.stringify(renderers[area](failure))).not.toContain('secret');
  });

  it.each(every)('of %s has an HTTP status for %s; a status in the body is the same status', (area, code) => {
    const { status, body } = renderers[area](new AppError(code));
    const { error, ...scim } = body as {
      error?: { status?: number; message: string };
      status?: string;
      detail?: string;
    };
    expect(Number(error?.status ?? scim.status ?? status)).toBe(status);
    expect(error?.message ?? scim.detail).toMatch(/./);
  });

  it.each(areas.filter((area) => area !== 'scim'))(
    'of %s has the code of a conflict for idempotency_conflict and idempotency_running',
    (area) => {
      const code = (of: ErrorCode) =>
        (renderers[area](new AppError(of)).body as { error: { code: string } }).error.code;
      expect(code('idempotency_conflict')).toBe(code('conflict'));
      expect(code('idempotency_running')).toBe(code('conflict'));
    },
  );
});

describe('AppError', () => {
  it('has a Retry-After of one second for 429 and 503 by default, and none for other errors', () => {
    const after = codes.filter((code) => new AppError(code).retryAfter === 1).map((code) => catalogue[code].status);
    expect(new Set(after)).toEqual(new Set([429, 503]));
    expect(new AppError('idempotency_running', { retryAfter: 3 }).retryAfter).toBe(3);
  });
});

describe('anthropicError', () => {
  it.each([
    ['validation_error', 400, 'invalid_request_error'],
    ['unauthorized', 401, 'authentication_error'],
    ['forbidden', 403, 'permission_error'],
    ['not_found', 404, 'not_found_error'],
    ['payload_too_large', 413, 'request_too_large'],
    ['rate_limited', 429, 'rate_limit_error'],
    ['internal_error', 500, 'api_error'],
    ['unavailable', 503, 'overloaded_error'],
  ] as const)('renders %s as %i %s', (code, status, type) => {
    const { message } = catalogue[code];
    expect(anthropicError(new AppError(code))).toMatchObject({
      status,
      body: { type: 'error', error: { type, message }, message },
    });
  });
});
