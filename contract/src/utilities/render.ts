import { z } from 'zod';
import { describedStrictly } from '../described.ts';

const Base64 = z.string().regex(/^[A-Za-z\d+/_-]*={0,2}$/, 'base64');

/** Source: decisions section 6. */
export const DocumentRenderRequest = describedStrictly('Request of POST /v1/document/render', {
  content: z
    .string()
    .min(1)
    .max(2_000_000)
    .optional()
    .describe('Text in Markdown (GFM, tables with merged cells as HTML, footnotes); this or `template`'),
  format: z
    .enum(['docx', 'hwpx', 'pdf'])
    .optional()
    .describe('What `content` is written as, docx when left out; a template stays what it is'),
  title: z.string().trim().min(1).max(300).optional().describe('Title above the text, with `content`'),
  numbering: z
    .enum(['official', 'as_written'])
    .optional()
    .describe(
      'official (when left out): numbered lists are 1. 가. 1) 가) (1) (가) ① ㉮ by their level, as in official documents; as_written: as the text has them',
    ),
  page_numbers: z.boolean().optional().describe('Numbers at the foot of the pages, with `content`; true when left out'),
  pictures: z
    .record(z.string().min(1).max(200), Base64)
    .optional()
    .describe(
      'PNG, JPEG, GIF or BMP in base64 by the address that the text shows them by; a picture that is not here is its text. Nothing is fetched',
    ),
  template: Base64.min(4)
    .optional()
    .describe(
      'DOCX or HWPX in base64 with fields: {{name}}, {{?agree}} and {{?kind=option}} for boxes to tick, {{items.name}} in a row to repeat; content controls, 누름틀 and boxes of forms by their names',
    ),
  data: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .describe('Values for the fields of `template`: text, numbers, true or false, lists of objects for rows'),
  name: z.string().trim().min(1).max(200).optional().describe('Name of the file, without its ending'),
});
export type DocumentRenderRequest = z.infer<typeof DocumentRenderRequest>;
