import type { EgressFetch } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import * as oidc from 'openid-client';
import { CLOCK_TOLERANCE, issuerFailure } from './issuer-failures.js';
import { createLogoutVerifier, type LogoutToken } from './logout-token.js';
import type { SsoIssuer } from './sso-file.js';

/** Verified claims of an issuer about a user. */
export interface Claims {
  subject: string;
  /** The issuer's session id, for logout. */
  sid: string | undefined;
  email: string | undefined;
  /** Whether the issuer states that the email is verified (`email_verified`). */
  isEmailVerified: boolean;
  name: string | undefined;
  groups: readonly string[];
  /** Time of the user's authentication, in seconds since 1970. */
  authTime: number | undefined;
}

type Stated = Readonly<Record<string, unknown>>;

/** Values of one request that the issuer's answer must match. */
export interface Flow {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether the issuer must authenticate the user again. */
  isStepUp: boolean;
}

export interface IssuerClient {
  issuer: SsoIssuer;
  authorizationUrl: (flow: Flow, hint?: string) => Promise<string>;
  /**
   * Exchanges the code in `query`, which is the query of the issuer's redirect.
   *
   * @throws AppError unauthorized when the answer or the token is invalid, unavailable when the issuer does not answer.
   */
  redeem: (query: string, flow: Flow) => Promise<Claims>;
  /** Verifies a logout token. @throws AppError unauthorized when the token is invalid, unavailable when the issuer does not answer. */
  verifyLogoutToken: (token: string) => Promise<LogoutToken>;
}

export interface IssuerClientOptions {
  baseUrl: string;
  fetch: EgressFetch;
}

/** Time for which an issuer's metadata is cached. */
const METADATA_MS = 3_600_000;

/** Maximum age of a proof for a step-up, in seconds. The proof must also be later than the request. */
const STEP_UP_MAX_AGE = 300;

/** Limit of the groups read from a claim; further groups are ignored. */
const MOST_GROUPS = 1_000;

export const redirectUriOf = (baseUrl: string, { name }: Pick<SsoIssuer, 'name'>): string =>
  `${baseUrl}/admin/sso/${name}/callback`;

/** Creates a client of one issuer: OpenID Connect Core 1.0 as a relying party, with authorization code, PKCE and nonce. */
export function createIssuerClient(issuer: SsoIssuer, { baseUrl, fetch }: IssuerClientOptions): IssuerClient {
  const redirectUri = redirectUriOf(baseUrl, issuer);
  const send: oidc.CustomFetch = (url, { body, ...init }) =>
    fetch(url, { ...init, ...(body != null && { body: body as NonNullable<RequestInit['body']> }), kind: 'sso' });
  let found: { configuration: Promise<oidc.Configuration>; until: number } | undefined;

  async function discover(): Promise<oidc.Configuration> {
    const configuration = await oidc.discovery(
      new URL(issuer.url),
      issuer.clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE },
      issuer.clientSecret === undefined ? oidc.None() : authenticateClient(issuer.clientSecret),
      {
        [oidc.customFetch]: send,
        // Verifies the signature of every ID token, including those from the token endpoint over TLS.
        // `SSO_FILE` allows http only on this machine, and the egress rules must allow the call.
        execute: issuer.url.startsWith('http:')
          ? // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning
            [oidc.enableNonRepudiationChecks, oidc.allowInsecureRequests]
          : [oidc.enableNonRepudiationChecks],
      },
    );
    // Compares the issuer a second time: the library also accepts an issuer that differs by a slash at the end.
    if (configuration.serverMetadata().issuer !== issuer.url) throw new Error('the metadata is of another issuer');
    return configuration;
  }

  /** Reads the metadata once for concurrent requests. Failures are not cached. */
  function configure(): Promise<oidc.Configuration> {
    if (found && found.until > Date.now()) return found.configuration;
    const reading = { configuration: discover(), until: Date.now() + METADATA_MS };
    found = reading;
    reading.configuration.catch(() => {
      if (found === reading) found = undefined;
    });
    return reading.configuration;
  }

  const configured = () =>
    configure().catch((cause: unknown) => {
      throw new AppError('unavailable', { cause });
    });

  /** Reads the userinfo endpoint when the ID token lacks claims. Its `sub` must equal the ID token's. */
  async function readUserInfo(
    configuration: oidc.Configuration,
    accessToken: string,
    claims: oidc.IDToken,
  ): Promise<Stated> {
    const wanted = ['email', 'email_verified', ...(issuer.groups ? [issuer.groups.claim] : [])];
    const isComplete = wanted.every((claim) => claims[claim] !== undefined);
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    return await oidc.fetchUserInfo(configuration, accessToken, claims.sub);
  }

  const verifyLogout = createLogoutVerifier(issuer, { configured, fetch });

  return {
    issuer,

    async authorizationUrl({ state, nonce, codeVerifier, isStepUp }, hint) {
      const configuration = await configured();
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: issuer.scopes.join(' '),
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...{ state, nonce },
        ...(isStepUp && { prompt: 'login', max_age: '0' }),
        ...(hint !== undefined && { login_hint: hint }),
      });
      return url.href;
    },

    async redeem(query, { state, nonce, codeVerifier, isStepUp }) {
      const configuration = await configured();
      try {
        // Uses the redirect URI of the authorization request; the request line is not trusted.
        const answer = new URL(redirectUri);
        answer.search = query;
        const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
          ...(isStepUp && { maxAge: STEP_UP_MAX_AGE }),
        });
        const idToken = tokens.claims();
        if (!idToken) throw new Error('the answer has no ID token');
        return toClaims(issuer, idToken, await readUserInfo(configuration, tokens.access_token, idToken));
      } catch (cause) {
        throw issuerFailure(cause);
      }
    },

    verifyLogoutToken: verifyLogout,
  };
}

/** Client authentication in the form that the issuer prefers; most issuers accept both forms. */
function authenticateClient(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    (isBasic ? basic : post)(server, client, body, headers);
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Whether the value is a valid `sub` or `sid`: at most 255 ASCII characters (OpenID Connect Core 1.0 §2). */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value);

/** Returns a display name without the characters that are not allowed in names of accounts. */
const nameOf = (value: unknown) =>
  textOf(
    textOf(value)
      ?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim()
      .slice(0, 200)
      .toWellFormed(),
  );

function toClaims(issuer: SsoIssuer, idToken: oidc.IDToken, userInfo: Stated): Claims {
  if (!isId(idToken.sub)) throw new Error('sub is not valid');
  const all: Stated = { ...userInfo, ...idToken };
  // Reads `email` and `email_verified` from the same source, because the flag in one source does not apply to the address in another
  // source.
  const hasBoth = idToken['email'] !== undefined && idToken['email_verified'] !== undefined;
  const { email, email_verified: isVerified } =
    hasBoth || userInfo['email'] === undefined ? (idToken as Stated) : userInfo;
  const stated = issuer.groups && all[issuer.groups.claim];
  const groups = (Array.isArray(stated) ? stated : [stated]).slice(0, MOST_GROUPS);
  return {
    subject: idToken.sub,
    sid: isId(idToken['sid']) ? idToken['sid'] : undefined,
    email: textOf(email),
    isEmailVerified: isVerified === true,
    name: nameOf(all['name']),
    groups: groups.filter((group) => typeof group === 'string'),
    authTime: typeof idToken.auth_time === 'number' ? idToken.auth_time : undefined,
  };
}
