import { Alert, Button, Group, Text } from '@mantine/core';
import type { ConsentData } from '@millwright/pages';
import { useEffect, useRef } from 'react';
import classes from './consent.module.css';
import { ApiError } from '../api/client.js';
import { post } from './post.js';
import { againFor } from './sign-in-flow.js';
import { FailureText, Processing } from './states.js';
import { leaveFor, useWork } from './use-work.js';

/** What an application may do is said before it is let in, and where the answer goes. */
export function Consent({ request, isRemembered, ...asked }: ConsentData) {
  const { isRunning, failure, run } = useWork();
  const isStarted = useRef(false);
  const decide = (decision: 'approve' | 'deny') =>
    void run(async () => {
      const { location } = await post<{ location: string }>('/admin/api/consents', { request, decision }).catch(
        async (error: unknown) => {
          // The session has ended: the sign-in leads back to the same question.
          if (error instanceof ApiError && error.status === 401) {
            await leaveFor(againFor(window.location.pathname + window.location.search));
          }
          throw error;
        },
      );
      await leaveFor(location);
    });
  useEffect(() => {
    if (!isRemembered || isStarted.current) return;
    isStarted.current = true;
    decide('approve');
  });
  return (
    <>
      <Asked {...asked} />
      <Processing isOn={isRunning} />
      <FailureText>{failure}</FailureText>
      <Group gap="xs" my="md">
        <Button onClick={() => decide('approve')} disabled={isRunning}>
          Allow
        </Button>
        <Button variant="default" onClick={() => decide('deny')} disabled={isRunning}>
          Deny
        </Button>
      </Group>
      <p className="aside">
        You can revoke this at any time in your <a href="/admin/profile">profile</a>.
      </p>
    </>
  );
}

type Shown = Omit<ConsentData, 'request' | 'isRemembered'>;

function Asked({ clientName, clientHost, isUnverified, leadsTo, isLocal, email, scopes }: Shown) {
  return (
    <>
      <p>
        <Name>{clientName}</Name>
        {clientHost !== null && (
          <>
            {' '}
            from <Name>{clientHost}</Name>
          </>
        )}{' '}
        wants to access your account <Name>{email}</Name>.
      </p>
      {isUnverified && (
        <Alert color="yellow" py="xs" mb="md">
          This application is not verified. It chose its name itself.
        </Alert>
      )}
      <h2 className={classes.title} id="allowed">
        It will be able to
      </h2>
      <ul className={classes.scopes} aria-labelledby="allowed">
        {scopes.map(({ scope, description }) => (
          <li key={scope}>
            {description}
            <Text component="code" size="xs" c="dimmed" ff="monospace">
              {scope}
            </Text>
          </li>
        ))}
      </ul>
      <p>
        You will be sent to <Name>{leadsTo}</Name>.
      </p>
      {isLocal && (
        <Alert color="yellow" py="xs" mb="md" role="note">
          This is a program on your computer. Only allow it if you started this just now in a program that you trust.
        </Alert>
      )}
    </>
  );
}

/** Someone else chose these letters: they must not turn the others around. */
function Name({ children }: { children: string }) {
  return (
    <strong>
      <bdi>{children}</bdi>
    </strong>
  );
}
