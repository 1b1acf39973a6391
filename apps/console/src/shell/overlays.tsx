import '@mantine/notifications/styles.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { dialogsAreReady } from '../ui/dialogs.js';

/** Dialogs and messages. Their code is loaded after the first view; those opened earlier appear then. */
export function Overlays() {
  // Effects of children run first, so the provider is already listening.
  useEffect(dialogsAreReady, []);
  return (
    <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
      <Notifications position="bottom-right" />
    </ModalsProvider>
  );
}
