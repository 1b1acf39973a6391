-- Clients that register themselves may have the grant for devices (RFC 8628).
ALTER TABLE oauth_clients
  DROP CONSTRAINT oauth_clients_grant_types_check,
  ADD CONSTRAINT oauth_clients_grant_types_check CHECK (
    grant_types <@ ARRAY['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']
    AND 'authorization_code' = ANY (grant_types)) NOT VALID;
ALTER TABLE oauth_clients VALIDATE CONSTRAINT oauth_clients_grant_types_check;
