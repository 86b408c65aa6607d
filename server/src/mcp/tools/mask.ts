import { MaskInput, MaskOutput } from '@ai-studio/contract/mcp/tools.ts';
import type { MaskedText } from '@ai-studio/contract/utilities/privacy.ts';
import { estimateTokens } from '../../inference/index.ts';
import { maskRequest, PRIVACY_MODEL, type PrivacyDeps } from '../../privacy/index.ts';
import { defineTool, readsOnly, type Tool } from '../tool.ts';

/** `mask_personal_values`: a text without the personal values in it. Metered as POST /v1/text/pii-mask is. */
export const maskTool = (privacy: PrivacyDeps): Tool =>
  defineTool({
    name: 'mask_personal_values',
    title: 'Mask personal values',
    description:
      'Finds numbers of identity, licences, passports, accounts, cards and more in a text, and masks, replaces or removes them.',
    scope: 'utilities',
    input: MaskInput,
    output: MaskOutput,
    annotations: readsOnly,
    admission: (args) => {
      const { text } = MaskInput.pick({ text: true }).safeParse(args).data ?? { text: '' };
      return { endpoint: 'text/pii-mask', tokens: estimateTokens(Buffer.byteLength(text)) };
    },
    async run({ text, types, operator }, { caller, admitted }) {
      const request = { text, operator, return_original: false, ...(types ? { pii_types: types } : {}) };
      const { result, totalTokens } = await maskRequest(
        privacy,
        caller.ctx.actor,
        request,
        ({ promptTokens, completionTokens }) => admitted?.spend(promptTokens + completionTokens),
      );
      admitted?.meter({ model: PRIVACY_MODEL, engine: null, promptTokens: totalTokens });
      // One text has one result.
      const { masked_text, detected_pii_count: count, entities } = result as MaskedText;
      return { masked_text, count, entities };
    },
    tell: ({ masked_text: text }) => [text],
  });
