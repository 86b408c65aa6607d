import { z } from 'zod';
import { described } from '../described.ts';

/** Source: OpenAI API reference, "The chat completion object", annotations. */
export const UrlCitation = described('A source of a place in the answer', {
  type: z.literal('url_citation'),
  url_citation: described('Where the source is', {
    start_index: z.int().describe('Where its mark begins in the answer, in UTF-16 units'),
    end_index: z.int().describe('Where its mark ends; not included'),
    title: z.string().describe('Name of the document, and its page'),
    url: z.string().describe('Page of the console that shows the document'),
  }),
});
export type UrlCitation = z.infer<typeof UrlCitation>;

/** Source: OpenAI API reference, "The chat completion object", annotations. */
export const Annotations = z.array(UrlCitation).optional().describe('Sources of the answer, one for each mark in it');
