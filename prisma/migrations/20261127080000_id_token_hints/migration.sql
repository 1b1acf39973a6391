-- The user whom a client expects to sign in (OpenID Connect Core 1.0 §3.1.2.1).
ALTER TABLE oauth_authorizations ADD COLUMN hinted_user_id UUID;
