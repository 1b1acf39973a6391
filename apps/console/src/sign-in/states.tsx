import { Group, Loader } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says that work goes on. It is there before it does, so that a screen reader says so too. */
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

/** Says why it went wrong. */
export function FailureText({ children }: { children: ReactNode }) {
  return <div role="alert">{children !== undefined && <p className="failure">{children}</p>}</div>;
}
