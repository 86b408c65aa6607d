import type { CatalogueModel } from './catalogue.ts';

/** The template key, and its value, that turns a model's thinking on or off; null where it has none or thinks so anyway. */
export function reasoningKwargs(
  { reasoning, template_keys }: Pick<CatalogueModel, 'reasoning' | 'template_keys'>,
  on: boolean,
): Readonly<Record<string, boolean>> | null {
  const wanted = on ? 'on' : 'off';
  if (reasoning.default === 'none' || reasoning.default === wanted) return null;
  const keys = Object.entries(template_keys);
  const whenTrue = keys.find(([, key]) => key.when_true === wanted);
  if (whenTrue) return { [whenTrue[0]]: true };
  const whenFalse = keys.find(([, key]) => key.when_false === wanted);
  return whenFalse ? { [whenFalse[0]]: false } : null;
}

/** Whether a request can turn the model's thinking the other way. */
export const hasReasoningSwitch = (model: Pick<CatalogueModel, 'reasoning' | 'template_keys'>): boolean =>
  reasoningKwargs(model, model.reasoning.default === 'off') !== null;
