import '@millwright/documents/worker';
