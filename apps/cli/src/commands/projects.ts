import { listProjects } from '@millwright/accounts/projects';
import type { Command } from 'commander';
import type { Run } from './run.js';

export function projectCommands(program: Command, run: Run): void {
  program
    .command('projects')
    .description('Show the projects of the installation')
    .command('list')
    .description('List projects: Core, Commerce, then those that platform admins made')
    .action(run(({ db }) => listProjects(db.prisma)));
}
