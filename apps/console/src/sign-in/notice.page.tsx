import { Button, Group } from '@mantine/core';
import type { NoticeData } from '@millwright/pages';

/** A notice from the server with links to the next pages. */
export function Notice({ text, isError = false, links = [] }: NoticeData) {
  return (
    <>
      {text.map((paragraph, index) => (
        <p key={paragraph} className={isError && index === 0 ? 'failure' : undefined}>
          {paragraph}
        </p>
      ))}
      {links.length > 0 && (
        <Group gap="xs" mt="md">
          {links.map(({ label, href }) => (
            <Button key={href} component="a" href={href} variant="default">
              {label}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
