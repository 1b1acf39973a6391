import '@mantine/notifications/styles.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { dialogsAreReady } from '../ui/dialogs.js';

/**
 * Dialogs and messages. Their code is loaded after the first view. A dialog that is requested earlier is shown as soon as the code is
 * loaded.
 */
export function Overlays() {
  // Effects of children run before this effect, so the provider already listens.
  useEffect(dialogsAreReady, []);
  return (
    <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
      <Notifications position="bottom-right" />
    </ModalsProvider>
  );
}
