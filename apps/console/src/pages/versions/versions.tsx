import { Badge, Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource, askArea, matching } from '../../api/areas.js';
import type { Version } from '../../api/platform-records.js';
import type { List } from '../../api/admin-records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { Pager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { TextShape } from '../../ui/loading.js';
import { differencesOf } from './difference.js';
import { fieldLabel } from './field-label.js';
import { SideBySide } from './side-by-side.js';
import { versionIn } from './version-in.js';
import classes from './versions.module.css';

export interface VersionsProps<State extends object> {
  /** Path of the record. */
  path: string;
  current: State;
  etag: string;
  refresh: readonly (readonly string[])[];
}

/** A record's versions, each with its difference to the current state and a restore button. The address contains the chosen version. */
export function Versions<State extends object>({ path, current, etag, refresh }: VersionsProps<State>) {
  const { values, page, set } = useUrlState(['tab', 'version']);
  const versions = useQuery({
    ...areaResource<List<Version<State>>>('platform', `${path}/versions`, { page, per_page: 20 }),
    placeholderData: keepPreviousData,
  });
  const newest = versionIn(etag);
  return (
    <>
      {values.version !== '' && (
        <OneVersion<State>
          path={path}
          number={values.version}
          current={current}
          newest={newest}
          etag={etag}
          refresh={refresh}
          close={() => set({ version: null, page })}
        />
      )}
      <Section
        title="Versions"
        text="Every save creates a version. Select one to compare it with the current one, and the current one with the one before."
        flush
      >
        <div className={classes.versions}>
          <DataTable
            label="Versions"
            columns={[
              {
                title: 'Version',
                render: ({ version }) => (
                  <Text size="sm" fw={550} component="span" data-opened={String(version) === values.version}>
                    {version} {version === newest && <Badge>Current</Badge>}
                  </Text>
                ),
              },
              { title: 'Saved', render: ({ at }) => <Time at={at} /> },
              { title: 'By', render: ({ by }) => <bdi>{by.actor_id}</bdi> },
              {
                title: 'Changes',
                render: ({ version, changed }) =>
                  version === 1 ? 'Created' : changed.map(fieldLabel).join(', ') || 'None',
              },
            ]}
            query={versions}
            rowKey={({ version }) => String(version)}
            onOpen={({ version }) => set({ version, page })}
            empty={{ title: 'No versions yet' }}
          />
        </div>
        <Pager list={versions.data} onPage={(next) => set({ page: next })} />
      </Section>
    </>
  );
}

function OneVersion<State extends object>({
  path,
  number,
  current,
  newest,
  etag,
  refresh,
  close,
}: VersionsProps<State> & { number: string; newest: number; close: () => void }) {
  const isNewest = Number(number) === newest;
  // The current version is compared with its predecessor.
  const since = isNewest ? String(Math.max(1, newest - 1)) : number;
  const versionPath = `${path}/versions/${encodeURIComponent(since)}`;
  const version = useQuery(areaResource<Version<State>>('platform', versionPath));
  const restore = useAction(() => askArea('platform', 'POST', `${versionPath}/restore`, undefined, matching(etag)), {
    refresh,
    done: `Version ${since} restored.`,
    onDone: close,
  });
  const ask = () =>
    confirm({
      title: `Restore version ${since}?`,
      text: 'The current state is replaced by this one, as a new version. You can undo this by restoring again.',
      action: 'Restore',
      tone: 'plain',
      work: () => restore.mutateAsync(),
    });
  const differences = version.data && differencesOf(version.data.state, current);
  return (
    <Section
      title={`Changes since version ${since}`}
      actions={
        <>
          <Button size="xs" variant="default" onClick={close}>
            Close
          </Button>
          {differences !== undefined && differences.length > 0 && (
            <Button size="xs" onClick={ask}>
              Restore version {since}
            </Button>
          )}
        </>
      }
    >
      {version.error && <Failure error={version.error} retry={() => void version.refetch()} />}
      {version.isPending && <TextShape lines={5} />}
      {differences?.length === 0 && <Text size="sm">No changes since this version.</Text>}
      {differences && <SideBySide differences={differences} before={`Version ${since}`} after="Current" />}
      {version.data && (
        <Group gap="xs" mt="sm">
          <Text size="xs" c="dimmed">
            Saved <Time at={version.data.at} /> by <bdi>{version.data.by.actor_id}</bdi>
          </Text>
        </Group>
      )}
    </Section>
  );
}
