import { z } from 'zod';
import { describedStrictly } from '../described.ts';

/** Types that are searched for when a request names none. Source: decisions section 6. */
export const defaultPiiTypes = ['RRN', 'FRR', 'DRIVER_LICENSE', 'PASSPORT', 'BANK_ACCOUNT', 'CREDIT_CARD'] as const;

/** All types that can be asked for. Source: decisions section 6. */
export const piiTypes = [
  ...defaultPiiTypes,
  'PHONE',
  'EMAIL',
  'ADDRESS',
  'PERSON',
  'BUSINESS_NUMBER',
  'CORPORATE_NUMBER',
  'HEALTH_INSURANCE',
  'VEHICLE_PLATE',
  'IP',
  'MAC',
  'IBAN',
  'SSN',
  'IMEI',
  'CRYPTO_WALLET',
  'SECRET',
] as const;
/** A type of personal values. */
export type PiiType = (typeof piiTypes)[number];

/** What a finding can be: a type, or CUSTOM for a word of the deny list. */
export const findingTypes = [...piiTypes, 'CUSTOM'] as const;
/** Type of a finding. */
export type FindingType = (typeof findingTypes)[number];

/** Ways to handle a personal value. Source: decisions section 6. */
export const piiOperators = ['mask', 'replace', 'redact', 'hash', 'encrypt'] as const;
/** Source: decisions section 6. */
export const PiiOperator = z.enum(piiOperators).describe('Handling of a personal value');
export type PiiOperator = z.infer<typeof PiiOperator>;

const operatorByType = z
  .partialRecord(z.enum([...findingTypes, 'DEFAULT']), PiiOperator)
  .describe('Operator for each type; DEFAULT is for the others (mask when left out)');

const Words = z.array(z.string().min(1).max(200)).max(100);
const Text = z.string().min(1);
const Texts = z.union([Text, z.array(Text).min(1).max(1_000)]).describe('A text, or up to 1,000 of them');
const SessionId = z.string().regex(/^[0-9a-f]{32}$/, 'the session_id of a reply, 32 hexadecimal digits');

/** Source: decisions section 6. */
export const PiiMaskRequest = describedStrictly('Body of POST /v1/text/pii-mask', {
  text: Texts.describe('A text, or up to 1,000 of them'),
  pii_types: z
    .array(z.enum([...piiTypes, 'ALL']))
    .min(1)
    .nullish()
    .describe(`${defaultPiiTypes.join(', ')} when left out; ["ALL"] for every type`),
  operator: z
    .union([PiiOperator, operatorByType])
    .nullish()
    .describe('How values are masked: one operator for all or one for each type; mask when left out'),
  reversible: z
    .boolean()
    .nullish()
    .describe(
      'Whether values become tokens that POST /v1/text/pii-unmask restores, with the operators mask and replace',
    ),
  session_id: SessionId.nullish().describe('Earlier session, with reversible: the same value gets the same token'),
  threshold: z.number().min(0).max(1).nullish().describe('Minimum score of a finding, 0 to 1; 0.5 when left out'),
  language: z.enum(['auto', 'ko', 'en']).nullish().describe('Language of the text; auto when left out'),
  allow_list: Words.nullish().describe('Values that are never masked, at most 100'),
  deny_list: Words.nullish().describe('Words that are always masked, with the type CUSTOM, at most 100'),
  recognizer_model: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe(
      'A chat model that searches for names and addresses as well; "none" for rules alone; the tenant\'s when left out',
    ),
  return_original: z.boolean().nullish().describe('Whether the reply has original_text; true when left out'),
});
export type PiiMaskRequest = z.infer<typeof PiiMaskRequest>;

const MaskedText = z.object({
  original_text: z.string().optional().describe('The text as it came, unless return_original is false'),
  masked_text: z.string().describe('The text with masked values'),
  detected_pii_count: z.int().describe('Number of values that were found'),
  entities: z
    .array(
      z.object({
        type: z.enum(findingTypes).describe('Type of the value; CUSTOM for a word of the deny list'),
        start: z.int().describe('Start in the original text, in UTF-16 units'),
        end: z.int().describe('End in the original text, in UTF-16 units; not included'),
        score: z.number().describe('Certainty of the finding, 0 to 1'),
        replacement: z.string().describe('What stands in its place'),
      }),
    )
    .describe('Values that were found, in order'),
});
/** A masked text and what was found in it. */
export type MaskedText = z.infer<typeof MaskedText>;

const maskHead = {
  model: z.string().describe('Name of the masking service'),
  recognizers: z.array(z.string()).describe('Recognizers that ran'),
  failed_recognizers: z
    .array(
      z.object({
        name: z.string().describe('Name of the recognizer'),
        reason: z.string().describe('Why it did not run'),
      }),
    )
    .optional()
    .describe('Recognizers that did not run, or not over all of the text'),
  session_id: z.string().optional().describe('Session that POST /v1/text/pii-unmask asks for, with reversible'),
  expires_at: z.iso.datetime().optional().describe('When the session ends, ISO 8601 in UTC'),
};

/** Source: decisions section 6. */
export const PiiMaskResult = z
  .union([
    z.object({ ...maskHead, ...MaskedText.shape }),
    z.object({ ...maskHead, items: z.array(MaskedText).describe('Masked texts, in the order of the request') }),
  ])
  .describe('Masked texts: one for a text, items for a list');
export type PiiMaskResult = z.infer<typeof PiiMaskResult>;

/** Source: decisions section 6. */
export const PiiUnmaskRequest = describedStrictly('Body of POST /v1/text/pii-unmask', {
  text: Texts,
  session_id: SessionId.nullish().describe(
    'Session of the reply that made the tokens; not needed for encrypted values',
  ),
});
export type PiiUnmaskRequest = z.infer<typeof PiiUnmaskRequest>;

const UnmaskedText = z.object({
  unmasked_text: z.string().describe('The text with its values'),
  restored_count: z.int().describe('Number of values that were restored'),
});

/** Source: decisions section 6. */
export const PiiUnmaskResult = z
  .union([
    z.object({ model: z.string().describe('Name of the masking service'), ...UnmaskedText.shape }),
    z.object({
      model: z.string().describe('Name of the masking service'),
      items: z.array(UnmaskedText).describe('Restored texts, in the order of the request'),
    }),
  ])
  .describe('Restored texts: one for a text, items for a list');
export type PiiUnmaskResult = z.infer<typeof PiiUnmaskResult>;
