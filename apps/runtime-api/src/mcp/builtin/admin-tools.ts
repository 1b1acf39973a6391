import { callerOf, type Caller } from '@millwright/auth';
import {
  AgentChanges,
  changeContentRecord,
  changeSkillRecord,
  ContentChanges,
  type AgentRules,
  createContentRecord,
  createSkillRecord,
  NewAgent,
  NewContentItem,
  NewSkill,
  SkillChanges,
} from '@millwright/catalog';
import { listRecordsByName, RECORD_KINDS } from '@millwright/catalog/lists';
import type { Database, Target, Tx, Versioned } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { auditQuotaRefusal, parseFields } from '@millwright/http';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failure, textResult, type ToolCallContext } from '../endpoint/mcp-call.js';

interface AdminTool {
  tool: Tool;
  /** Returns the tool's result. @throws AppError for invalid arguments, and when a rule of the platform API refuses the change */
  run: (caller: Caller, args: object) => Promise<object>;
}

/** Tools for project admins. They change skills, agents and content in the same way as the platform API, under the same rules. */
export function createAdminTools(db: Database, agents: AgentRules) {
  const tools = [
    listing(db),
    creating(db, 'skill', NewSkill, createSkillRecord),
    changing(db, 'skill', SkillChanges, changeSkillRecord),
    creating(db, 'agent', NewAgent, (...of) => agents.create(...of)),
    changing(db, 'agent', AgentChanges, (...of) => agents.change(...of)),
    creating(db, 'content', NewContentItem, createContentRecord),
    changing(db, 'content', ContentChanges, changeContentRecord),
  ];
  const byName = new Map(tools.map((one) => [one.tool.name, one]));
  return {
    list: tools.map(({ tool }) => tool),
    has: (name: string) => byName.has(name),

    /** Calls a tool. The result names invalid arguments. Returns `undefined` for an unknown tool. */
    async call({ principal, from }: ToolCallContext, name: string, args: object): Promise<CallToolResult | undefined> {
      const found = byName.get(name);
      if (!found) return undefined;
      try {
        const caller = callerOf(principal, from);
        const structuredContent = { ...(await found.run(caller, args).catch(auditQuotaRefusal(db, caller))) };
        return { ...textResult(JSON.stringify(structuredContent)), structuredContent };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const faults = error.fields.map(({ field, reason }) => ` ${field}: ${reason}.`);
        return failure(error.message + faults.join(''));
      }
    },
  };
}
export type AdminTools = ReturnType<typeof createAdminTools>;

function creating<Shape extends z.ZodObject, Shown extends object>(
  db: Database,
  kind: string,
  shape: Shape,
  create: (tx: Tx, caller: Caller, input: z.output<Shape>) => Promise<Versioned<Shown>>,
): AdminTool {
  return {
    tool: { name: `create_${kind}`, description: `Creates ${named(kind)}.`, inputSchema: inputSchemaOf(shape) },
    run: (caller, args) => {
      const input = parseFields(shape, args);
      return db.transaction((tx) => create(tx, caller, input));
    },
  };
}

interface Arguments<Shape extends z.ZodObject> {
  id: string;
  version?: number;
  changes: z.output<Shape>;
}

function changing<Shape extends z.ZodObject, Shown extends object>(
  db: Database,
  kind: string,
  shape: Shape,
  change: (tx: Tx, caller: Caller, target: Target, changes: z.output<Shape>) => Promise<Versioned<Shown>>,
): AdminTool {
  const Arguments = z.strictObject({
    changes: shape,
    id: z.string().max(100),
    version: z.int().min(1).optional().meta({ description: 'Changed only while it has this version' }),
  });
  return {
    tool: {
      name: `update_${kind}`,
      description: `Changes ${named(kind)}: the fields that are named, and no other.`,
      inputSchema: inputSchemaOf(Arguments),
      annotations: { destructiveHint: true },
    },
    run: (caller, args) => {
      const { id, version, changes } = parseFields(Arguments, args) as Arguments<Shape>;
      const target = { id, ifMatch: version === undefined ? undefined : [version] };
      return db.transaction((tx) => change(tx, caller, target, changes));
    },
  };
}

const Listing = z.strictObject({
  kind: z.enum(RECORD_KINDS),
  search: z.string().trim().max(200).default(''),
  offset: z.int().min(0).max(1_000_000).default(0),
});

const listing = (db: Database): AdminTool => ({
  tool: {
    name: 'list_records',
    description: 'Lists skills, agents or content items with their ids and versions, active or not, 50 at a time.',
    inputSchema: inputSchemaOf(Listing),
    annotations: { readOnlyHint: true },
  },
  run: async ({ project }, args) => ({ records: await listRecordsByName(db, project, parseFields(Listing, args)) }),
});

const named = (kind: string) => ({ skill: 'a skill', agent: 'an agent', content: 'a content item' })[kind] ?? kind;

/** The JSON Schema of a tool's arguments. Checks that JSON Schema cannot express are made only when the tool is called. */
export function inputSchemaOf(shape: z.ZodObject): Tool['inputSchema'] {
  // The schema of a strict object always has the type `object`. The return type of `toJSONSchema` does not state this.
  return { ...z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) } as Tool['inputSchema'];
}
