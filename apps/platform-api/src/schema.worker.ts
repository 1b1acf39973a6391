import '@millwright/schemas/worker';
