// @ts-check
import { DAYS } from './figures.mjs';

const DAY_MS = 86_400_000;
const HOUR = 3_600;

/**
 * How the use of a day is distributed. `before` is the share of the use before the working hours, and `until` the share until their end. The
 * working hours begin and end at the seconds `starts` and `ends` of the day.
 */
const WORK = { before: 0.1, until: 0.9, starts: 7 * HOUR, ends: 19 * HOUR, day: 24 * HOUR };

/** Returns the use since midnight, as a share of the day's use: the inverse of `seconds_of` below. @param {number} seconds */
function useUntil(seconds) {
  const { before, until, starts, ends, day } = WORK;
  if (seconds < starts) return (seconds / starts) * before;
  if (seconds < ends) return before + ((seconds - starts) / (ends - starts)) * (until - before);
  return until + ((seconds - ends) / (day - ends)) * (1 - until);
}

/**
 * Returns SQL that creates functions for the session. Their results depend only on their arguments, so that a scale has the same rows each time:
 *
 * - `fraction(n, name)`: a number from 0 to 1, evenly distributed
 * - `below(n, name, limit)`: a whole number below the limit; `skewed(n, name, limit)`: the same, but small numbers are more frequent
 * - `pick(n, name, texts)`: one of the texts
 * - `id(at, n, name)`: a UUIDv7 of that time
 * - `hash(n, name)`: 32 bytes that look like a SHA-256; nobody has a text with this hash
 * - `public_id(prefix, id)`: the id as `encodeId` of libs/db writes it
 * - `moment(share)`: the time at a share of the period, mostly in working hours
 *
 * @param {Date} until end of the period
 */
export function functionsFor(until) {
  const start = until.getTime() - DAYS * DAY_MS;
  const midnight = Math.floor(start / DAY_MS) * DAY_MS;
  const first = useUntil((start - midnight) / 1_000);
  const { before, until: end, starts, ends, day } = WORK;
  return `
    CREATE FUNCTION pg_temp.fraction(n bigint, name text) RETURNS float8 IMMUTABLE LANGUAGE sql AS $$
      SELECT ((hashint8extended(n, hashtextextended(name, 1)) >> 11) & 9007199254740991)::float8 / 9007199254740992 $$;
    CREATE FUNCTION pg_temp.below(n bigint, name text, less_than bigint) RETURNS int IMMUTABLE LANGUAGE sql AS $$
      SELECT floor(pg_temp.fraction(n, name) * less_than)::int $$;
    CREATE FUNCTION pg_temp.skewed(n bigint, name text, less_than bigint) RETURNS int IMMUTABLE LANGUAGE sql AS $$
      SELECT floor(power(pg_temp.fraction(n, name), 2) * less_than)::int $$;
    CREATE FUNCTION pg_temp.pick(n bigint, name text, texts text[]) RETURNS text IMMUTABLE LANGUAGE sql AS $$
      SELECT texts[1 + pg_temp.below(n, name, cardinality(texts))] $$;
    CREATE FUNCTION pg_temp.id(at timestamptz, n bigint, name text) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
      SELECT overlay(overlay(overlay(md5(name || n) PLACING lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') FROM 1 FOR 12)
                             PLACING '7' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid $$;
    CREATE FUNCTION pg_temp.hash(n bigint, name text) RETURNS bytea IMMUTABLE LANGUAGE sql AS $$
      SELECT decode(md5(name || n) || md5(n || name), 'hex') $$;
    CREATE FUNCTION pg_temp.public_id(prefix text, id uuid) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
      DECLARE
        chunk CONSTANT numeric := 839299365868340224; -- 62 to the tenth: ten digits at a time, in fast arithmetic
        hex CONSTANT text := translate(id::text, '-', '');
        rest numeric;
        part bigint;
        digits text := '';
      BEGIN
        rest := ('x' || substr(hex, 1, 14))::bit(56)::bigint::numeric * 4722366482869645213696
              + ('x' || substr(hex, 15, 14))::bit(56)::bigint::numeric * 65536 + ('x' || substr(hex, 29, 4))::bit(16)::int;
        WHILE length(digits) < 22 LOOP
          part := mod(rest, chunk)::bigint;
          rest := div(rest, chunk);
          FOR digit IN 1 .. least(10, 22 - length(digits)) LOOP
            digits := substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', (part % 62)::int + 1, 1) || digits;
            part := part / 62;
          END LOOP;
        END LOOP;
        RETURN prefix || '_' || digits;
      END $$;
    CREATE FUNCTION pg_temp.seconds_of(use float8) RETURNS float8 IMMUTABLE LANGUAGE sql AS $$
      SELECT CASE WHEN use < ${before} THEN use / ${before} * ${starts}
                  WHEN use < ${end} THEN ${starts} + (use - ${before}) / ${end - before} * ${ends - starts}
                  ELSE ${ends} + (use - ${end}) / ${1 - end} * ${day - ends} END $$;
    CREATE FUNCTION pg_temp.moment(share float8) RETURNS timestamptz IMMUTABLE LANGUAGE sql AS $$
      SELECT timestamptz '${new Date(midnight).toISOString()}' + interval '1 millisecond' * floor(1000 * (
        floor(${first} + ${DAYS} * share) * ${day}
        + pg_temp.seconds_of(${first} + ${DAYS} * share - floor(${first} + ${DAYS} * share)))) $$;`;
}
