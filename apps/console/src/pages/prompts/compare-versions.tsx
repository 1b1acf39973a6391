import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { areaResource, askArea, matching } from '../../api/areas.js';
import type { Definition, Prompt, VersionUsage } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { confirm } from '../../ui/confirm.js';
import { Failure } from '../../ui/failure.js';
import { costText, countText } from '../../ui/figures.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { TextShape } from '../../ui/loading.js';
import { differencesOf } from '../versions/difference.js';
import { SideBySide } from '../versions/side-by-side.js';
import { VersionSelect } from './version-select.js';

export interface CompareVersionsProps {
  path: string;
  prompt: Prompt;
  etag: string;
  version: number;
  other: number;
  onChange: (version: number, other: number) => void;
  close: () => void;
}

/** The differences between the versions `version` and `other`, and a button that restores `version`. */
export function CompareVersions({ path, prompt, etag, version, other, onChange, close }: CompareVersionsProps) {
  const newest = prompt.metadata.version;
  const [before, after] = [useVersion(path, version, prompt), useVersion(path, other, prompt)];
  const restore = useAction(
    () => askArea<Prompt>('prompt', 'POST', `${path}/version/${version}/restore`, undefined, matching(etag)),
    {
      refresh: QUERY_KEYS.prompts,
      done: ({ metadata }) => `Version ${version} restored as version ${metadata.version}. Labels did not move.`,
      onDone: close,
    },
  );
  const ask = () =>
    confirm({
      title: `Restore version ${version}?`,
      text: 'Its content becomes a new version. All other versions stay, and labels do not move.',
      action: 'Restore',
      tone: 'plain',
      work: () => restore.mutateAsync(),
    });
  const error = before.error ?? after.error;
  // Shows the older version on the left.
  const [older, newer] = version <= other ? [before, after] : [after, before];
  const differences =
    older.data && newer.data ? differencesOf(authorFields(older.data), authorFields(newer.data)) : undefined;
  return (
    <Section
      title={`Version ${version} compared with version ${other}`}
      text={<Usage path={path} version={version} />}
      actions={
        <>
          <Button size="xs" variant="default" onClick={close}>
            Close
          </Button>
          {version !== newest && (
            <Button size="xs" onClick={ask}>
              Restore version {version}
            </Button>
          )}
        </>
      }
    >
      <Group gap="sm" mb="md" align="flex-end">
        <VersionSelect
          label="Compare version"
          size="xs"
          newest={newest}
          value={version}
          onChange={(next) => onChange(next, other)}
        />
        <VersionSelect
          label="With version"
          size="xs"
          newest={newest}
          value={other}
          onChange={(next) => onChange(version, next)}
        />
      </Group>
      {error && <Failure error={error} />}
      {!differences && !error && <TextShape lines={5} />}
      {differences?.length === 0 && <Text size="sm">No differences.</Text>}
      {differences && (
        <SideBySide
          differences={differences}
          before={`Version ${Math.min(version, other)}`}
          after={`Version ${Math.max(version, other)}`}
        />
      )}
    </Section>
  );
}

/** Fetches a version of the prompt only once, because versions never change. */
function useVersion(path: string, version: number, prompt: Prompt) {
  const read = useQuery({
    ...areaResource<Prompt>('prompt', `${path}/version/${version}`),
    enabled: version !== prompt.metadata.version,
    staleTime: Infinity,
  });
  return version === prompt.metadata.version ? { data: prompt, error: null } : read;
}

function Usage({ path, version }: { path: string; version: number }) {
  const usage = useQuery(areaResource<VersionUsage>('prompt', `${path}/version/${version}/usage`));
  if (!usage.data) return <>Version {version}: loading usage.</>;
  const { runs, usage: used, cost_usd } = usage.data;
  if (runs === 0) return <>Version {version} has no runs yet.</>;
  const tokens = countText(used.total_tokens, 'token');
  return (
    <>
      Version {version}: {countText(runs, 'run')}, {tokens}, cost {costText(cost_usd, used.total_tokens)}.
    </>
  );
}

/** The fields of a version that an author writes, by their path in the prompt. */
function authorFields({ instruction, input, output, model_parameters, metadata }: Prompt): Record<string, unknown> {
  const { title, description, tag, status } = metadata;
  return {
    ...under('instruction', { ...instruction }),
    ...under('input', definitionFields(input)),
    ...under('output', definitionFields(output)),
    model_parameters,
    ...under('metadata', { title, description, tag, status }),
  };
}

function definitionFields({ name, description, reference, schema }: Definition) {
  return { name, description, reference: reference.map(({ uuid }) => uuid), schema };
}

function under(parent: string, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${parent}.${name}`, value]));
}
