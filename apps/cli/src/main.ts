import { createProgram } from './program.js';

await createProgram(process.env).parseAsync();
