import { Button } from '@mantine/core';
import type { PageData } from '@millwright/pages';
import { useEffect, useRef, useState } from 'react';
import { WaysIn } from './links.js';
import { againFor, finishFlow, keptTarget, startFlow } from './sign-in-flow.js';
import { FailureText, Processing } from './states.js';
import { leaveFor, useWork } from './use-work.js';

/** Starts the sign-in flow, and finishes it when the browser returns with a code. */
export function Login({ target: wanted }: PageData['login']) {
  const { isRunning, failure, run } = useWork();
  const [answer] = useState(() => new URLSearchParams(window.location.search));
  const isCallback = answer.has('code') || answer.has('error');
  const target = (isCallback ? keptTarget() : null) ?? wanted;
  const isStarted = useRef(false);

  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void run(async () => {
      if (!isCallback) return leaveFor(await startFlow(target));
      history.replaceState(null, '', '/admin/login');
      await finishFlow(answer);
      // Without a special target, the login page is opened again: it redirects a signed-in browser to the first page for its roles.
      return leaveFor(target === '/admin' ? '/admin/login' : target);
    });
  });
  return (
    <>
      <Processing isOn={isRunning} />
      <FailureText>{failure}</FailureText>
      {failure !== undefined && (
        <Button component="a" href={againFor(target)} mb="md">
          Try again
        </Button>
      )}
      <WaysIn />
    </>
  );
}
