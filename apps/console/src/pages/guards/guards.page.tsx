import { useQuery } from '@tanstack/react-query';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { CurlButton } from '../../ui/curl.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { ChoicesShape } from '../../ui/loading.js';
import { GuardsForm, policyAt, PROJECT_GUARDS } from './guards-form.js';

/** Form for the guard rules of the project: actions on secrets and personal data in runs. */
function GuardsPage() {
  const policy = useQuery({ ...policyAt(PROJECT_GUARDS), refetchOnWindowFocus: false });
  return (
    <>
      <PageHeader
        title="Guards"
        text="What happens with secrets and personal data in runs of agents and prompts."
        actions={
          <>
            <CurlButton area="platform" calls={[{ title: 'Get the guards', path: PROJECT_GUARDS }]} />
            <AuditLogLink filters={{ resource: 'guards' }} />
          </>
        }
      />
      {policy.error && !policy.data && <Failure error={policy.error} retry={() => void policy.refetch()} />}
      {policy.isPending && <ChoicesShape choices={4} />}
      {policy.data && <GuardsForm key={JSON.stringify(policy.data)} path={PROJECT_GUARDS} stored={policy.data} />}
    </>
  );
}

export { GuardsPage as Component };
