import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { areaResource } from '../../api/areas.js';
import type { AgentFields, Version } from '../../api/platform-records.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextShape } from '../../ui/loading.js';
import { DifferenceView } from '../versions/difference-view.js';
import { differencesOf } from '../versions/difference.js';
import { versionNumbers } from '../workbench/candidate-inputs.js';
import type { SavedAgent } from './agent-values.js';

/** Differences between the draft and a saved version. */
export function DraftChanges({ draft, saved }: { draft: AgentFields; saved: SavedAgent }) {
  const [chosen, setChosen] = useState<number>();
  const number = chosen ?? saved.version;
  const version = useQuery(areaResource<Version<AgentFields>>('platform', `${saved.path}/versions/${number}`));
  const differences = version.data && differencesOf(version.data.state, draft);
  return (
    <Section title="Changes of this draft">
      <NativeSelect
        label="Since"
        mb="sm"
        value={String(number)}
        data={versionNumbers(saved.version).map((one) => ({ value: String(one), label: `Version ${one}` }))}
        onChange={({ currentTarget: { value } }) => setChosen(Number(value))}
      />
      {version.error && <Failure error={version.error} retry={() => void version.refetch()} />}
      {version.isPending && <TextShape lines={2} />}
      {differences?.length === 0 && <Text size="sm">No changes since this version.</Text>}
      {differences && <DifferenceView differences={differences} />}
    </Section>
  );
}
