import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { chooseProject } from '../../api/project.js';
import type { Decision } from '../../api/admin-records.js';
import { useHasRole } from '../../api/roles.js';
import { resourceOf } from '../../ui/event-resource.js';

/** The record of an event, with a link to its page. */
export function ResourceCell({ event }: { event: Decision }) {
  const { kind, name, to } = resourceOf(event);
  const mayOpen = useHasRole('admin');
  const label =
    name === undefined ? (
      <Text span ff="monospace" size="xs">
        {event.resource}
      </Text>
    ) : (
      <bdi>{name}</bdi>
    );
  const choose = () => {
    // Selects the record's project, because the page of the record shows only records of the selected project.
    if (event.project !== null) chooseProject(event.project);
  };
  return (
    <Text size="sm" component="div" truncate maw={320}>
      {kind !== undefined && (
        <Text span inherit c="dimmed">
          {kind}{' '}
        </Text>
      )}
      {to === undefined || !mayOpen ? (
        label
      ) : (
        <Anchor component={Link} to={to} onClick={choose} inherit>
          {label}
        </Anchor>
      )}
    </Text>
  );
}
