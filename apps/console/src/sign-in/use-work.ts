import { useState } from 'react';
import { failureText } from '../ui/failure-text.js';

/** One thing that a page does with the server: whether it is under way, and why it failed last. */
export function useWork() {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function run(work: () => Promise<void>): Promise<void> {
    setRunning(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(failureText(error));
    }
    setRunning(false);
  }
  return { isRunning, failure, run, setFailure };
}

/** Leaves for a page that takes this one's place. Work that ends so goes on until then. */
export function leaveFor(address: string): Promise<never> {
  window.location.replace(address);
  return new Promise(() => undefined);
}
