import { setFlagsFromString } from 'node:v8';

// Keeps the young generation of the heap at its initial size: it never shrinks again, and a grown young generation keeps tens of MiB
// of dead objects of an upload's chunks. Loaded first, before the heap grows.
setFlagsFromString('--semi-space-growth-factor=1');
