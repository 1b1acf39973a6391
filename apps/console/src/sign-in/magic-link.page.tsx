import { Alert, Button, Stack, TextInput } from '@mantine/core';
import type { PageData } from '@millwright/pages';
import { useState, type SubmitEvent } from 'react';
import { ApiError } from '../api/client.js';
import { LINK_IS_OVER } from './open-page.js';
import { fieldsOf, post } from './post.js';
import { SignInInstead } from './links.js';
import { FailureText } from './states.js';
import { leaveFor, useWork } from './use-work.js';

export function AskMagicLink() {
  const { isRunning, failure, run } = useWork();
  const [message, setMessage] = useState<string>();

  function ask(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = fieldsOf(event.currentTarget);
    setMessage(undefined);
    void run(async () =>
      setMessage((await post<{ message: string }>('/admin/api/magic-link/request', fields)).message),
    );
  }

  return (
    <form onSubmit={ask}>
      <p>If you lost your passkey, a recovery link signs you in once.</p>
      <Stack gap="md" mb="md">
        <TextInput label="Email" name="email" type="email" autoComplete="email" required maxLength={254} autoFocus />
        <FailureText>{failure}</FailureText>
        <div role="status">{message !== undefined && <Alert>{message}</Alert>}</div>
        <Button type="submit" loading={isRunning}>
          Request link
        </Button>
      </Stack>
      <SignInInstead />
    </form>
  );
}

/** Signs the user in only after a click. Mail scanners open links without a click, so they do not use up the token. */
export function RedeemMagicLink({ token, email }: PageData['redeem-magic-link']) {
  const { isRunning, failure, run } = useWork();

  function redeem(event: SubmitEvent): void {
    event.preventDefault();
    void run(async () => {
      const { redirect_to } = await post<{ redirect_to: string }>('/admin/api/magic-link/validate', { token }).catch(
        (error: unknown) => {
          const isOver = error instanceof ApiError && error.code === 'unauthorized';
          throw isOver ? new Error(LINK_IS_OVER) : error;
        },
      );
      await leaveFor(redirect_to);
    });
  }

  return (
    <form onSubmit={redeem}>
      <p>
        This signs you in to the account{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>{' '}
        once, so that you can add a new passkey. If this browser is signed in to an account, it is signed out there.
      </p>
      <Stack gap="md" mb="md">
        <FailureText>{failure}</FailureText>
        <Button type="submit" loading={isRunning} autoFocus>
          Sign in
        </Button>
      </Stack>
      <p className="aside">
        Each link works once, for 15 minutes. <a href="/admin/magic-link">Request a new link</a>
      </p>
    </form>
  );
}
