-- Grants by the exchange of a token for a call (RFC 8693).
ALTER TABLE oauth_grants DROP CONSTRAINT oauth_grants_kind_check;
ALTER TABLE oauth_grants ADD CONSTRAINT oauth_grants_kind_check CHECK (kind IN ('client_credentials', 'authorization_code', 'assertion', 'exchange'));
