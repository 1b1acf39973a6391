-- Reminders of credentials that expire. Null: none was sent; otherwise the days before the expiry of the latest.
ALTER TABLE user_api_keys ADD COLUMN reminded_days smallint,
  ADD CONSTRAINT user_api_keys_reminded_days_check CHECK (reminded_days IN (14, 3, 0));

-- What a message names: a credential and its expiry.
ALTER TABLE account_notices ADD COLUMN detail jsonb NOT NULL DEFAULT '{}',
  ADD CONSTRAINT account_notices_detail_check CHECK (octet_length(detail::text) <= 2048);

-- Messages wait here for minutes: the table is small.
ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind_check,
  ADD CONSTRAINT account_notices_kind_check
    CHECK (kind IN ('email_changed', 'passkeys_removed', 'recovery_limited', 'break_glass_used', 'passkey_added', 'device_linked', 'recovery_used',
                    'role_changed', 'webhook_failing', 'webhook_disabled',
                    'platform_admin_requested', 'platform_admin_refused', 'platform_admin_made', 'credential_expires'));
