import { AppError } from '@millwright/errors';
import { runError, withoutCredentials } from './run-error.js';

/** The characters of a credential that no stored text may contain. */
const SECRET = 'Zx81kQ7vTn42LmPe';

describe('the text of an upstream that a run stores', () => {
  it.each([
    ['a bearer token', `Authorization: Bearer ${SECRET}`],
    ['basic authentication', `authorization: basic dXNlcjp${SECRET}==`],
    ['a JSON Web Token', `token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI${SECRET}.c2lnbmF0dXJl${SECRET} is expired`],
    ['an OpenAI key', `Incorrect API key provided: sk-proj-${SECRET}.`],
    ['our API key', `mw_live_${SECRET}`],
    ['a GitHub token', `ghp_${SECRET}${SECRET}`],
    ['a fine-grained GitHub token', `github_pat_${SECRET}`],
    ['a GitLab token', `glpat-${SECRET}`],
    ['a Slack token', `xoxb-${SECRET}`],
    ['a signing secret', `whsec_${SECRET}`],
    ['an AWS key', `AKIA${SECRET.toUpperCase()}`],
    ['a Google key', `AIza${SECRET}${SECRET}`],
    ['a header', `x-api-key: ${SECRET}`],
    ['a query', `GET https://a.example/x?api_key=${SECRET}&n=1 failed`],
    ['an access token in a query', `https://a.example/x?access_token=${SECRET}`],
    ['JSON', `{"client_secret":"${SECRET}","n":1}`],
    ['JSON in JSON', `{"body":"{\\"password\\":\\"${SECRET}\\"}"}`],
    ['a form', `grant_type=x&password=${SECRET}&user=ann`],
    ['a cookie', `Set-Cookie: ${SECRET}; Path=/`],
    ['a connection string', `postgres://app:${SECRET}@db.internal:5432/app refused`],
    ['a private key', `-----BEGIN EC PRIVATE KEY-----\n${SECRET}\n${SECRET}\n-----END EC PRIVATE KEY-----`],
    ['a private key that is cut off', `-----BEGIN PRIVATE KEY-----\n${SECRET}`],
  ])('contains no secret: %s', (_what, text) => {
    const kept = withoutCredentials(text);
    expect(kept.toLowerCase()).not.toContain(SECRET.toLowerCase());
    expect(kept).toContain('[removed]');
  });

  it.each([
    'The model house is overloaded; try again in 20 seconds.',
    'maximum context length is 8192 tokens, however you requested 9000 tokens',
    'connect ECONNREFUSED 10.0.0.7:443',
    'Unexpected token < in JSON at position 0',
    'https://user@a.example/path is not reachable',
  ])('is unchanged when it contains no secret: %s', (text) => {
    expect(withoutCredentials(text)).toBe(text);
  });

  it('is truncated, and is searched in linear time for any content', () => {
    const made = ['a'.repeat(200_000), 'api_key='.repeat(20_000), '://a:'.repeat(40_000), '-----BEGIN '.repeat(20_000)];
    for (const text of made) expect(withoutCredentials(text).length).toBeLessThanOrEqual(2_000);
  });
});

describe('the failure of a run', () => {
  it('has a code, and the status and message of the upstream error that caused it', () => {
    const upstream = Object.assign(new Error('429 slow down, sk-proj-Zx81kQ7vTn42LmPe'), { status: 429 });
    const cause = new Error('the model failed', { cause: upstream });
    expect(runError(new AppError('unavailable', { cause }))).toEqual({
      code: 'unavailable',
      status: 429,
      text: '429 slow down, [removed]',
    });
  });

  it('contains no details of an internal defect', () => {
    expect(runError(new TypeError('x is not a function'))).toEqual({
      code: 'internal_error',
      status: undefined,
      text: 'The run failed.',
    });
  });
});
