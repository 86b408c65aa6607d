import { z } from 'zod';

/** Types that are looked for when none are named. Source: decisions section 6. */
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
export type PiiType = (typeof piiTypes)[number];

/** What a finding can be: a type, or CUSTOM for a word of the deny list. */
export const findingTypes = [...piiTypes, 'CUSTOM'] as const;
export type FindingType = (typeof findingTypes)[number];

/** What becomes of a value. Source: decisions section 6. */
export const piiOperators = ['mask', 'replace', 'redact', 'hash', 'encrypt'] as const;
export const PiiOperator = z.enum(piiOperators);
export type PiiOperator = z.infer<typeof PiiOperator>;

const operatorByType = z
  .partialRecord(z.enum([...findingTypes, 'DEFAULT']), PiiOperator)
  .describe('By type; DEFAULT is for the others, and mask where it is left out');

const Words = z.array(z.string().min(1).max(200)).max(100);
const Text = z.string().min(1);
const Texts = z.union([Text, z.array(Text).min(1).max(1_000)]);
const SessionId = z.string().regex(/^[0-9a-f]{32}$/, 'the session_id of a reply, 32 hexadecimal digits');

/** Body of POST /text/pii-mask. Source: decisions section 6. */
export const PiiMaskRequest = z.object({
  text: Texts.describe('A text, or up to 1,000 of them'),
  pii_types: z
    .array(z.enum([...piiTypes, 'ALL']))
    .min(1)
    .nullish()
    .describe(`${defaultPiiTypes.join(', ')} when left out; ["ALL"] for every type`),
  operator: z
    .union([PiiOperator, operatorByType])
    .nullish()
    .describe('mask when left out; an object gives one for each type'),
  reversible: z
    .boolean()
    .nullish()
    .describe('Writes tokens that POST /text/pii-unmask turns back, where the operator is mask or replace'),
  session_id: SessionId.nullish().describe(
    'With reversible: an earlier session, in which the same value has the same token',
  ),
  threshold: z.number().min(0).max(1).nullish().describe('Least score of a finding; 0.5 when left out'),
  language: z.enum(['auto', 'ko', 'en']).nullish(),
  allow_list: Words.nullish().describe('Values that are left as they are'),
  deny_list: Words.nullish().describe('Words that are always found, as CUSTOM'),
  recognizer_model: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe(
      'A chat model that looks for names and addresses, too; "none" for rules alone; what the tenant has set when left out',
    ),
  return_original: z.boolean().nullish().describe('Whether the reply has original_text; true when left out'),
});
export type PiiMaskRequest = z.infer<typeof PiiMaskRequest>;

const MaskedText = z.object({
  original_text: z.string().optional(),
  masked_text: z.string(),
  detected_pii_count: z.int(),
  entities: z.array(
    z.object({
      type: z.enum(findingTypes),
      start: z.int().describe('In UTF-16 units of the original'),
      end: z.int(),
      score: z.number(),
      replacement: z.string(),
    }),
  ),
});
export type MaskedText = z.infer<typeof MaskedText>;

const maskHead = {
  model: z.string(),
  recognizers: z.array(z.string()).describe('Those that ran'),
  failed_recognizers: z
    .array(z.object({ name: z.string(), reason: z.string() }))
    .optional()
    .describe('Those that were asked for and did not run, or not over all of the text'),
  session_id: z.string().optional().describe('With reversible: what POST /text/pii-unmask asks for'),
  expires_at: z.iso.datetime().optional().describe('When the session ends'),
};

/** Result of POST /text/pii-mask. */
export const PiiMaskResult = z.union([
  z.object({ ...maskHead, ...MaskedText.shape }),
  z.object({ ...maskHead, items: z.array(MaskedText).describe('For an array, in its order') }),
]);
export type PiiMaskResult = z.infer<typeof PiiMaskResult>;

/** Body of POST /text/pii-unmask. Source: decisions section 6. */
export const PiiUnmaskRequest = z.object({
  text: Texts,
  session_id: SessionId.nullish().describe('Of the reply that made the tokens; not needed for encrypted values'),
});
export type PiiUnmaskRequest = z.infer<typeof PiiUnmaskRequest>;

const UnmaskedText = z.object({ unmasked_text: z.string(), restored_count: z.int() });

/** Result of POST /text/pii-unmask. */
export const PiiUnmaskResult = z.union([
  z.object({ model: z.string(), ...UnmaskedText.shape }),
  z.object({ model: z.string(), items: z.array(UnmaskedText) }),
]);
export type PiiUnmaskResult = z.infer<typeof PiiUnmaskResult>;
