import { useState } from 'react';
import { failureText } from '../ui/failure-text.js';

/** Runs the requests of a page to the server. Returns whether a request is running, and the last failure as text. */
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

/** Opens another page. The promise never settles, so that the work stays "running" until the browser leaves. */
export function leaveFor(address: string): Promise<never> {
  window.location.replace(address);
  return new Promise(() => undefined);
}
