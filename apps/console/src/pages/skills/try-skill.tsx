import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { Agent, Skill } from '../../api/platform-records.js';
import type { List } from '../../api/admin-records.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { FormShape } from '../../ui/form-shape.js';
import { FormColumn } from '../record/record-columns.js';
import { SkillTrial } from './skill-trial.js';

/** Maximum page size of the API. */
const MOST = 100;

/** A trial of a skill: the user chooses an agent that has the skill, and values for the skill's parameters. */
export function TrySkill({ skill }: { skill: Skill }) {
  const [chosen, choose] = useState<string>();
  const agents = useQuery(
    areaResource<List<Agent>>('platform', '/api/v1/agents', {
      sort: 'name',
      order: 'asc',
      status: 'active',
      per_page: MOST,
    }),
  );
  if (agents.error) return <Failure error={agents.error} retry={() => void agents.refetch()} />;
  if (!agents.data) return <FormShape />;
  const able = agents.data.items.filter(({ skill_ids }) => skill_ids.includes(skill.id));
  const agent = able.find(({ id }) => id === chosen) ?? able[0];
  if (!agent) {
    return (
      <Section title="Try it">
        <EmptyState
          title="No active agent has this skill"
          text="Add the skill to an agent to try it."
          action={<Link to="/build/agents">Agents</Link>}
        />
      </Section>
    );
  }
  return (
    <FormColumn>
      <Section title="Try it" text="Sends a real message. The conversation is saved with the agent.">
        {skill.status === 'inactive' && (
          <Text size="sm" mb="sm">
            This skill is inactive. The agent answers without it.
          </Text>
        )}
        <NativeSelect
          label="Agent"
          description={agents.data.total > MOST ? `Only the first ${MOST} agents are listed.` : undefined}
          data={able.map(({ id, name }) => ({ value: id, label: name }))}
          value={agent.id}
          onChange={(event) => choose(event.currentTarget.value)}
          mb="md"
        />
        <SkillTrial key={agent.id} agent={agent.slug} name={agent.name} parameters={skill.parameters} />
      </Section>
    </FormColumn>
  );
}
