import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { memoizeNames } from '../../kernel/memoize.ts';
import { maskText } from '../mask.ts';
import { type GuardDeps, type GuardedCall, GuardedTexts } from './guarded-texts.ts';
import { hideInError } from './hide-error.ts';
import { findPolicyOf } from './policy.ts';

/** The one guard of all calls of models. */
export interface PrivacyGuard {
  /** `policy`: the result of resolveGuard. */
  open(policy: GuardPolicy, call: GuardedCall): GuardedTexts;
  /** Masks a short text for logs and messages. */
  hide(policy: GuardPolicy, text: string): string;
  /** Masks the messages of an error. */
  hideInError(policy: GuardPolicy, error: unknown): unknown;
}

/** Fits a message; of a longer stack, only the beginning is kept. */
const MAX_HIDDEN_LENGTH = 10_000;

export function createPrivacyGuard({ box, search, counts }: Omit<GuardDeps, 'tenantKey'>): PrivacyGuard {
  // Kept, as to derive one takes as long as the tokens of several values.
  const tenantKey = memoizeNames((tenantId) => box.mac('', `privacy guard ${tenantId}`).toString('hex'));
  const deps: GuardDeps = { box, search, counts, tenantKey };
  const hide: PrivacyGuard['hide'] = (policy, text) =>
    maskText(text.slice(0, MAX_HIDDEN_LENGTH), findPolicyOf(policy)).text;
  return {
    hide,
    hideInError: (policy, error) => hideInError(error, (text) => hide(policy, text)),
    open: (policy, call) => new GuardedTexts(deps, policy.mode, { ...findPolicyOf(policy), operator: 'replace' }, call),
  };
}
