import { ProjectId, SPECIFIED_PROJECTS, type Project } from '@millwright/auth/projects';
import { InvalidArgumentError, Option } from 'commander';

const ALLOWED = `${SPECIFIED_PROJECTS.join(', ')}, or the id of another project (projects list)`;

/** The option `--project`. Each command checks whether the project exists. */
export const projectOption = (description: string) =>
  new Option('--project <project>', `${description}: ${ALLOWED}`).argParser((value: string): Project => {
    const { data } = ProjectId.safeParse(value);
    if (data === undefined) throw new InvalidArgumentError(`Allowed choices are ${ALLOWED}.`);
    return data;
  });
