-- Messages wait here for minutes: the table is small.
ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind_check,
  ADD CONSTRAINT account_notices_kind_check
    CHECK (kind IN ('email_changed', 'passkeys_removed', 'recovery_limited', 'break_glass_used', 'passkey_added', 'device_linked', 'recovery_used'));
