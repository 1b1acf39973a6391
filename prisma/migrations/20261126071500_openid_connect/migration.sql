-- OpenID Connect: what an authentication request asks, and when its user signed in, which id tokens state.
ALTER TABLE oauth_authorizations
  ADD COLUMN nonce TEXT,
  ADD COLUMN prompt TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN max_age INTEGER,
  ADD COLUMN auth_time TIMESTAMPTZ(3),
  ADD COLUMN refusal TEXT;
ALTER TABLE oauth_grants ADD COLUMN auth_time TIMESTAMPTZ(3);
ALTER TABLE oauth_authorizations ADD CONSTRAINT oauth_authorizations_prompt_check
  CHECK (prompt <@ ARRAY['none', 'login', 'consent', 'select_account']) NOT VALID;
ALTER TABLE oauth_authorizations VALIDATE CONSTRAINT oauth_authorizations_prompt_check;
