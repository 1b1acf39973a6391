import { ApiError, createCall, createSend } from './client.js';

interface Asked {
  method: string;
  url: string;
  body: unknown;
}

/** Creates a client whose server sends these answers in this order. */
function clientWith(...answers: (Response | Error)[]) {
  const asked: Asked[] = [];
  const happened: string[] = [];
  const call = createCall({
    fetch: (url, { method = 'GET', body } = {}) => {
      asked.push({ method, url: url as string, body });
      const answer = answers.shift() ?? new Response(null, { status: 500 });
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    signIn: () => void happened.push('sign-in'),
    stepUp: () => Promise.resolve(void happened.push('step-up')),
  });
  return { call, send: createSend(call), asked, happened };
}

const refusal = (status: number, code: string, message = 'No.') =>
  Response.json({ error: { code, message, status } }, { status, headers: { 'x-request-id': 'req-7' } });

describe('a call of the API client', () => {
  it("sends JSON and resolves with the answer's JSON", async () => {
    const { send, asked } = clientWith(Response.json({ id: 'key_1' }, { status: 201 }));
    await expect(send('POST', '/keys', { name: 'x' })).resolves.toEqual({ id: 'key_1' });
    expect(asked).toEqual([{ method: 'POST', url: '/admin/api/keys', body: '{"name":"x"}' }]);
  });

  it('sends a string body unchanged, with the given headers', async () => {
    const seen: RequestInit[] = [];
    const call = createCall({
      fetch: (_url, init = {}) => {
        seen.push(init);
        return Promise.resolve(new Response('# Skill', { headers: { etag: '"b-2"' } }));
      },
      signIn: () => undefined,
      stepUp: () => Promise.resolve(),
    });
    const answer = await call('POST', '/x', { body: '---', headers: { 'content-type': 'text/markdown' } });
    expect([await answer.text(), answer.headers.get('etag')]).toEqual(['# Skill', '"b-2"']);
    await call('PUT', '/x', { body: {}, headers: { 'if-match': '"b-2"' } });
    expect(seen).toEqual([
      { method: 'POST', body: '---', headers: { 'content-type': 'text/markdown' } },
      { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json', 'if-match': '"b-2"' } },
    ]);
  });

  it('resolves with undefined for an answer without body', async () => {
    await expect(clientWith(new Response(null, { status: 204 })).send('DELETE', '/keys/key_1')).resolves.toBe(
      undefined,
    );
  });

  it("rejects with the server's code, message and request id", async () => {
    const error = await clientWith(refusal(409, 'conflict', 'It is the last one.'))
      .send('DELETE', '/passkeys/1')
      .catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: 'conflict', message: 'It is the last one.', requestId: 'req-7' });
  });

  it('rejects with a message that names the status when the answer is not in the error format of this API', async () => {
    const page = new Response('<h1>Bad gateway</h1>', { status: 502 });
    await expect(clientWith(page).send('GET', '/me')).rejects.toMatchObject({
      status: 502,
      message: 'The server answered 502. Try again.',
    });
  });

  it('rejects with status 0 and the code `unreachable` when there is no answer', async () => {
    await expect(clientWith(new TypeError('fetch failed')).send('GET', '/me')).rejects.toMatchObject({
      status: 0,
      code: 'unreachable',
    });
  });

  it('opens the sign-in page when the session has ended, and returns a promise that never settles', async () => {
    const { send, happened } = clientWith(refusal(401, 'unauthorized'));
    const outcome = await Promise.race([
      send('GET', '/me').then(
        () => 'answered',
        () => 'failed',
      ),
      new Promise((resolve) => setImmediate(() => resolve('pending'))),
    ]);
    expect([outcome, happened]).toEqual(['pending', ['sign-in']]);
  });

  it('repeats a request once, after a passkey proof, when the server answers that the request needs a proof', async () => {
    const { send, asked, happened } = clientWith(refusal(403, 'step_up_required'), Response.json({ key: 'secret' }));
    await expect(send('POST', '/keys', { name: 'x' })).resolves.toEqual({ key: 'secret' });
    expect(happened).toEqual(['step-up']);
    expect(asked.map(({ body }) => body)).toEqual(['{"name":"x"}', '{"name":"x"}']);

    const again = clientWith(refusal(403, 'step_up_required'), refusal(403, 'step_up_required'));
    await expect(again.send('POST', '/keys', {})).rejects.toMatchObject({ code: 'step_up_required' });
    expect(again.happened).toEqual(['step-up']);
  });

  it('does not repeat a request that the server refused with the code `forbidden`', async () => {
    const { send, asked, happened } = clientWith(refusal(403, 'forbidden'));
    await expect(send('GET', '/users')).rejects.toMatchObject({ code: 'forbidden' });
    expect([asked.length, happened]).toEqual([1, []]);
  });
});
