import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import type { Principal } from '../../kernel/actor.ts';
import type { FindPolicy } from '../find.ts';
import type { Finding } from '../finding.ts';
import { recogniserNames } from '../recognisers/index.ts';
import type { ValueFinder } from '../search/search.ts';
import {
  type AskModel,
  type FoundByModel,
  type ModelTokens,
  type Spend,
  findByModel,
  modelTypes,
} from './find-by-model.ts';
import { joinFindings } from './join.ts';

interface Deps {
  readonly search: ValueFinder;
  readonly askModel: AskModel;
}

/** What looks for values in the texts of a request: rules, and a model where one is chosen. */
export function createFinder(
  { search, askModel }: Deps,
  actor: Principal,
  {
    model,
    types,
    onTokens,
  }: { readonly model: string | null; readonly types: readonly PiiType[]; readonly onTokens?: Spend },
) {
  const failures = new Set<string>();
  const asks = model !== null && modelTypes.some((type) => types.includes(type));
  const name = `model:${model ?? ''}`;
  let modelTokens = 0;
  const spend = (tokens: ModelTokens) => {
    modelTokens += tokens.promptTokens + tokens.completionTokens;
    onTokens?.(tokens);
  };
  return {
    /** A finder for one text. The model reads it once; what masking brings together is looked at by the rules. */
    open() {
      let byModel: Promise<FoundByModel> | null = null;
      return async (text: string, policy: FindPolicy): Promise<readonly Finding[]> => {
        if (byModel !== null || !asks || model === null) return search.find(text, policy);
        byModel = findByModel(askModel, actor, { model, text, types, spend });
        const [byRules, { findings, failure }] = await Promise.all([search.find(text, policy), byModel]);
        if (failure !== null) failures.add(failure);
        return joinFindings(text, byRules, findings, policy);
      };
    },
    /** Tokens that the model took so far, asked and answered; null where none is asked. */
    modelTokens: (): number | null => (asks ? modelTokens : null),
    /** Which recognisers ran and which did not, once all texts were looked through. */
    recogniserReport: () => ({
      recognizers: [...recogniserNames(new Set(types)), ...(asks && failures.size === 0 ? [name] : [])],
      ...(failures.size > 0 ? { failed_recognizers: Array.from(failures, (reason) => ({ name, reason })) } : {}),
    }),
  };
}
