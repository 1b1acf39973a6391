import type { EgressFetch } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import * as oidc from 'openid-client';
import { CLOCK_TOLERANCE, issuerFailure } from './issuer-failures.js';
import { createLogoutVerifier, type LogoutToken } from './logout-token.js';
import type { SsoIssuer } from './sso-file.js';

/** What an issuer states of a user. Its tokens were verified. */
export interface Claims {
  subject: string;
  /** The issuer's id of the session, for logout. */
  sid: string | undefined;
  email: string | undefined;
  /** Whether the issuer states that it verified the address. */
  isEmailVerified: boolean;
  name: string | undefined;
  groups: readonly string[];
  /** When the user proved who they are, in seconds since 1970. */
  authTime: number | undefined;
}

type Stated = Readonly<Record<string, unknown>>;

/** Values of one request, which its answer must match. */
export interface Flow {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether the issuer has to have the user prove again who they are. */
  isStepUp: boolean;
}

export interface IssuerClient {
  issuer: SsoIssuer;
  authorizationUrl: (flow: Flow, hint?: string) => Promise<string>;
  /** Exchanges the code of an answer, `query`. @throws AppError unauthorized for an answer or token that is not valid, unavailable without an answer of the issuer. */
  redeem: (query: string, flow: Flow) => Promise<Claims>;
  /** @throws AppError unauthorized, unavailable */
  verifyLogoutToken: (token: string) => Promise<LogoutToken>;
}

export interface IssuerClientOptions {
  baseUrl: string;
  fetch: EgressFetch;
}

/** Time for which an issuer's metadata is used before it is read again. */
const METADATA_MS = 3_600_000;

/** The age of a proof that a step-up accepts, in seconds; the request's own time is checked besides. */
const STEP_UP_MAX_AGE = 300;

/** The groups that are compared; an issuer that states more of them is cut there. */
const MOST_GROUPS = 1_000;

export const redirectUriOf = (baseUrl: string, { name }: Pick<SsoIssuer, 'name'>): string =>
  `${baseUrl}/admin/sso/${name}/callback`;

/** OpenID Connect Core 1.0 as a relying party of one issuer: authorization code with PKCE and nonce. */
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
        // Verifies the signature of each ID token, also of one that came from the token endpoint over TLS.
        // `SSO_FILE` admits http on this machine only, and the egress rules decide whether it may be called.
        execute: issuer.url.startsWith('http:')
          ? // oxlint-disable-next-line typescript/no-deprecated -- the library marks it so that its use stands out
            [oidc.enableNonRepudiationChecks, oidc.allowInsecureRequests]
          : [oidc.enableNonRepudiationChecks],
      },
    );
    // The library also accepts an issuer that differs in a slash at its end.
    if (configuration.serverMetadata().issuer !== issuer.url) throw new Error('the metadata is of another issuer');
    return configuration;
  }

  /** Reads the metadata once for concurrent requests; a failure is not kept. */
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

  /** The answer of the userinfo endpoint, whose `sub` must be the same, when the ID token does not have all claims. */
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
        // The address is that of the request, whatever the request line had.
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

/** As the issuer prefers it: most take both forms. */
function authenticateClient(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const isBasic = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true;
    (isBasic ? basic : post)(server, client, body, headers);
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Characters of `sub` and `sid`: OpenID Connect Core 1.0 §2 has ASCII of at most 255. */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value);

/** A display name without what an account's name may not have. */
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
  // An address and the word that it is verified come from the same place.
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
