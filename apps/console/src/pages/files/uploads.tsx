import { ActionIcon, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { IconUpload, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { invalidate } from '../../api/invalidate.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { failureText } from '../../ui/failure-text.js';
import { Section } from '../../ui/section.js';
import { uploadFile } from './upload.js';

interface Upload {
  id: string;
  name: string;
  share: number;
  fault?: string;
  stop: () => void;
}

/** Manages uploads with their progress and failures. */
export function useUploads() {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const gone = useRef(new AbortController());
  useEffect(() => {
    const left = new AbortController();
    gone.current = left;
    return () => left.abort();
  }, []);
  const change = (id: string, fields: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));
  const remove = (id: string) => setUploads((all) => all.filter((upload) => upload.id !== id));

  function start(file: File): void {
    const id = crypto.randomUUID();
    const abort = new AbortController();
    gone.current.signal.addEventListener('abort', () => abort.abort());
    setUploads((all) => [...all, { id, name: file.name, share: 0, stop: () => abort.abort() }]);
    uploadFile(file, file.name, (share) => change(id, { share }), abort.signal).then(
      () => {
        remove(id);
        void invalidate(queries, { queryKey: QUERY_KEYS.files[0] });
      },
      (error: unknown) => change(id, { fault: failureText(error) }),
    );
  }
  return { uploads, start, remove };
}

export function UploadButton({ onChoose }: { onChoose: (file: File) => void }) {
  const forget = useRef<() => void>(null);
  return (
    <FileButton
      multiple
      resetRef={forget}
      inputProps={{ 'aria-label': 'Files' }}
      onChange={(files) => {
        // Resets the input, so that the same file can be chosen again.
        forget.current?.();
        for (const file of files) onChoose(file);
      }}
    >
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={16} />}>
          Upload files
        </Button>
      )}
    </FileButton>
  );
}

export function UploadList({ uploads, remove }: Pick<ReturnType<typeof useUploads>, 'uploads' | 'remove'>) {
  if (uploads.length === 0) return null;
  return (
    <Section title="Uploading">
      <Stack gap="sm">
        {uploads.map(({ id, name, share, fault, stop }) => (
          <div key={id}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" truncate>
                <bdi>{name}</bdi>
              </Text>
              <Group gap={4} wrap="nowrap">
                <Text size="xs" c={fault === undefined ? 'dimmed' : 'var(--mantine-color-error)'} role="status">
                  {fault ?? `${Math.round(share * 100)} %`}
                </Text>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={fault === undefined ? `Cancel the upload of ${name}` : `Dismiss ${name}`}
                  onClick={() => (fault === undefined ? stop() : remove(id))}
                >
                  <IconX size={14} />
                </ActionIcon>
              </Group>
            </Group>
            <Progress
              value={share * 100}
              color={fault === undefined ? undefined : 'red'}
              size="sm"
              aria-label={`${name} uploaded`}
            />
          </div>
        ))}
      </Stack>
    </Section>
  );
}
