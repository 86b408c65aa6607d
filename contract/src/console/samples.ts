import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { Language } from './session.ts';

export const Sample = described('A sample to try things with: a collection and an agent over it', {
  collection_id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  agent_id: z.string().describe('Id of the agent, 32 lower-case hexadecimal digits'),
});
export type Sample = z.infer<typeof Sample>;
export const OwnSample = described('Reply of GET /sample', {
  sample: Sample.nullable().describe('The sample of the person; null where there is none'),
});
export type OwnSample = z.infer<typeof OwnSample>;
export const NewSample = describedStrictly('Body of POST /sample', {
  language: Language.describe('Language of its names and questions; its documents are in both'),
});
