import { Drawer, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/client.js';
import { Failure } from '../../ui/failure.js';
import { MessageText } from '../../ui/message-text.js';
import { ConsoleLink } from '../../ui/console-link.js';
import { TextShape } from '../../ui/loading.js';
import { useHasRole, PROJECT_ROLES } from '../../api/roles.js';
import { placeOf, SourceLink } from './passage.js';
import { passageResource } from './passage-resource.js';

export interface PassageDrawerProps {
  id: string;
  close: () => void;
}

/** The text that an answer cites, beside the conversation. */
export function PassageDrawer({ id, close }: PassageDrawerProps) {
  const passage = useQuery(passageResource(id));
  const mayEdit = useHasRole(...PROJECT_ROLES);
  const found = passage.data;
  const source = found?.knowledge_source;
  const place = found?.file ?? source;
  const isMissing = passage.error instanceof ApiError && passage.error.status === 404;
  return (
    <Drawer opened onClose={close} position="right" size="lg" title={found?.title ?? 'Source'}>
      {place && (
        <Text size="sm" c="dimmed" mb="sm">
          {placeOf(place)}
        </Text>
      )}
      {source && <SourceLink url={source.url} />}
      {found && <MessageText text={found.content} />}
      {found && mayEdit && (
        <Text size="sm" mt="md">
          <ConsoleLink to={`/build/content/${found.id}`}>{place ? 'Open passage' : 'Open content item'}</ConsoleLink>
        </Text>
      )}
      {isMissing && <Text size="sm">This text was deleted, or indexed again since the answer.</Text>}
      {passage.error && !isMissing && <Failure error={passage.error} retry={() => void passage.refetch()} />}
      {passage.isLoading && <TextShape lines={8} />}
    </Drawer>
  );
}
