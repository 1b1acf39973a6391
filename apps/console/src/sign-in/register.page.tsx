import { Alert, Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { PageData } from '@millwright/pages';
import { useState, type SubmitEvent } from 'react';
import { fieldsOf, post } from './post.js';
import type { AdminAnswers } from '../api/answers/admin.js';
import { SignInInstead } from './links.js';
import { FailureText } from './states.js';
import { useWork } from './use-work.js';

const ROLES = { user: 'User', admin: 'Administrator' };

export function Register({ isOpen, roles, sendsLink }: PageData['register']) {
  const { isRunning, failure, run } = useWork();
  const [isKnown, setKnown] = useState(false);

  function register(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = fieldsOf(event.currentTarget);
    setKnown(false);
    void run(async () => {
      const { setup_url } = await post<AdminAnswers['register']>('/admin/api/register', fields);
      if (typeof setup_url === 'string') window.location.assign(setup_url);
      else setKnown(true);
    });
  }

  return (
    <form onSubmit={register}>
      <p>You sign in with a passkey. There is no password.</p>
      {!isOpen && (
        <p className="aside">
          Registration is closed. You can only claim an account that an administrator created for you.
        </p>
      )}
      <Stack gap="md" my="md">
        <TextInput label="Name" name="name" autoComplete="name" required maxLength={200} autoFocus />
        <TextInput label="Email" name="email" type="email" autoComplete="email" required maxLength={254} />
        {roles.length > 1 ? (
          <NativeSelect
            label="Role"
            description="Administrators manage users, agents and settings."
            name="role"
            data={roles.map((value) => ({ value, label: ROLES[value] }))}
          />
        ) : (
          <input type="hidden" name="role" value={roles[0]} />
        )}
        <FailureText>{failure}</FailureText>
        {isKnown && sendsLink && (
          <Alert role="status" title="Check your mail.">
            If the account can be set up, a link is on its way to your address. It works for 15 minutes.
          </Alert>
        )}
        {isKnown && !sendsLink && (
          <Alert role="status" color="yellow" title="This account can’t be set up here.">
            If it is yours, <a href="/admin/login">sign in</a> or ask an administrator for a setup link.
          </Alert>
        )}
        <Button type="submit" loading={isRunning}>
          Continue
        </Button>
      </Stack>
      <SignInInstead />
    </form>
  );
}
