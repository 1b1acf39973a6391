import { Group, Loader } from '@mantine/core';
import type { ReactNode } from 'react';

/** A live region for work in progress. It exists before its text, so that screen readers announce the text. */
export function Processing({ isOn }: { isOn: boolean }) {
  return (
    <div role="status">
      {isOn && (
        <Group gap="xs" mb="md">
          <Loader size={18} aria-hidden />
          Processing...
        </Group>
      )}
    </div>
  );
}

/** Shows the message after a failure. */
export function FailureText({ children }: { children: ReactNode }) {
  return <div role="alert">{children !== undefined && <p className="failure">{children}</p>}</div>;
}
