import { Button, Code, Text } from '@mantine/core';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Device, Items } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { askName } from '../../ui/ask-name.js';
import { CodeBlock } from '../../ui/code-block.js';
import { confirm } from '../../ui/confirm.js';
import { ListSection } from '../../ui/list-section.js';
import { showSecret } from '../../ui/show-secret.js';
import { exactTime } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { deviceColumns } from './device-columns.js';

export function Devices() {
  const devices = useQuery(resource<Items<Device>>('/devices'));
  const getCode = useAction(
    (device_name: string) => send<AdminAnswers['createDeviceCode']>('POST', '/devices/code', { device_name }),
    {
      onDone: showCode,
    },
  );
  const disconnect = useAction((id: string) => send('DELETE', `/devices/${id}`), {
    refresh: [['devices']],
    done: 'The device is disconnected.',
  });
  const askForCode = () =>
    askName({
      title: 'Connect a device',
      text: 'Creates a code for the bridge on that device. It works once and expires in 10 minutes.',
      label: 'Device name',
      action: 'Create code',
      work: (name) => getCode.mutateAsync(name),
    });
  const askToDisconnect = ({ id, device_name }: Device) =>
    confirm({
      title: 'Disconnect this device?',
      text: (
        <>
          The bridge on <bdi>{device_name}</bdi> can no longer act as you until it is connected again.
        </>
      ),
      action: 'Disconnect',
      work: () => disconnect.mutateAsync(id),
    });
  return (
    <ListSection
      title="Devices"
      label="Your devices"
      text="Desktop bridges connected to your account."
      actions={
        <Button size="xs" variant="default" leftSection={<IconDeviceLaptop size={15} />} onClick={askForCode}>
          Connect a device
        </Button>
      }
      columns={[
        ...deviceColumns,
        {
          title: 'Actions',
          isActions: true,
          render: (device: Device) =>
            device.revoked_at === null && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => askToDisconnect(device)}
                aria-label={`Disconnect ${device.device_name}`}
              >
                Disconnect
              </Button>
            ),
        },
      ]}
      query={devices}
      rowKey={({ id }) => id}
      isFaded={({ revoked_at }) => revoked_at !== null}
      empty={{
        title: 'No devices',
        text: (
          <>
            On a device with a browser, run <Code>millwright admin bridge login</Code>.
          </>
        ),
      }}
    />
  );
}

function showCode({ code, expires_at }: AdminAnswers['createDeviceCode']): void {
  showSecret({
    title: 'Bridge code',
    secret: code,
    copy: 'Copy code',
    text: `It works once and expires ${exactTime(expires_at)}.`,
    beside: (
      <div>
        <Text size="sm" mb={6}>
          On the device:
        </Text>
        <CodeBlock
          label="command for the device"
          code={`millwright admin bridge login --url ${window.location.origin} --code ${code}`}
        />
      </div>
    ),
  });
}
