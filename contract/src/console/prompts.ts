import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

/** Characters of a prompt. */
export const MAX_PROMPT_LENGTH = 20_000;
/** Variables of one prompt that are asked for. */
const MAX_PROMPT_VARIABLES = 20;

const VARIABLE = /\{\{[^\S\n]*([\p{L}\p{N}_](?:[\p{L}\p{N}_ -]{0,38}[\p{L}\p{N}_])?)[^\S\n]*\}\}/gu;

/** Names of the variables of a prompt, `{{name}}`, each once, in the order of the text: letters, digits, spaces, - and _, at most 40. */
export const promptVariables = (content: string): readonly string[] =>
  [...new Set([...content.matchAll(VARIABLE)].map(([, name = '']) => name))].slice(0, MAX_PROMPT_VARIABLES);

/** The prompt with values in place of its variables; those without one stay as they are. */
export const fillPrompt = (content: string, values: Readonly<Record<string, string>>): string =>
  content.replaceAll(VARIABLE, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : whole));

export const PromptVisibility = z
  .enum(['private', 'tenant'])
  .describe('Who may use it: private for its owner alone, tenant for everybody of the tenant');
export type PromptVisibility = z.infer<typeof PromptVisibility>;

const name = z.string().trim().min(1).max(100);
const description = z.string().trim().max(500);
const content = z
  .string()
  .max(MAX_PROMPT_LENGTH)
  .refine((text) => text.trim() !== '', 'must hold words');

export const PromptSummary = described('A prompt in a list', {
  id: z.string().describe('Id of the prompt, 32 lower-case hexadecimal digits'),
  name: name.describe('Name of the prompt'),
  description: description.describe('What it is for; empty where nobody has said'),
  visibility: PromptVisibility,
  variables: z.array(z.string()).describe('Names of its variables, in the order of the text'),
  version: z.int().describe('Number of the version in use, from 1'),
  owner: z.string().nullable().describe('Name of the person who made it; null where they are gone'),
  own: z.boolean().describe('Whether it is of the person who asks'),
  changes: z.boolean().describe('Whether the person who asks may change it'),
  removes: z
    .boolean()
    .describe('Whether they may delete it; who made it may, and share it no more, also where they may not change it'),
  updated_at: z.iso.datetime().describe('Time of the last change, ISO 8601 in UTC'),
});
export type PromptSummary = z.infer<typeof PromptSummary>;

export const Prompt = PromptSummary.extend({
  content: z.string().describe('The text, with variables as {{name}}'),
}).describe('A prompt with its text');
export type Prompt = z.infer<typeof Prompt>;

export const PromptQuery = describedStrictly('Query of GET /prompts: those of the person, and those that are shared', {
  text: z.string().trim().max(200).optional().describe('Words that stand in its name, description or text'),
  show: z.enum(['all', 'own', 'shared']).default('all').describe('Which ones: all, own or shared in the tenant'),
  from: z.coerce.number().int().min(0).max(10_000).default(0).describe('Number of prompts that are passed over'),
  size: z.coerce.number().int().min(1).max(100).default(50).describe('Number of prompts, 1 to 100'),
});
export const PromptPage = described('A part of the prompts of a person', {
  items: z.array(PromptSummary).describe('Prompts of this page, the last changed first'),
  total: z.int().describe('Number of all that fit the query'),
});

export const NewPrompt = describedStrictly('Body of POST /prompts', {
  name: name.describe('Name of the prompt, 1 to 100 characters'),
  description: description.default('').describe('What it is for, at most 500 characters'),
  content: content.describe('The text, at most 20,000 characters, with variables as {{name}}'),
  visibility: PromptVisibility.default('private'),
});
export const PromptChange = describedStrictly('Body of PATCH /prompts/{id}', {
  version: z.int().min(1).describe('Version that the change was made from; another one by now is a conflict'),
  name: name.optional().describe('New name, 1 to 100 characters'),
  description: description.optional().describe('New description, at most 500 characters'),
  content: content.optional().describe('New text, which makes a new version where it is another one'),
  visibility: PromptVisibility.optional(),
});

export const PromptVersion = described('A version of the text of a prompt', {
  version: z.int().describe('Number of the version, from 1'),
  content: z.string().describe('The text of this version'),
  author: z.string().nullable().describe('Name of the person who wrote it; null where they are gone'),
  created_at: z.iso.datetime().describe('Time of the version, ISO 8601 in UTC'),
});
export type PromptVersion = z.infer<typeof PromptVersion>;
export const PromptVersions = described('The versions of a prompt', {
  items: z.array(PromptVersion).describe('The newest first; the last 50 are kept'),
});
