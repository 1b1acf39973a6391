import { z } from 'zod';

interface DateSchema {
  format?: string;
  anyOf?: DateSchema[];
}

/** Days at and beyond the limits of the dates that PostgreSQL and JavaScript can compare and write. */
const DAYS = ['0000-01-01', '0001-01-01', '9999-12-31'];
const TIMES = [...DAYS.map((day) => `${day}T00:00:00Z`), '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00'];

/** A field and a date or time for it. */
export interface FieldDate {
  field: string;
  date: string;
}

/** Returns dates or times at the ends of the calendar for each field of an object that accepts a date or a time. */
export function calendarEnds(schema: z.ZodType | undefined): FieldDate[] {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, DateSchema>;
  };
  return Object.entries(properties).flatMap(([field, property]) =>
    datesFor(property).map((date): FieldDate => ({ field, date })),
  );
}

function datesFor({ format, anyOf = [] }: DateSchema): readonly string[] {
  if (format === 'date') return DAYS;
  if (format === 'date-time') return TIMES;
  return anyOf.flatMap(datesFor);
}
