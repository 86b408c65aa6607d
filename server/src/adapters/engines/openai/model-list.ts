import type { EngineModel } from '../../../ports/engine.ts';
import { asArray, asNumber, asObject, asText } from './json.ts';

/** The models of a list, in any of the forms that servers give it, with the `owned_by` of each. */
export function readModels(value: unknown): { models: EngineModel[]; owners: string[] } {
  const top = asObject(value);
  const items = asArray(top?.['data'] ?? top?.['models'])
    .map(asObject)
    .filter((item) => item !== null);
  const models = items.flatMap((item) => {
    const name = asText(item['id']) ?? asText(item['name']) ?? asText(item['model']);
    const meta = asObject(item['meta']);
    const length =
      asNumber(item['max_model_len']) ??
      asNumber(item['max_context_length']) ??
      asNumber(item['context_length']) ??
      asNumber(meta?.['n_ctx']) ??
      asNumber(meta?.['n_ctx_train']);
    return name === null ? [] : [{ name, contextLength: length }];
  });
  return { models, owners: items.map((item) => asText(item['owned_by']) ?? '') };
}
