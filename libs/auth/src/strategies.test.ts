import { AppError } from '@millwright/errors';
import type { Request } from 'express';
import { bearer, createAuthenticator, header, type Principal } from './index.js';
import type { CredentialKind } from './strategies.js';

const principal = (name: string) => ({ user: { id: name, name, email: `${name}@example.com` } }) as Principal;
const seen: string[] = [];
const bearerKind: CredentialKind = {
  name: 'token',
  read: bearer,
  verify: (credential) => {
    seen.push(credential);
    return Promise.resolve(credential === 'good' ? principal('ann') : undefined);
  },
};
const headerKind: CredentialKind = { ...bearerKind, name: 'key', read: header('api-key') };
const request = (headers: Record<string, string>) => ({ headers }) as unknown as Request;
beforeEach(() => seen.splice(0));

describe.each(['unauthorized', 'forbidden'] as const)('createAuthenticator with onInvalid %s', (onInvalid) => {
  const authenticate = createAuthenticator([bearerKind], { onInvalid });

  it.each(['Bearer good', 'bearer good', 'BEARER   good'])(
    'accepts the header Authorization: %s',
    async (authorization) => {
      expect(await authenticate(request({ authorization }))).toMatchObject({ user: { id: 'ann' } });
    },
  );

  it('returns no principal without a credential', async () => expect(await authenticate(request({}))).toBeUndefined());

  it.each([
    'Bearer bad',
    'Bearer',
    'Bearer ',
    'Bearer good more',
    'Bearergood',
    'good',
    'Basic good',
    'Token good',
    'Bearer good,',
    'Bearer "good"',
    '',
  ])('refuses the header Authorization: "%s"', async (authorization) => {
    await expect(authenticate(request({ authorization }))).rejects.toMatchObject({ name: 'AppError', code: onInvalid });
  });

  it('verifies the credential of a request only once', async () => {
    await authenticate(request({ authorization: 'Bearer good' }));
    expect(seen).toEqual(['good']);
  });
});

describe('createAuthenticator with two kinds of credential', () => {
  const authenticate = createAuthenticator([headerKind, bearerKind], { onInvalid: 'forbidden' });

  it.each([
    ['the header of the first kind', { 'api-key': 'good' }],
    ['the header of the second kind', { authorization: 'Bearer good' }],
    [
      'the header of the second kind when the first kind has a wrong one',
      { 'api-key': 'bad', authorization: 'Bearer good' },
    ],
  ])('reads the credential from %s', async (_case, headers) => {
    expect(await authenticate(request(headers))).toMatchObject({ user: { id: 'ann' } });
  });

  it('returns no principal when both credentials are absent or empty', async () => {
    expect(await authenticate(request({}))).toBeUndefined();
    expect(await authenticate(request({ 'api-key': '' }))).toBeUndefined();
  });

  it.each([
    ['a wrong header', { 'api-key': 'bad' }],
    ['a wrong token', { authorization: 'Bearer bad' }],
    ['both wrong', { 'api-key': 'bad', authorization: 'Bearer bad' }],
    ['another scheme', { authorization: 'Basic Z29vZA==' }],
  ])('refuses %s', async (_case, headers) => {
    await expect(authenticate(request(headers))).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('createAuthenticator refuses a wrong credential with the error that onInvalid returns for the request', async () => {
  const authenticate = createAuthenticator([headerKind, bearerKind], {
    onInvalid: ({ headers }) => ('api-key' in headers ? 'forbidden' : 'unauthorized'),
  });
  for (const [headers, code] of [
    [{ 'api-key': 'bad' }, 'forbidden'],
    [{ authorization: 'Bearer bad' }, 'unauthorized'],
  ] as const)
    await expect(authenticate(request(headers))).rejects.toMatchObject({ code });
});

describe('createAuthenticator when the verification of a credential fails', () => {
  it.each([
    ['the AppError of the verification', new AppError('unavailable')],
    ['any other error of the verification', new TypeError('a fault of ours')],
  ])('rejects with %s instead of refusing the credential', async (_case, failure) => {
    const authenticate = createAuthenticator([{ ...bearerKind, verify: () => Promise.reject(failure) }], {
      onInvalid: 'unauthorized',
    });
    await expect(authenticate(request({ authorization: 'Bearer good' }))).rejects.toBe(failure);
  });
});

it('createAuthenticator creates authenticators that do not affect each other', async () => {
  const other = createAuthenticator([{ ...bearerKind, verify: () => Promise.resolve(principal('bob')) }], {
    onInvalid: 'unauthorized',
  });
  const own = createAuthenticator([bearerKind], { onInvalid: 'unauthorized' });
  const headers = { authorization: 'Bearer good' };
  const found = await Promise.all([own(request(headers)), other(request(headers))]);
  expect(found.map((one) => one?.user.id)).toEqual(['ann', 'bob']);
});
