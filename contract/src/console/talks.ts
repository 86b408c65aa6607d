import { z } from 'zod';
import { describedStrictly } from '../described.ts';
import { Language } from './session.ts';

// What conversations with models and talks with agents have alike: their place in the list of their person, and their export.

/** Fields of a talk in a list. */
export const talkPlace = {
  snippet: z.string().nullable().describe('Text around the words that were searched for'),
  pinned: z.boolean().describe('Whether it stands at the top of the list'),
  folder: z.string().nullable().describe('Id of the folder in which it lies; null for none'),
};

/** Fields of a change of a talk. */
export const talkChange = {
  title: z.string().trim().min(1).max(200).describe('New title, 1 to 200 characters'),
  folder: z.string().max(32).nullable().describe('Id of the folder in which it lies from now on; null for none'),
  pinned: z.boolean().describe('Whether it stands at the top of the list'),
};

/** Fields of the query of a list of talks. */
export const talkSearch = {
  text: z.string().trim().max(200).optional().describe('Words to search for in titles and in what was said'),
  before: z.string().max(100).optional().describe('next of the page before'),
  pinned: z.enum(['true', 'false']).optional().describe('Only those that are pinned (true), or that are not (false)'),
  folder: z.string().max(32).optional().describe('Only those of the folder with this id; none: of no folder'),
  size: z.coerce.number().int().min(1).max(100).default(50).describe('Number of talks, 1 to 100'),
};

/** Files that a talk is exported as: md, docx and hwpx for people, json for programs. */
export const talkFormats = ['md', 'docx', 'hwpx', 'json'] as const;
/** One of {@link talkFormats}. */
export type TalkFormat = (typeof talkFormats)[number];

export const TalkExportQuery = describedStrictly('Query of the export of a talk', {
  format: z.enum(talkFormats).default('md').describe('Form of the file'),
  language: Language.default('en').describe('Language of its headings'),
  time_zone: z
    .string()
    .regex(/^[A-Za-z][\w+/-]{0,63}$/, 'a name of a time zone, such as Asia/Seoul')
    .default('UTC')
    .describe('IANA name of the time zone of its times; an unknown one reads as UTC'),
});
export type TalkExportQuery = z.output<typeof TalkExportQuery>;
