-- The message about a sign-in with a new browser. Messages wait here for minutes: the table is small.
ALTER TABLE account_notices DROP CONSTRAINT account_notices_kind_check,
  ADD CONSTRAINT account_notices_kind_check
    CHECK (kind IN ('email_changed', 'passkeys_removed', 'identity_unlinked', 'recovery_limited', 'break_glass_used', 'passkey_added', 'device_linked',
                    'recovery_used', 'new_browser', 'role_changed', 'webhook_failing', 'webhook_disabled',
                    'platform_admin_requested', 'platform_admin_refused', 'platform_admin_made', 'credential_expires'));
