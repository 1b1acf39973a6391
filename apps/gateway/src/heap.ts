import { setFlagsFromString } from 'node:v8';

// Keeps the young generation of the heap at its initial size: a grown young generation never shrinks again, and keeps tens of MiB of dead
// objects of an upload's chunks. This file is loaded first, before the heap grows.
setFlagsFromString('--semi-space-growth-factor=1');
