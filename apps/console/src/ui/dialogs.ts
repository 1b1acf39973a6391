import { randomId } from '@mantine/hooks';
import { modals } from '@mantine/modals';

/** Resolves when a dialog can be shown. The code for dialogs is loaded after the first view. */
const shown = Promise.withResolvers<true>();

export const dialogsAreReady = (): void => shown.resolve(true);

/** Opens a dialog as soon as the dialogs' code is loaded. @returns its id, for `closeDialog` */
export function openDialog(dialog: Parameters<typeof modals.open>[0]): string {
  const modalId = randomId();
  void shown.promise.then(() => modals.open({ ...dialog, modalId }));
  return modalId;
}

export const closeDialog = (id: string): void => modals.close(id);
