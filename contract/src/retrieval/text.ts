import { z } from 'zod';

/** A text that can be kept: without the character U+0000, and with half surrogate pairs replaced. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not hold the character U+0000')
    .overwrite((value) => value.toWellFormed());

/** The same, of at least one character that is no blank. */
export const filledText = (max: number) =>
  text(max)
    .min(1)
    .refine((value) => value.trim() !== '', 'must not be blank');

/** 32 lower-case hexadecimal digits where it is an id at all; any other text names nothing. */
export const Id = z.string().max(200);

/** Query of lists. Source: decisions section 5. */
export const Page = z.object({
  size: z.coerce.number().int().min(1).max(100).default(20).describe('How many are wanted'),
  from: z.coerce.number().int().min(0).max(1_000_000_000).default(0).describe('How many are passed over'),
});
export type Page = z.infer<typeof Page>;

/** A part of a list, and how many there are in all. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.int(), size: z.int(), from: z.int() });
