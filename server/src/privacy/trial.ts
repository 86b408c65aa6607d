import type { PrivacyTrial, PrivacyTrialResult } from '@ai-studio/contract/console/privacy.ts';
import type { GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { defaultPiiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import type { FindPolicy } from './find.ts';
import { findPolicyOf } from './guard/policy.ts';
import { maskTextWith } from './mask.ts';
import type { AskModel, ModelCaller } from './model/find-by-model.ts';
import { createFinder } from './model/finder.ts';
import { recogniserOf } from './recognisers/index.ts';
import type { Search } from './search/search.ts';

/** Dependencies of a trial. */
export interface TrialDeps {
  readonly search: Pick<Search, 'find'>;
  readonly askModel: AskModel;
}

/** Finds and masks the personal values of a text on trial; stores and counts nothing. Errors: `unavailable`. */
export async function tryText(
  deps: TrialDeps,
  { text, types: requestedTypes, threshold, by_policy: byPolicy }: PrivacyTrial,
  policy: GuardPolicy,
  caller: ModelCaller,
): Promise<PrivacyTrialResult> {
  const types = requestedTypes ?? defaultPiiTypes;
  const lists: FindPolicy = byPolicy ? findPolicyOf(policy) : {};
  const finder = createFinder(deps, byPolicy ? policy.recognizer_model : null, types, caller);
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
    failed_recognizers: finder.report().failed_recognizers ?? [],
  };
}
