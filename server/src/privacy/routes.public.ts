import { envelope } from '@ai-studio/contract/envelope.ts';
import {
  PiiMaskRequest,
  PiiMaskResult,
  PiiUnmaskRequest,
  PiiUnmaskResult,
} from '@ai-studio/contract/utilities/privacy.ts';
import { estimateTokens } from '../inference/index.ts';
import { type Counted, PRIVACY_MODEL, type PrivacyDeps, type Spend, maskRequest, unmaskRequest } from './index.ts';
import { inEnvelope } from '../http-kit/envelope.ts';
import { type KeyCall, publicRoute, type PublicRoute } from '../http-kit/public-route.ts';

const estimateOf = ({ text }: { readonly text: string | readonly string[] }) =>
  estimateTokens([text].flat().reduce((sum, one) => sum + Buffer.byteLength(one), 0));

/** Runs an operation on texts, meters it, and wraps its result in the envelope. */
async function runMetered<T>({ admitted }: Pick<KeyCall, 'admitted'>, verb: (onTokens: Spend) => Promise<Counted<T>>) {
  // What a model took counts for the key's limit, also where the call failed in the end.
  const { result, totalTokens, modelTokens } = await verb(({ promptTokens, completionTokens }) =>
    admitted.spend(promptTokens + completionTokens),
  );
  admitted.meter({ model: PRIVACY_MODEL, engine: null, promptTokens: totalTokens });
  return inEnvelope(result, {
    total_tokens: totalTokens,
    ...(modelTokens === null ? {} : { recognizer_tokens: modelTokens }),
  });
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
    handle: (call) => runMetered(call, (onTokens) => maskRequest(deps, call.ctx.actor, call.body, onTokens)),
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
    handle: (call) => runMetered(call, () => unmaskRequest(deps, call.ctx.actor.tenantId, call.body)),
  }),
];
