import { setFlagsFromString } from 'node:v8';

// Loaded first: the young generation of the heap then stays at its first size, because it does not shrink after it has grown. A
// grown one keeps tens of MiB of dead objects of an upload's chunks.
setFlagsFromString('--semi-space-growth-factor=1');
