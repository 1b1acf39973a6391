-- Proof of possession (RFC 9449): refresh tokens of public clients, and codes, are bound to a key of the client.
ALTER TABLE oauth_grants ADD COLUMN dpop_jkt TEXT;
ALTER TABLE oauth_authorizations ADD COLUMN dpop_jkt TEXT;
