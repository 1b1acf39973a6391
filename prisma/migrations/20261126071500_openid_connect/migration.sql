-- OpenID Connect: what an authentication request asks, and when its user signed in, which id tokens state.
ALTER TABLE oauth_authorizations
  ADD COLUMN nonce TEXT,
  ADD COLUMN prompt TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN max_age INTEGER,
  ADD COLUMN auth_time TIMESTAMPTZ(3),
  ADD COLUMN refusal TEXT;
ALTER TABLE oauth_grants ADD COLUMN auth_time TIMESTAMPTZ(3);
