import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import type { FindPolicy } from '../find.ts';
import type { Finding } from '../finding.ts';
import { recogniserNames } from '../recognisers/index.ts';
import type { Search } from '../search/search.ts';
import { type AskModel, type ModelCaller, type FoundByModel, findByModel, modelTypes } from './find-by-model.ts';
import { joinFindings } from './join.ts';

interface Deps {
  readonly search: Pick<Search, 'find'>;
  readonly askModel: AskModel;
}

/** Creates what finds values in the texts of a request: the rules, and a model where one is chosen. */
export function createFinder(
  { search, askModel }: Deps,
  model: string | null,
  types: readonly PiiType[],
  caller: ModelCaller,
) {
  const failures = new Set<string>();
  const asksModel = model !== null && modelTypes.some((type) => types.includes(type));
  const name = `model:${model ?? ''}`;
  let modelTokens = 0;
  const countingCaller: ModelCaller = {
    ...caller,
    recordTokens(tokens) {
      modelTokens += tokens.promptTokens + tokens.completionTokens;
      caller.recordTokens?.(tokens);
    },
  };
  return {
    /** Opens a finder for one text. The model reads it once; later rounds of masking use the rules only. */
    open() {
      let modelResult: Promise<FoundByModel> | null = null;
      return async (text: string, policy: FindPolicy): Promise<readonly Finding[]> => {
        if (modelResult !== null || !asksModel || model === null) return search.find(text, policy);
        modelResult = findByModel(askModel, model, text, types, countingCaller);
        const [byRules, { findings, failure }] = await Promise.all([search.find(text, policy), modelResult]);
        if (failure !== null) failures.add(failure);
        return joinFindings(text, byRules, findings, policy);
      };
    },
    /** Prompt and completion tokens of the model so far; null where no model is asked. */
    modelTokens: (): number | null => (asksModel ? modelTokens : null),
    /** Which recognisers ran and which failed, once all texts were searched. */
    report: () => ({
      recognizers: [...recogniserNames(new Set(types)), ...(asksModel && failures.size === 0 ? [name] : [])],
      ...(failures.size > 0 ? { failed_recognizers: Array.from(failures, (reason) => ({ name, reason })) } : {}),
    }),
  };
}
