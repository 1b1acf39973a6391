import { AppError } from '@millwright/errors';
import type { Request } from 'express';
import { bearer, createAuthenticator, header, type CredentialKind, type Principal } from './index.js';

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

describe.each(['unauthorized', 'forbidden'] as const)('a credential, where an invalid one is %s', (onInvalid) => {
  const authenticate = createAuthenticator([bearerKind], { onInvalid });

  it.each(['Bearer good', 'bearer good', 'BEARER   good'])('%s is recognised', async (authorization) => {
    expect(await authenticate(request({ authorization }))).toMatchObject({ user: { id: 'ann' } });
  });

  it('that is absent gives no principal', async () => expect(await authenticate(request({}))).toBeUndefined());

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
  ])('"%s" is refused', async (authorization) => {
    await expect(authenticate(request({ authorization }))).rejects.toMatchObject({ name: 'AppError', code: onInvalid });
  });

  it('is checked once', async () => {
    await authenticate(request({ authorization: 'Bearer good' }));
    expect(seen).toEqual(['good']);
  });
});

describe('two places for a credential', () => {
  const authenticate = createAuthenticator([headerKind, bearerKind], { onInvalid: 'forbidden' });

  it.each([
    ['the first', { 'api-key': 'good' }],
    ['the second', { authorization: 'Bearer good' }],
    ['the second, a wrong one in the first', { 'api-key': 'bad', authorization: 'Bearer good' }],
  ])('takes it from %s', async (_case, headers) => {
    expect(await authenticate(request(headers))).toMatchObject({ user: { id: 'ann' } });
  });

  it('gives no principal when both are absent or empty', async () => {
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

describe('a check that fails itself', () => {
  it.each([
    ['an error', new AppError('unavailable')],
    ['an error of another kind', new TypeError('a fault of ours')],
  ])('passes %s on: a credential is not wrong because it could not be checked', async (_case, failure) => {
    const authenticate = createAuthenticator([{ ...bearerKind, verify: () => Promise.reject(failure) }], {
      onInvalid: 'unauthorized',
    });
    await expect(authenticate(request({ authorization: 'Bearer good' }))).rejects.toBe(failure);
  });
});

it('authenticators do not know each other', async () => {
  const other = createAuthenticator([{ ...bearerKind, verify: () => Promise.resolve(principal('bob')) }], {
    onInvalid: 'unauthorized',
  });
  const own = createAuthenticator([bearerKind], { onInvalid: 'unauthorized' });
  const headers = { authorization: 'Bearer good' };
  const found = await Promise.all([own(request(headers)), other(request(headers))]);
  expect(found.map((one) => one?.user.id)).toEqual(['ann', 'bob']);
});
