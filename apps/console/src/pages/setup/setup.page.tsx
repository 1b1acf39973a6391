import { Alert, Skeleton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Addresses, Me } from '../../api/records.js';
import { PageHeader } from '../../ui/page-header.js';
import { AgentStep } from './agent-step.js';
import { KeyStep } from './key-step.js';
import { MoreCalls } from './more-calls.js';
import { PasskeyStep } from './passkey-step.js';
import { SkillStep } from './skill-step.js';
import { TalkStep } from './talk-step.js';
import { useProgress } from './use-progress.js';

function SetupPage() {
  const me = useQuery(resource<Me>('/me'));
  return (
    <>
      <PageHeader title="Set up" text="From a passkey to the first answer of an agent, step by step." />
      {me.data ? <Steps me={me.data} /> : <Skeleton height={260} radius="md" aria-busy="true" />}
    </>
  );
}

/** What is done is read from what is there, so the steps are right after a reload, and for everyone. */
function Steps({ me }: { me: Me }) {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  const progress = useProgress(me.is_admin);
  const [key, setKey] = useState<string>();
  const known = addresses.data && {
    addresses: addresses.data,
    key,
    skillId: progress.skill?.id,
    agent: progress.agent?.slug,
  };
  const next = (['passkey', 'skill', 'agent', 'conversation', 'key'] as const).find(
    (name) => !progress[name] && (me.is_admin || name === 'passkey' || name === 'key'),
  );
  const isAllDone = next === undefined;
  const common = { progress, known };
  return (
    <>
      {isAllDone && (
        <Alert color="mill" icon={<IconCircleCheck size={18} />} title="Everything is set up" mb="lg" role="status">
          {me.is_admin ? (
            <>
              See what happens on the <Link to="/">dashboard</Link>, or <Link to="/talk">talk to an agent</Link>.
            </>
          ) : (
            'Your programs can begin: the calls are below.'
          )}
        </Alert>
      )}
      <PasskeyStep progress={progress} />
      {me.is_admin && (
        <>
          <SkillStep {...common} isNext={next === 'skill'} />
          <AgentStep {...common} isNext={next === 'agent'} />
          <TalkStep {...common} isNext={next === 'conversation'} />
        </>
      )}
      <KeyStep
        title={`${me.is_admin ? 5 : 2}. Make an API key`}
        me={me}
        {...common}
        isNext={next === 'key'}
        onIssued={setKey}
      />
      <MoreCalls me={me} known={known} />
    </>
  );
}

export { SetupPage as Component };
