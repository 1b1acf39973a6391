import pg from 'pg';
import { Prisma } from './generated/client.js';

const { builtins, getTypeParser } = pg.types;

type Parse = (text: string) => unknown;

const parseTextArray = getTypeParser(1009 as (typeof builtins)[keyof typeof builtins] /* text[] */) as (
  text: string,
) => (string | null)[];

/** Returns the parser of an array; NULL in the array becomes null. */
const arrayOf =
  (parse: Parse): Parse =>
  (text) =>
    parseTextArray(text).map((element) => (element === null ? null : parse(element)));

const toDecimal: Parse = (text) => new Prisma.Decimal(text);
/** Parses a date. A date without a time becomes midnight in UTC. */
const toDate: Parse = (text) => new Date(text);

const parseBytes = getTypeParser(builtins.BYTEA) as (text: string) => Buffer;
const toBytes: Parse = (text) => {
  const { buffer, byteOffset, byteLength } = parseBytes(text);
  return new Uint8Array(buffer, byteOffset, byteLength);
};

/** Parsers of the types for which Prisma returns other values than `pg`, by the object identifier of the type. */
const PARSERS = new Map<number, Parse>([
  [builtins.INT8, BigInt],
  [1016 /* int8[] */, arrayOf(BigInt)],
  [builtins.NUMERIC, toDecimal],
  [1231 /* numeric[] */, arrayOf(toDecimal)],
  [builtins.BYTEA, toBytes],
  [1001 /* bytea[] */, arrayOf(toBytes)],
  [builtins.DATE, toDate],
  [1182 /* date[] */, arrayOf(toDate)],
]);

/**
 * Parsers for rows of raw statements, with the values that Prisma returns: bigint for int8, Decimal for numeric,
 * Uint8Array for bytea, Date in UTC for date.
 */
export const RAW_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    (format === 'binary' ? undefined : PARSERS.get(id)) ?? (getTypeParser(id, format) as Parse),
};

/** Converts a parameter of a raw statement into a value that `pg` sends. Times are sent in UTC. */
export function toParameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Prisma.Decimal.isDecimal(value)) return value.toString();
  return Array.isArray(value) ? value.map(toParameter) : value;
}
