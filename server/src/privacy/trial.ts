import type { PrivacyTrial, PrivacyTrialResult } from '@ai-studio/contract/console/privacy.ts';
import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { defaultPiiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import type { Principal } from '../kernel/actor.ts';
import type { FindPolicy } from './find.ts';
import { findPolicyOf } from './guard/policy.ts';
import { maskTextWith } from './mask.ts';
import type { AskModel } from './model/find-by-model.ts';
import { createFinder } from './model/finder.ts';
import { recogniserOf } from './recognisers/index.ts';
import type { ValueFinder } from './search/search.ts';

/** What looks through a text that somebody tries. */
export interface TrialDeps {
  readonly search: ValueFinder;
  readonly askModel: AskModel;
}

/** What is tried, with the policy of the tenant. */
interface PolicyTrial extends PrivacyTrial {
  readonly policy: GuardPolicy;
}

/** Looks through a text that somebody tries; keeps and counts nothing. Errors: `unavailable`. */
export async function tryText(
  deps: TrialDeps,
  actor: Principal,
  { text, types: given, threshold, by_policy: byPolicy, policy }: PolicyTrial,
): Promise<PrivacyTrialResult> {
  const types = given ?? defaultPiiTypes;
  const lists: FindPolicy = byPolicy ? findPolicyOf(policy) : {};
  const finder = createFinder(deps, actor, { model: byPolicy ? policy.recognizer_model : null, types });
  const masked = await maskTextWith(finder.open(), text, { ...lists, types, threshold, operator: 'mask' });
  return {
    findings: masked.findings.map(({ type, start, end, score, by }) => ({
      type,
      start,
      end,
      score,
      recognizer: by === 'model' ? 'model' : recogniserOf(type),
    })),
    masked_text: masked.text,
    failed_recognizers: finder.recogniserReport().failed_recognizers ?? [],
  };
}
