import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import { type PrivacyDeps, maskRequest } from '../../privacy/index.ts';
import type { NodeDeps } from './node.ts';

/** Masks personal values of texts; a name that is no type counts for nothing, and none at all means every type. */
export const createMask =
  (privacy: PrivacyDeps): NodeDeps['mask'] =>
  async (actor, { text, types, onTokens }) => {
    if (text === '') return { text, found: 0 };
    const named = piiTypes.filter((one) => types?.includes(one));
    const request = { text, pii_types: named.length === 0 ? ['ALL' as const] : named, return_original: false };
    const { result } = await maskRequest(privacy, unlimitedActor(actor), request, onTokens);
    return 'masked_text' in result
      ? { text: result.masked_text, found: result.detected_pii_count }
      : { text: '', found: 0 };
  };
