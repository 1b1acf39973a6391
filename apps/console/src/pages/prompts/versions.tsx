import { Badge, Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaList } from '../../api/areas.js';
import type { Label, Prompt } from '../../api/prompt-records.js';
import { DataTable } from '../../ui/data-table.js';
import { Pager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useUrlState } from '../../ui/use-url-state.js';
import classes from '../versions/versions.module.css';
import { CompareVersions } from './compare-versions.js';
import { usePromote } from './use-promote.js';

export interface PromptVersionsProps {
  /** Path of the prompt. */
  path: string;
  prompt: Prompt;
  etag: string;
  labels: readonly Label[];
}

/** A prompt's versions, with comparison and restore. The compared versions are in the address. */
export function PromptVersions({ path, prompt, etag, labels }: PromptVersionsProps) {
  const { values, page, set } = useUrlState(['tab', 'version', 'with']);
  const newest = prompt.metadata.version;
  const promote = usePromote({ path, newest, labels });
  const versions = useQuery({
    ...areaList<Prompt>('prompt', `${path}/version`, { page, limit: 20 }),
    placeholderData: keepPreviousData,
  });
  const number = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), newest) : undefined);
  const chosen = number(values.version);
  return (
    <>
      {chosen !== undefined && (
        <CompareVersions
          path={path}
          prompt={prompt}
          etag={etag}
          version={chosen}
          other={number(values.with) ?? comparedWith(chosen, newest)}
          onChange={(version, other) =>
            set({ version, with: other === comparedWith(version, newest) ? null : other, page })
          }
          close={() => set({ version: null, with: null, page })}
        />
      )}
      <Section
        title="Versions"
        text="Every save creates a version. Select one to compare it with the newest, and the newest with the one before."
        flush
      >
        <div className={classes.versions}>
          <DataTable
            label="Versions"
            columns={[
              {
                title: 'Version',
                render: ({ metadata: { version } }) => (
                  <Text size="sm" fw={550} component="span" data-opened={version === chosen}>
                    {version}
                  </Text>
                ),
              },
              {
                title: 'Labels',
                render: ({ metadata: { version } }) => (
                  <VersionLabels
                    isNewest={version === newest}
                    labels={labels.filter((label) => label.version === version)}
                  />
                ),
              },
              {
                title: 'Change note',
                render: ({ metadata: { log_message } }) => (log_message === '' ? '—' : <bdi>{log_message}</bdi>),
              },
              { title: 'Saved', render: ({ metadata }) => <Time at={metadata.updated} /> },
              { title: 'By', render: ({ metadata }) => <bdi>{metadata.author}</bdi> },
              {
                title: 'Actions',
                isActions: true,
                render: ({ metadata: { version } }) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => promote({ version })}
                    aria-label={`Promote version ${version}`}
                  >
                    Promote
                  </Button>
                ),
              },
            ]}
            query={versions}
            rowKey={({ metadata }) => String(metadata.version)}
            onOpen={({ metadata }) => set({ version: metadata.version, with: null, page })}
            empty={{ title: 'No versions yet' }}
          />
        </div>
        <Pager list={versions.data} onPage={(next) => set({ page: next })} />
      </Section>
    </>
  );
}

/** Returns the version with which `version` is compared by default: the newest version or, for the newest version, its predecessor. */
export const comparedWith = (version: number, newest: number): number =>
  version === newest ? Math.max(1, newest - 1) : newest;

function VersionLabels({ isNewest, labels }: { isNewest: boolean; labels: readonly Label[] }) {
  if (!isNewest && labels.length === 0) return '—';
  return (
    <>
      {isNewest && <Badge mr={6}>Newest</Badge>}
      {labels.map(({ name }) => (
        <Badge key={name} color="yellow" mr={6}>
          {name}
        </Badge>
      ))}
    </>
  );
}
