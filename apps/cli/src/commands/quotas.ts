import { listProjects, requireProject } from '@millwright/accounts/projects';
import { recordDecision } from '@millwright/audit';
import { directUrl } from '@millwright/db';
import {
  QUOTA_KINDS,
  readQuotaDrift,
  readQuotas,
  recountQuotas,
  removeQuota,
  setQuota,
  type QuotaKind,
} from '@millwright/db/quotas';
import { AppError, invalidField } from '@millwright/errors';
import { Option, type Command } from 'commander';
import { projectOption } from './project-option.js';
import type { Run } from './run.js';

const kind = () => new Option('--kind <kind>', 'what the quota bounds').choices([...QUOTA_KINDS]).makeOptionMandatory();
const project = () => projectOption('the project').makeOptionMandatory();

interface Named {
  project: string;
  kind: QuotaKind;
}

export function quotaCommands(program: Command, run: Run): void {
  const quotas = program.command('quotas').description('Manage how much each project may store');
  quotas
    .command('list')
    .description('List what each project has and may have')
    .action(
      run(async ({ db }) =>
        (
          await readQuotas(
            db,
            (await listProjects(db.prisma)).map(({ id }) => id),
          )
        ).map(({ used, limit, refused_at, ...quota }) => ({
          ...quota,
          rows: used.rows,
          max_rows: limit.rows,
          bytes: used.bytes,
          max_bytes: limit.bytes,
          refused_at: refused_at?.toISOString() ?? null,
        })),
      ),
    );
  quotas
    .command('set')
    .description('Give a project a limit of its own, which the settings QUOTA_* no longer change')
    .addOption(project())
    .addOption(kind())
    .requiredOption('--rows <number>', 'records that the project may have')
    .requiredOption('--bytes <number>', 'bytes that the project may have')
    .action(
      run(({ change }, { project, kind, ...max }: Named & { rows: string; bytes: string }) => {
        const limit = { rows: wholeNumber('rows', max.rows), bytes: wholeNumber('bytes', max.bytes) };
        return change(async (tx, actor) => {
          await requireProject(tx, project);
          await setQuota(tx, kind, limit, project);
          await recordDecision(tx, { actor, action: 'quota.set', resource: kind, project, detail: limit });
          return { project, kind, ...limit };
        });
      }),
    );
  quotas
    .command('unset')
    .description('Give a project the limit of the settings again')
    .addOption(project())
    .addOption(kind())
    .action(
      run(({ change }, { project, kind }: Named) =>
        change(async (tx, actor) => {
          if (!(await removeQuota(tx, kind, project))) throw new AppError('not_found');
          await recordDecision(tx, { actor, action: 'quota.unset', resource: kind, project });
          return { project, kind };
        }),
      ),
    );
  quotas
    .command('check')
    .description('Compare what is counted with the records. Exit code 1 when they differ.')
    .action(
      run(async ({ config }) => {
        const drift = await readQuotaDrift(directUrl(config));
        if (drift.length > 0) {
          throw new AppError('conflict', {
            fields: drift.map(({ project, kind, rows, bytes }) => ({
              field: `${project} ${kind}`,
              reason: `${rows} rows and ${bytes} bytes are not counted; run quotas recount`,
            })),
          });
        }
        return { drift };
      }),
    );
  quotas
    .command('recount')
    .description('Count everything from the records again. The services may work meanwhile.')
    .action(run(async ({ config }) => ({ corrected: await recountQuotas(directUrl(config)) })));
}

function wholeNumber(field: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw invalidField(field, 'must be a whole number from 0');
  return value;
}
