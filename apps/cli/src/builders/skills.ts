import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api } from '../http/api.js';
import { Listing } from '../readable.js';
import type { Builder, RunBuilder } from './builder.js';
import { findRecord, pageOption, withQuery } from '../http/pages.js';
import { slugOf } from '../slug.js';

const Skill = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  status: z.string(),
  updated_at: z.string(),
});
const Skills = z.object({ items: z.array(Skill), total: z.number() });
type Skill = z.output<typeof Skill>;

/** Name of a skill's file in its folder, as the Agent Skills format defines it. */
const FILE = 'SKILL.md';
const MOST_SKILLS = 10_000;
const PER_PAGE = 100;

export function skillCommands(program: Command, run: RunBuilder): void {
  const skills = program.command('skills').description('Keep skills as SKILL.md files');
  pageOption(skills.command('list').description('List skills by name'))
    .option('--search <text>', 'text in name or description')
    .action(run(list));
  skills
    .command('pull')
    .description('Write skills as files <folder>/<skill>/SKILL.md')
    .argument('[skills...]', 'names or ids (default: all)')
    .option('--dir <folder>', 'folder of the skills', 'skills')
    .option('--force', 'replace files that differ')
    .action(
      run(({ connect }, { dir, force }: { dir: string; force?: true }, ...names: string[]) =>
        pull(connect().api, dir, names, force === true),
      ),
    );
  skills
    .command('push')
    .description('Store SKILL.md files as skills; one of the same name is replaced')
    .argument('[paths...]', 'files, or folders with a SKILL.md (default: those in the folder)')
    .option('--dir <folder>', 'folder of the skills', 'skills')
    .option('--dry-run', 'show what would change')
    .action(
      run(({ connect }, { dir, dryRun }: { dir: string; dryRun?: true }, ...paths: string[]) =>
        push(connect().api, dir, paths, dryRun === true),
      ),
    );
}

async function list({ connect }: Builder, options: { limit: number; page: number; search?: string }): Promise<Listing> {
  const { page, limit: per_page, search } = options;
  const path = withQuery('/api/v1/skills', { page, per_page, search, sort: 'name', order: 'asc' });
  const { items, total } = await connect().api.json('platform', path, Skills);
  const rows = items.map(({ id, name, status, updated_at }) => ({ id, name, status, updated_at }));
  return new Listing({ items, total }, rows);
}

async function allSkills(api: Api): Promise<Skill[]> {
  const all: Skill[] = [];
  for (let page = 1; all.length < MOST_SKILLS; page += 1) {
    const { items } = await api.json('platform', withQuery('/api/v1/skills', { page, per_page: PER_PAGE }), Skills);
    all.push(...items);
    if (items.length < PER_PAGE) return all;
  }
  throw new CommandRefused(`There are more than ${MOST_SKILLS} skills. Name those to pull.`);
}

const findSkill = (api: Api, wanted: string) =>
  findRecord(
    api,
    { path: '/api/v1/skills', kind: 'skill', list: 'skills list', item: Skill },
    ({ id, name }) => id === wanted || name === wanted,
    wanted,
  );

async function pull(api: Api, folder: string, names: readonly string[], force: boolean): Promise<Listing> {
  const skills = names.length > 0 ? await Promise.all(names.map((name) => findSkill(api, name))) : await allSkills(api);
  const taken = new Set<string>();
  const rows: { file: string; skill: string; result: string }[] = [];
  for (const skill of skills) {
    const path = join(folder, freeName(slugOf(skill.name), taken), FILE);
    const answer = await api.open('platform', `/api/v1/skills/${encodeURIComponent(skill.id)}/skill.md`, {
      headers: { accept: 'text/markdown' },
    });
    const text = await answer.text();
    const result = !existsSync(path) ? 'written' : readFileSync(path, 'utf8') === text ? 'unchanged' : 'differs';
    const writes = result === 'written' || (force && result === 'differs');
    if (writes) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text);
    }
    rows.push({
      file: path,
      skill: skill.name,
      result: writes ? 'written' : result === 'differs' ? 'kept: differs' : result,
    });
  }
  return new Listing({ items: rows }, rows);
}

function freeName(slug: string, taken: Set<string>): string {
  let name = slug;
  for (let number = 2; taken.has(name); number += 1) name = `${slug}-${number}`;
  taken.add(name);
  return name;
}

const Front = z.looseObject({ name: z.string(), description: z.string() });
const FRONT_MATTER = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*\r?\n(?:\r?\n)?([^]*)$/;

async function push(api: Api, folder: string, paths: readonly string[], dryRun: boolean): Promise<Listing> {
  const files = paths.length > 0 ? paths.map(skillFile) : skillFilesIn(folder);
  if (files.length === 0) throw new CommandRefused(`There is no <skill>/${FILE} in ${folder}.`);
  const skills = files.map((file) => ({ file, fields: readSkill(file) }));
  const stored = new Map((await allSkills(api)).map((skill) => [skill.name, skill]));
  const rows: { file: string; skill: string; result: string }[] = [];
  for (const { file, fields } of skills) {
    const current = stored.get(fields.name);
    const isSame = current && Object.entries(fields).every(([name, value]) => isEqual(current[name], value));
    const result = current ? (isSame ? 'unchanged' : 'updated') : 'created';
    if (!dryRun && !current) await api.json('platform', '/api/v1/skills', Skill, { method: 'POST', body: fields });
    if (!dryRun && current && !isSame)
      await api.json('platform', `/api/v1/skills/${current.id}`, Skill, { method: 'PATCH', body: fields });
    rows.push({ file, skill: fields.name, result });
  }
  return new Listing({ items: rows, dry_run: dryRun }, rows);
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const skillFile = (path: string): string =>
  existsSync(path) && statSync(path).isDirectory() ? join(path, FILE) : path;

const skillFilesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => join(folder, name, FILE))
        .filter((file) => existsSync(file))
    : [];

/** Reads the fields of a skill from its file. The server checks the values. @throws CommandRefused when the file has no front matter */
function readSkill(file: string): z.output<typeof Front> & { instructions: string } {
  if (!existsSync(file)) throw new CommandRefused(`There is no file ${file}.`);
  const [, front = '', instructions] = FRONT_MATTER.exec(readFileSync(file, 'utf8')) ?? [];
  if (instructions === undefined) throw new CommandRefused(`${file} has no front matter between two lines of ---.`);
  try {
    return { parameters: {}, ...Front.parse(parse(front)), instructions: instructions.replace(/\r?\n$/, '') };
  } catch (error) {
    throw new CommandRefused(`${file}: the front matter must be YAML with name and description.`, { cause: error });
  }
}
