import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import type { DeviceLinkData, PageData } from '@millwright/pages';
import { useRef, type SubmitEvent } from 'react';
import { requireRecentProof } from '../api/api.js';
import { CopyTextButton } from '../ui/copy.js';
import { Facts } from '../ui/facts.js';
import classes from '../ui/show-secret.module.css';
import { FailureText, Processing } from './states.js';
import { useWork } from './use-work.js';

const SPECIFIED = ['Core', 'Commerce'].map((id) => ({ id, name: id }));

/**
 * Page that links a device to the account. It sends a plain HTML form, because the answer redirects to the program that requested the link.
 * The page's address contains the request, so that sign-in can return to it. To approve, the user first makes a recent passkey proof.
 */
export function DeviceLink({ deviceName, account, project, projects = SPECIFIED, leadsTo, fields }: DeviceLinkData) {
  const { isRunning, failure, run } = useWork();
  const isProved = useRef(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent;
    if (isProved.current || submitter?.getAttribute('value') !== 'approve') return;
    event.preventDefault();
    void run(async () => {
      await requireRecentProof();
      isProved.current = true;
      form.requestSubmit(submitter);
    });
  };
  return (
    <form method="post" action={`/bridge-auth/device-link?${new URLSearchParams(fields)}`} onSubmit={submit}>
      <p>
        <strong>
          <bdi>{deviceName}</bdi>
        </strong>{' '}
        wants to access your account.
      </p>
      <Facts
        facts={[
          ['Account', <AccountName key="account" {...account} />],
          ...(project === null ? [] : [['Project', project] as const]),
          ['Answer goes to', leadsTo ?? 'This page, as a code'],
        ]}
      />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {project === null && (
        <NativeSelect
          label="Project"
          name="project"
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
          my="md"
        />
      )}
      <Alert color="yellow" py="xs" my="md" title="This gives full access">
        The device can do everything that you can, until you revoke it in your profile. Only approve if you started this
        just now.
      </Alert>
      <Processing isOn={isRunning} />
      <FailureText>{failure}</FailureText>
      <Group gap="xs">
        <Button type="submit" name="decision" value="approve">
          Approve
        </Button>
        <Button type="submit" variant="default" name="decision" value="deny">
          Deny
        </Button>
      </Group>
    </form>
  );
}

function AccountName({ name, email }: DeviceLinkData['account']) {
  return (
    <>
      <bdi>{name}</bdi> (<bdi>{email}</bdi>)
    </>
  );
}

export function DeviceCode({ code }: PageData['device-code']) {
  return (
    <>
      <p>Enter this code in the program that asks for it. It works once, for ten minutes.</p>
      <Stack gap="md" mb="md" align="flex-start">
        <code className={classes.secret}>{code}</code>
        <CopyTextButton value={code} label="Copy code" />
      </Stack>
      <p className="aside">Anyone who has this code can use your account. Don&apos;t share it.</p>
    </>
  );
}
