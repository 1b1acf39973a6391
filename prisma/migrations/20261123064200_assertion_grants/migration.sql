-- Grants by the assertion of an identity provider (RFC 7523 §2.1).
ALTER TABLE oauth_grants DROP CONSTRAINT oauth_grants_kind_check;
ALTER TABLE oauth_grants ADD CONSTRAINT oauth_grants_kind_check CHECK (kind IN ('client_credentials', 'authorization_code', 'assertion'));
