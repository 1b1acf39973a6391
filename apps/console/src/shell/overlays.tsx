import '@mantine/notifications/styles.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { dialogsAreReady } from '../ui/dialogs.js';

/** Dialogs and messages. Their code is loaded after the first view; what was opened before appears then. */
export function Overlays() {
  // Effects of children come first: the provider listens by now.
  useEffect(dialogsAreReady, []);
  return (
    <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
      <Notifications position="bottom-right" />
    </ModalsProvider>
  );
}
