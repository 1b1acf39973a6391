import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import type { Command } from 'commander';
import { CommandRefused } from '../command-refused.js';
import type { Terminal } from '../terminal.js';
import { pathFor, readRecords, textOf, writeRecord, type WrittenFile } from '../installation/folder.js';
import { applyPlan } from '../installation/apply-plan.js';
import { importLangfuse } from '../installation/import-langfuse.js';
import { importOpenAi, type Imported } from '../installation/import-openai.js';
import { KINDS, makePlan, readInstallation, type Change, type Plan } from '../installation/plan.js';
import { prompts } from '../installation/prompt-kinds.js';
import { Listing, printableLines } from '../readable.js';
import type { Builder, RunBuilder } from './builder.js';

const FOLDER = 'installation';
/** Exit code of `plan --detailed-exitcode` when there are changes. */
const HAS_CHANGES = 2;
/** Maximum size in bytes of a file from which prompts are imported. */
const MAX_IMPORT_BYTES = 32 * 1_048_576;

interface PlanOptions {
  dir: string;
  prune?: true;
}

/**
 * Adds the commands `export`, `plan`, `apply` and `import`. They work with agents, skills, content, MCP servers, prompts and blocks as
 * files.
 */
export function installationCommands(program: Command, run: RunBuilder): void {
  const folder = (command: Command) => command.option('--dir <folder>', 'folder of the files', FOLDER);
  const prune = (command: Command) => command.option('--prune', 'delete records that have no file');
  folder(program.command('export'))
    .description('Write agents, skills, content, MCP servers, prompts and blocks as files, without secrets')
    .option('--force', 'replace files that differ')
    .action(run(exportFiles));
  prune(folder(program.command('plan')))
    .description('Show what apply would change')
    .option('--detailed-exitcode', `exit with ${HAS_CHANGES} when there are changes`)
    .action(run(plan));
  prune(folder(program.command('apply')))
    .description('Make the installation as the files describe it. Records without a file stay, unless pruned.')
    .option('--yes', 'do not ask')
    .action(run(apply));
  const imports = program.command('import').description('Write files from what other products export');
  folder(imports.command('openai'))
    .description('Write the files of prompts from stored prompts of OpenAI, as JSON')
    .argument('<file>', 'JSON of one prompt, or of several')
    .option('--force', 'replace files that differ')
    .action(run(importPrompts(importOpenAi)));
  folder(imports.command('langfuse'))
    .description(
      'Write the files of prompts from prompts of Langfuse, as JSON: the version in production, else the newest',
    )
    .argument('<file>', 'JSON of one version of a prompt, or of several')
    .option('--force', 'replace files that differ')
    .action(run(importPrompts(importLangfuse)));
}

async function exportFiles(
  { connect, terminal }: Builder,
  { dir, force }: { dir: string; force?: true },
): Promise<Listing> {
  const { records } = await readInstallation(connect().api, terminal.env);
  const written: WrittenFile[] = [];
  for (const kind of KINDS) {
    const files = readRecords(dir, kind);
    const taken = new Set<string>();
    const byKey = (records.get(kind) ?? []).map(({ fields }) => ({ key: String(fields[kind.key]), fields }));
    for (const { key, fields } of byKey.sort((one, other) => (one.key < other.key ? -1 : 1))) {
      const path = pathFor(dir, kind, key, files, taken);
      written.push(writeRecord(path, textOf(kind, fields), force === true));
    }
  }
  return new Listing({ items: written }, written);
}

const rowOf = ({ kind, key, action, changed }: Change) => ({ action, kind: kind.name, name: key, changed });

function reportOf({ changes, unchanged, unmanaged }: Plan): Listing {
  const rows = changes.map(rowOf);
  return new Listing({ changes: rows, unchanged, unmanaged }, rows);
}

/** Returns a readable patch from the stored record to the record's file. */
function patchOf({ kind, stored, file }: Change): string {
  if (!stored || !file) return '';
  const before = textOf(kind, stored.fields);
  return createTwoFilesPatch('installation', file.path, before, textOf(kind, file.fields), '', '', { context: 2 });
}

async function plan(
  { connect, terminal, asJson }: Builder,
  { dir, prune, detailedExitcode }: PlanOptions & { detailedExitcode?: true },
): Promise<Listing> {
  const installation = await readInstallation(connect().api, terminal.env);
  const made = makePlan(dir, installation, { prune: prune === true, env: terminal.env });
  if (!asJson) for (const change of made.changes) terminal.errors.write(printableLines(patchOf(change)));
  if (detailedExitcode && made.changes.length > 0) terminal.exitCode = HAS_CHANGES;
  return reportOf(made);
}

async function apply(
  { connect, terminal, asJson }: Builder,
  { dir, prune, yes }: PlanOptions & { yes?: true },
): Promise<Listing> {
  const { api } = connect();
  const installation = await readInstallation(api, terminal.env);
  const made = makePlan(dir, installation, { prune: prune === true, env: terminal.env });
  if (made.changes.length === 0) return reportOf(made);
  if (!yes) await confirm(terminal, made, asJson);
  await applyPlan(api, made, installation, terminal.env);
  return reportOf(made);
}

async function confirm({ input, errors }: Terminal, { changes }: Plan, asJson: boolean): Promise<void> {
  if (input.isTTY !== true || asJson)
    throw new CommandRefused('Nothing was changed. See the plan with: millwright plan. Then run again with --yes.', {
      kind: 'usage',
    });
  for (const change of changes) {
    const { action, kind, name } = rowOf(change);
    errors.write(printableLines(`${action} ${kind} ${name}\n${patchOf(change)}`));
  }
  const lines = createInterface({ input, output: errors });
  const answer = await lines.question(`Make ${changes.length} changes? [y/N] `);
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandRefused('Nothing was changed.');
}

const importPrompts =
  (read: (value: unknown) => Imported) =>
  (_builder: Builder, { dir, force }: { dir: string; force?: true }, file: string): Listing => {
    if (!existsSync(file)) throw new CommandRefused(`There is no file ${file}.`);
    if (statSync(file).size > MAX_IMPORT_BYTES) throw new CommandRefused(`${file} is larger than 32 MiB.`);
    const imported = read(jsonIn(file));
    const files = readRecords(dir, prompts);
    const taken = new Set<string>();
    const rows = imported.prompts.map((fields) => {
      const path = pathFor(dir, prompts, String(fields['title']), files, taken);
      const left = imported.left.filter(({ prompt }) => prompt === fields['title']).map(({ what }) => what);
      return { ...writeRecord(join(path), textOf(prompts, fields), force === true), not_carried_over: left };
    });
    return new Listing({ items: rows }, rows);
  };

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new CommandRefused(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
