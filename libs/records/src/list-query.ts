import { z } from 'zod';

/** A whole number in a query or path, where every value arrives as text. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().pipe(z.int().min(min).max(max));

export const pageNumber = wholeNumber(1, 10_000_000).default(1);
export const pageSize = wholeNumber(1, 100).default(20);
export const sortDirection = z.enum(['asc', 'desc']).default('desc');
export const searchText = z.string().max(200).optional();

/** Rows before the page. */
export const offsetOf = (page: number, size: number): number => (page - 1) * size;
