import { Button, Stack, TextInput } from '@mantine/core';
import type { SetupData } from '@millwright/pages';
import type { SubmitEvent } from 'react';
import { setupAddress } from './open-page.js';

/** Explains the next step; the next page creates the passkey. */
export function AddPasskey({ token, email }: SetupData) {
  function create(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const entered = new FormData(event.currentTarget).get('name');
    const name = typeof entered === 'string' ? entered : '';
    window.location.assign(setupAddress(`/admin/verify-pending?${new URLSearchParams({ name }).toString()}`, token));
  }

  return (
    <form onSubmit={create}>
      <p>
        The passkey for{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>{' '}
        is stored on this device, your phone or a security key. You use it to sign in.
      </p>
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
