import { z } from 'zod';
import { described } from '../described.ts';
import { forEachLimit } from '../limits.ts';
import { SynonymSets } from '../retrieval/collection.ts';
import { ToolStream } from './keys.ts';

/** A text that the tenant has written; null: that of `ai-texts.ts`. */
const OwnText = (most: number) => z.string().trim().min(1).max(most).nullable();

const Limit = z.int().min(1).max(2_147_483_647).nullable();

export const TenantSettings = described(
  'Settings of the tenant: GET and PATCH /settings; null: the default of the installation',
  {
    name: z.string().trim().min(1).max(100).describe('Name of the tenant, 1 to 100 characters'),
    allowed_models: z
      .array(z.string().max(200))
      .min(1)
      .max(1000)
      .nullable()
      .describe('Models that keys and people of the tenant may use; null for all'),
    default_model: z.string().nullable().describe('Model that chat and playground begin with'),
    default_embedding_model: z
      .string()
      .max(200)
      .nullable()
      .describe('Embedding model of new collections that name none; lexical calls no model'),
    synonyms: SynonymSets.describe(
      'Words that mean the same in searches of all collections, beside those of a collection and those that come with the service',
    ),
    ...forEachLimit(Limit.describe('For keys without a limit of their own')),
    tool_stream: ToolStream.nullable().describe(
      'Form of tool-call deltas for keys that have none of their own; null: as the model has it, which for CORE-GOV-THINK is arguments alone',
    ),
    max_keys: z.int().min(1).max(10_000).describe('Maximum number of API keys of the tenant'),
    require_second_factor: z
      .boolean()
      .describe('Whether people need a second factor; a passkey and the single sign-on are as good'),
    session_idle_hours: z.int().min(1).max(720).describe('Hours without a request after which a session ends'),
    conversation_days: z
      .int()
      .min(1)
      .max(3650)
      .nullable()
      .describe('Days without a change after which conversations are deleted; null for never'),
    agent_traces: z
      .enum(['full', 'no_content'])
      .describe('What traces of ended runs of agents keep: everything, or no inputs and outputs'),
    accent: z
      .enum(['indigo', 'blue', 'teal', 'green', 'orange', 'red', 'grape'])
      .nullable()
      .describe('Colour of buttons and links'),
    ai_notice_ko: OwnText(2_000).describe('What people are told in Korean before they first use an AI'),
    ai_notice_en: OwnText(2_000).describe('The same in English'),
    ai_mark_ko: OwnText(60).describe('Mark in Korean on what an AI has made'),
    ai_mark_en: OwnText(60).describe('The same in English'),
    follow_ups: z
      .enum(['off', 'kept', 'all'])
      .describe(
        'Where chats suggest further questions: nowhere, in conversations that are kept, in temporary ones too',
      ),
    model_titles: z.boolean().describe('Whether a model writes the titles of conversations'),
  },
);
export type TenantSettings = z.infer<typeof TenantSettings>;
export const TenantSettingsChange = TenantSettings.partial().strict().describe('Changes to the settings of the tenant');
