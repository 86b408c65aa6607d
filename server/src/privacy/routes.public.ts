import { envelope } from '@ai-studio/contract/envelope.ts';
import {
  type MaskedText,
  PiiMaskRequest,
  PiiMaskResult,
  PiiUnmaskRequest,
  PiiUnmaskResult,
} from '@ai-studio/contract/utilities/privacy.ts';
import { MaskToolReply, MaskToolRequest } from '@ai-studio/contract/tool-server.ts';
import { estimateTokens } from '../inference/index.ts';
import { type Counted, PRIVACY_MODEL, type PrivacyDeps, type Spend, maskRequest, unmaskRequest } from './index.ts';
import { inEnvelope } from '../http-kit/envelope.ts';
import { type KeyCall, publicRoute, type PublicRoute } from '../http-kit/public-route.ts';

const estimateOf = ({ text }: { readonly text: string | readonly string[] }) =>
  estimateTokens([text].flat().reduce((sum, one) => sum + Buffer.byteLength(one), 0));

/** Runs an operation on texts and meters it. */
async function runMetered<T>({ admitted }: Pick<KeyCall, 'admitted'>, verb: (onTokens: Spend) => Promise<Counted<T>>) {
  // What a model took counts for the key's limit, also where the call failed in the end.
  const { result, totalTokens, modelTokens } = await verb(({ promptTokens, completionTokens }) =>
    admitted.spend(promptTokens + completionTokens),
  );
  admitted.meter({ model: PRIVACY_MODEL, engine: null, promptTokens: totalTokens });
  const usage = { total_tokens: totalTokens, ...(modelTokens === null ? {} : { recognizer_tokens: modelTokens }) };
  return { result, usage };
}

const common = {
  method: 'POST',
  access: 'utilities',
  tag: 'Privacy',
  errors: ['not_found'],
  estimate: estimateOf,
} as const;

/** POST /text/pii-mask and /text/pii-unmask. Source: decisions section 6. */
export const privacyRoutes = (deps: PrivacyDeps): readonly PublicRoute[] => [
  publicRoute({
    ...common,
    path: '/text/pii-mask',
    summary: 'Masking of personal values',
    description:
      'Finds resident and foreigner numbers, licences, passports, accounts, cards (and more types on request) and masks, replaces, redacts, hashes or encrypts them. With `reversible` tokens are written, which `POST /v1/text/pii-unmask` turns back until `expires_at`. `recognizer_model` has a chat model look for names and addresses, too; `failed_recognizers` says where it could not, and `usage.recognizer_tokens` what it took.',
    body: { PiiMaskRequest },
    reply: { PiiMaskReply: envelope(PiiMaskResult) },
    example: { text: '주민번호는 960121-1234567입니다.' },
    usage: 'text/pii-mask',
    async handle(call) {
      const done = await runMetered(call, (onTokens) => maskRequest(deps, call.ctx.actor, call.body, onTokens));
      return inEnvelope(done.result, done.usage);
    },
  }),
  publicRoute({
    ...common,
    path: '/text/pii-unmask',
    summary: 'Unmasking',
    description: 'Turns the tokens of a session and encrypted values back, for the tenant that masked them.',
    body: { PiiUnmaskRequest },
    reply: { PiiUnmaskReply: envelope(PiiUnmaskResult) },
    example: { text: '주민번호는 [RRN_7K2MQ9XB]입니다.', session_id: '0123456789abcdef0123456789abcdef' },
    usage: 'text/pii-unmask',
    async handle(call) {
      const done = await runMetered(call, () => unmaskRequest(deps, call.ctx.actor.tenantId, call.body));
      return inEnvelope(done.result, done.usage);
    },
  }),
  publicRoute({
    ...common,
    tag: 'Tools',
    tool: 'mask_personal_values',
    path: '/tools/mask_personal_values',
    summary: 'Mask personal values',
    description:
      'Finds numbers of identity, licences, passports, accounts, cards and, on request, more personal values in a text, and gives the text without them.',
    body: { MaskToolRequest },
    reply: { MaskToolReply },
    example: { text: '주민번호는 960121-1234567입니다.' },
    usage: 'text/pii-mask',
    async handle(call) {
      const { text, types } = call.body;
      const asked = { text, return_original: false, ...(types ? { pii_types: types } : {}) };
      const { result } = await runMetered(call, (onTokens) => maskRequest(deps, call.ctx.actor, asked, onTokens));
      // One text has one result.
      const { masked_text: masked, detected_pii_count: count } = result as MaskedText;
      return { text: masked, count };
    },
  }),
];
