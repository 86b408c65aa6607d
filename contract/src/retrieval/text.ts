import { z } from 'zod';
import { describedStrictly, queryInt } from '../described.ts';

/** A text that the database can store: without U+0000, and with lone surrogates replaced. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not hold the character U+0000')
    .overwrite((value) => value.toWellFormed());

/** The same, of at least one character that is no blank. */
export const nonBlankText = (max: number) =>
  text(max)
    .min(1)
    .refine((value) => value.trim() !== '', 'must not be blank');

export const Id = z
  .string()
  .max(200)
  .describe('Id of a record: 32 lower-case hexadecimal digits; any other text names nothing');

/** Source: decisions section 5. */
export const Page = describedStrictly('Which part of a list is wanted', {
  size: queryInt(1, 100).default(20).describe('Number of entries, 1 to 100'),
  from: queryInt(0, 1_000_000_000).default(0).describe('Number of entries that are skipped'),
});
export type Page = z.infer<typeof Page>;

/** A part of a list, and how many there are in all. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item).describe('Entries of this part of the list'),
    total: z.int().describe('Number of entries of the whole list'),
    size: z.int().describe('Number of entries that were asked for'),
    from: z.int().describe('Number of entries that were skipped'),
  });
