import { Alert } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Addresses, Me } from '../../api/admin-records.js';
import { hasRole, PROJECT_ROLES } from '../../api/roles.js';
import { PageHeader } from '../../ui/page-header.js';
import { SectionsShape } from '../../ui/loading.js';
import { AgentStep } from './agent-step.js';
import { KeyStep } from './key-step.js';
import { ModelStep } from './model-step.js';
import { MoreCalls } from './more-calls.js';
import { PasskeyStep } from './passkey-step.js';
import { ProgressLine } from './progress-line.js';
import { Samples } from './samples.js';
import { ServerStep } from './server-step.js';
import { SkillStep } from './skill-step.js';
import classes from './step.module.css';
import { TalkStep } from './talk-step.js';
import { stepsOf, useProgress } from './use-progress.js';

function SetupPage() {
  const me = useQuery(resource<Me>('/me'));
  return (
    <>
      <PageHeader title="Get started" text="From a model to your first agent and API key." />
      {me.data ? <Steps me={me.data} /> : <SectionsShape sections={4} />}
    </>
  );
}

/** "Get started". Progress is derived from existing records, so that it survives a reload and is the same for every admin. */
function Steps({ me }: { me: Me }) {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  const builds = hasRole(me.roles, PROJECT_ROLES);
  const progress = useProgress(builds);
  const [key, setKey] = useState<string>();
  const known = addresses.data && {
    addresses: addresses.data,
    key,
    skillId: progress.skill?.id,
    agent: progress.agent?.slug,
  };
  const next = stepsOf(builds).find((name) => !progress[name]);
  const isAllDone = next === undefined;
  const common = { progress, known };
  return (
    <>
      {isAllDone && (
        <Alert color="mill" icon={<IconCircleCheck size={18} />} title="Everything is set up" mb="lg" role="status">
          {builds ? (
            <>
              Open the <Link to="/">dashboard</Link> or <Link to="/talk">chat with an agent</Link>.
            </>
          ) : (
            'Your code can call the APIs: examples are below.'
          )}
        </Alert>
      )}
      {!isAllDone && (
        <div style={{ marginBottom: 16 }}>
          <ProgressLine progress={progress} isAdmin={builds} />
        </div>
      )}
      {builds && <Samples isOffered={progress.agent === null} />}
      {progress.passkey === false && <PasskeyStep progress={progress} />}
      {builds && (
        <>
          <ModelStep progress={progress} />
          <SkillStep {...common} isNext={next === 'skill'} />
          <AgentStep {...common} isNext={next === 'agent'} />
          <TalkStep {...common} isNext={next === 'conversation'} />
          <ServerStep title="5. Add tools" progress={progress} />
        </>
      )}
      <KeyStep
        title={`${builds ? 6 : 1}. Create an API key`}
        me={me}
        {...common}
        isNext={next === 'key'}
        onIssued={setKey}
      />
      <details className={classes.more}>
        <summary>More API calls</summary>
        <MoreCalls me={me} known={known} />
      </details>
    </>
  );
}

export { SetupPage as Component };
