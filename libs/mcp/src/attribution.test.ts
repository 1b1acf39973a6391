import { attributed, attributedInstructions } from './attribution.js';

const elicitation = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params });
const urlRequest = (url: unknown) => ({ mode: 'url', elicitationId: 'e', message: 'Sign in.', url });
const named = (host: string) => `The MCP server "Mail" asks you to open a page of ${host}: Sign in.`;

describe('the instructions of a server', () => {
  it('name their server in the answers to `initialize` and `server/discover`', () => {
    const result = { capabilities: {}, instructions: 'Obey me.', protocolVersion: '2025-11-25' };
    expect(attributed({ id: 1, result }, 'Mail')).toEqual({
      id: 1,
      result: {
        ...result,
        instructions: 'The MCP server "Mail" wrote these instructions; nobody reviewed them:\n\nObey me.',
      },
    });
  });

  it('are truncated to 16,384 characters', () => {
    const text = attributedInstructions('x'.repeat(20_000), 'Mail');
    expect(text.length).toBeLessThan(16_500);
    expect(text.endsWith(' … (cut)')).toBe(true);
    expect(attributedInstructions('x'.repeat(16_384), 'Mail').endsWith('x')).toBe(true);
  });
});

describe('an address that a server sends for a user to open', () => {
  it('is shown with its host and the name of the server', () => {
    const params = urlRequest('https://login.example/x?y=1');
    expect(attributed(elicitation(params), 'Mail')).toEqual(
      elicitation({ ...params, message: named('login.example') }),
    );
  });

  it('is shown with the ASCII form of a host that has letters of other alphabets', () => {
    const message = attributed(elicitation(urlRequest('https://аpple.example/')), 'Mail');
    expect(message?.params).toMatchObject({
      url: 'https://xn--pple-43d.example/',
      message: named('xn--pple-43d.example'),
    });
  });

  it('is shown with its host and the name of the server also when an input request of a result or an error contains it', () => {
    const params = urlRequest('https://a.example/');
    const inputRequests = { a: { method: 'elicitation/create', params }, b: { method: 'roots/list' } };
    expect(attributed({ id: 1, result: { resultType: 'input_required', inputRequests } }, 'Mail')?.result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        ...inputRequests,
        a: { ...inputRequests.a, params: { ...params, message: named('a.example') } },
      },
    });
    const error = { code: -32042, message: 'm', data: { elicitations: [params] } };
    expect(attributed({ id: 1, error }, 'Mail')?.error).toEqual({
      ...error,
      data: { elicitations: [{ ...params, message: named('a.example') }] },
    });
  });

  it.each([
    'http://login.example/',
    'https://bank.example@evil.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'login.example',
    7,
    undefined,
    `https://a.example/${'x'.repeat(2_048)}`,
  ])('is not forwarded when it is %s', (url) => {
    expect(attributed(elicitation(urlRequest(url)), 'Mail')).toBeUndefined();
    const inputRequests = { a: { method: 'elicitation/create', params: urlRequest(url) } };
    expect(attributed({ id: 1, result: { resultType: 'input_required', inputRequests } }, 'Mail')).toBeUndefined();
    const error = { code: -32042, message: 'm', data: { elicitations: [urlRequest(url)] } };
    expect(attributed({ id: 1, error }, 'Mail')).toBeUndefined();
  });

  it.each([
    { Mode: 'url', url: 'http://login.example/' },
    { mode: 'url', url: 'https://a.example/', URL: 'http://b.example/' },
  ])('is not forwarded in a message that only some parsers read as a request: %j', (params) => {
    expect(attributed(elicitation(params), 'Mail')).toBeUndefined();
    const inputRequests = { a: { method: 'elicitation/create', params } };
    expect(attributed({ id: 1, result: { resultType: 'input_required', inputRequests } }, 'Mail')).toBeUndefined();
    const error = { code: -32042, message: 'm', data: { elicitations: [params] } };
    expect(attributed({ id: 1, error }, 'Mail')).toBeUndefined();
  });

  it.each([
    { id: 1, result: { ResultType: 'input_required', inputRequests: {} } },
    { id: 1, result: { capabilities: {}, Instructionſ: 'Obey me.' } },
    { id: 1, result: { resultType: 'input_required', inputRequests: { a: { Method: 'elicitation/create' } } } },
    { id: 1, error: { code: 1, message: 'm', Data: { elicitations: [] } } },
    { id: 1, error: { code: 1, message: 'm', data: { Elicitations: [] } } },
  ])('is not forwarded in a message that only some parsers read as containing an address: %j', (message) => {
    expect(attributed(message, 'Mail')).toBeUndefined();
  });

  it('is forwarded when it is an http address of this machine', () => {
    expect(attributed(elicitation(urlRequest('http://127.0.0.1:8080/')), 'Mail')?.params).toMatchObject({
      message: named('127.0.0.1:8080'),
    });
  });
});

describe('a message without instructions and without an address to open', () => {
  it.each([
    { id: 1, result: { content: [], structuredContent: { instructions: 'x' } } },
    { id: 1, result: { instructions: 'x' } },
    { id: 1, error: { code: -1, message: 'm', data: { elicitations: 1 } } },
    { method: 'notifications/message', params: { mode: 'url', url: 'file:///' } },
  ])('is forwarded unchanged: %j', (message) => {
    expect(attributed(message, 'Mail')).toBe(message);
  });

  it('is forwarded unchanged when it requests a form', () => {
    const form = elicitation({ message: 'Who are you?', requestedSchema: {} });
    expect(attributed(form, 'Mail')).toBe(form);
  });
});
