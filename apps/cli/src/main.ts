import { runProgram } from './program.js';
import type { Terminal } from './terminal.js';

const terminal: Terminal = {
  env: process.env,
  args: process.argv.slice(2),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  exitCode: 0,
};
await runProgram(terminal);
process.exitCode = terminal.exitCode;
