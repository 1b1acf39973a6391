import { Button, Stack, TextInput } from '@mantine/core';
import type { SetupData } from '@millwright/pages';

/** Explains the next step; the next page creates the passkey. */
export function AddPasskey({ token, email }: SetupData) {
  return (
    <form action="/admin/verify-pending" method="get">
      <p>
        The passkey for{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>{' '}
        is stored on this device, your phone or a security key. You use it to sign in.
      </p>
      <input type="hidden" name="token" value={token} />
      <Stack gap="md">
        <TextInput
          label="Passkey name"
          name="name"
          defaultValue="My passkey"
          required
          maxLength={100}
          autoComplete="off"
          autoFocus
        />
        <Button type="submit">Create passkey</Button>
      </Stack>
    </form>
  );
}
