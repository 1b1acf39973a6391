import { Button, Drawer, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { areaResource, askArea } from '../../api/areas.js';
import type { Delivery, DeliveryWithData } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Facts } from '../../ui/facts.js';
import { Failure } from '../../ui/failure.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { FactsShape } from '../../ui/loading.js';
import { CopyValue } from '../record/details.js';
import { DeliveryState } from './delivery-state.js';

export interface DeliveryDrawerProps {
  /** Path of the webhook. */
  path: string;
  /** Id of the open delivery; empty when none is open. */
  id: string;
  isActive: boolean;
  close: () => void;
}

/** One delivery with its last attempt and the event's data. */
export function DeliveryDrawer({ path, id, isActive, close }: DeliveryDrawerProps) {
  const address = `${path}/deliveries/${encodeURIComponent(id)}`;
  const delivery = useQuery({ ...areaResource<DeliveryWithData>('platform', address), enabled: id !== '' });
  const replay = useAction(() => askArea<Delivery>('platform', 'POST', `${address}/replay`), {
    refresh: QUERY_KEYS.webhooks,
    done: 'The event is sent again.',
  });
  const { data, error, refetch } = delivery;
  return (
    <Drawer opened={id !== ''} onClose={close} position="right" size={640} padding={18} title="Delivery">
      {data ? (
        <Stack gap="md">
          <Facts
            isStacked
            facts={[
              ['State', <DeliveryState key="state" state={data.state} />],
              ['Event', data.event.type],
              ['Subject', <CopyValue key="subject" value={data.event.subject} label="subject" />],
              ['webhook-id', <CopyValue key="event" value={data.event.id} label="webhook-id" />],
              ['Attempts', data.attempts],
              ['Last attempt', <Time key="last" at={data.last_attempt_at} none="None" />],
              [
                'Next attempt',
                <Time
                  key="next"
                  at={data.next_attempt_at}
                  none={data.state === 'pending' ? 'After the event before it' : 'None'}
                />,
              ],
              ['Last status', data.last_status ?? '—'],
              ['Last error', data.last_error ?? '—'],
            ]}
          />
          {data.answer !== null && data.answer !== '' && <CodeBlock code={data.answer} label="Answer" />}
          <CodeBlock code={JSON.stringify(data.data, null, 2)} label="Data" />
          <div>
            <Button onClick={() => replay.mutate()} loading={replay.isPending} disabled={!isActive}>
              {data.state === 'pending' ? 'Send now' : 'Replay'}
            </Button>
          </div>
        </Stack>
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <FactsShape facts={8} />
      )}
    </Drawer>
  );
}
