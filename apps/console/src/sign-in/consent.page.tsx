import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import type { ConsentData } from '@millwright/pages';
import { useEffect, useRef, useState } from 'react';
import classes from './consent.module.css';
import { send } from '../api/api.js';
import { FailureText, Processing } from './states.js';
import { leaveFor, useWork } from './use-work.js';

/** Consent to an application: the permissions, and the address that receives the answer. */
export function Consent({ request, isRemembered, ...details }: ConsentData) {
  const { isRunning, failure, run } = useWork();
  const isStarted = useRef(false);
  const [chosen, setChosen] = useState<string[]>([]);
  const decide = (decision: 'approve' | 'deny') =>
    void run(async () => {
      const body = { request, decision, admin_scopes: chosen };
      const { location } = await send<{ location: string }>('POST', '/consents', body);
      await leaveFor(location);
    });
  const isNothingAllowed = details.scopes.length + chosen.length === 0;
  useEffect(() => {
    if (!isRemembered || isStarted.current) return;
    isStarted.current = true;
    decide('approve');
  });
  return (
    <>
      <Details {...details} chosen={chosen} onChoose={setChosen} />
      <Processing isOn={isRunning} />
      <FailureText>{failure}</FailureText>
      <Group gap="xs" my="md">
        <Button onClick={() => decide('approve')} disabled={isRunning || isNothingAllowed}>
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

interface DetailsProps extends Omit<ConsentData, 'request' | 'isRemembered'>, AdminScopesProps {}

function Details({ clientName, clientHost, madeBy, isApproved, isUnverified, email, ...rest }: DetailsProps) {
  const { leadsTo, isLocal, isDevice, ...allowed } = rest;
  const { scopes, adminScopes, chosen, onChoose } = allowed;
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
      <Maker madeBy={madeBy} />
      {isApproved && <p>Approved by an administrator.</p>}
      {isUnverified && (
        <Alert color="yellow" py="xs" mb="md">
          This application is not verified.{' '}
          {madeBy === null
            ? 'It chose its name itself.'
            : 'Only allow it if you know who made it and started this yourself.'}
        </Alert>
      )}
      {scopes.length > 0 && (
        <>
          <h2 className={classes.title} id="allowed">
            It will be able to
          </h2>
          <ul className={classes.scopes} aria-labelledby="allowed">
            {scopes.map(({ scope, description }) => (
              <li key={scope}>
                {description}
                <ScopeName scope={scope} />
              </li>
            ))}
          </ul>
        </>
      )}
      {adminScopes.length > 0 && <AdminScopes adminScopes={adminScopes} chosen={chosen} onChoose={onChoose} />}
      {!isDevice && (
        <p>
          You will be sent to <Name>{leadsTo}</Name>.
        </p>
      )}
      {isDevice && (
        <Alert color="yellow" py="xs" mb="md" role="note">
          This is a program on another device. Only allow it if you started this just now and the device is yours.
        </Alert>
      )}
      {isLocal && (
        <Alert color="yellow" py="xs" mb="md" role="note">
          This is a program on your computer. Only allow it if you started this just now in a program that you trust.
        </Alert>
      )}
    </>
  );
}

function Maker({ madeBy }: Pick<ConsentData, 'madeBy'>) {
  if (madeBy === null) return null;
  if (madeBy.isYou) return <p>You made this application.</p>;
  return (
    <p>
      Made by <Name>{madeBy.name}</Name> (<bdi>{madeBy.email}</bdi>).
    </p>
  );
}

interface AdminScopesProps extends Pick<ConsentData, 'adminScopes'> {
  chosen: string[];
  onChoose: (scopes: string[]) => void;
}

/** Rights over the project and over the accounts of other people. Each right is granted only if its box is ticked. */
function AdminScopes({ adminScopes, chosen, onChoose }: AdminScopesProps) {
  return (
    <>
      <h2 className={classes.title} id="rights">
        It also asks for administrator rights
      </h2>
      <p className="aside">Tick what you want to allow. You confirm it with your passkey.</p>
      <Checkbox.Group aria-labelledby="rights" value={chosen} onChange={onChoose}>
        <ul className={classes.scopes}>
          {adminScopes.map(({ scope, description }) => (
            <li key={scope}>
              <Checkbox value={scope} label={description} />
              <ScopeName scope={scope} />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
    </>
  );
}

function ScopeName({ scope }: { scope: string }) {
  return (
    <Text component="code" size="xs" c="dimmed" ff="monospace">
      {scope}
    </Text>
  );
}

/** Isolates a name from an untrusted source, so that its writing direction does not affect the text around it. */
function Name({ children }: { children: string }) {
  return (
    <strong>
      <bdi>{children}</bdi>
    </strong>
  );
}
