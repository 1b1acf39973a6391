import { Button, Stack, TextInput } from '@mantine/core';
import type { SetupData } from '@millwright/pages';

/** Says what comes; the next page does it. */
export function AddPasskey({ token, email }: SetupData) {
  return (
    <form action="/admin/verify-pending" method="get">
      <p>
        The passkey for{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>{' '}
        is kept by this device, your phone or a security key. It is the only way to sign in.
      </p>
      <input type="hidden" name="token" value={token} />
      <Stack gap="md">
        <TextInput
          label="Name of this passkey"
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
