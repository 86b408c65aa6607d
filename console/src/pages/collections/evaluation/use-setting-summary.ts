import type { EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../parts/use-format.ts';

/** What a setting does, in a line. */
export function useSettingSummary(): (setting: EvaluationSetting) => string {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return ({ search, top_k: topK, threshold, query_expansion: expansion }) => {
    const { mode, alpha, fusion, rerank } = search;
    const { parent_size: parentSize = null, decay = null, boosts = [], collapse_duplicates: collapse = false } = search;
    const { synonyms = [], starter_synonyms: starter = true } = search;
    return [
      t(`modes.${mode}`),
      ...(mode === 'hybrid' ? [t(`fusions.${fusion}`)] : []),
      ...(mode === 'hybrid' && fusion === 'weighted' && alpha !== null ? [`${t('alpha')} ${number(alpha)}`] : []),
      ...(rerank === false
        ? []
        : [typeof rerank === 'object' && rerank.model !== undefined ? `${t('rerank')} ${rerank.model}` : t('rerank')]),
      ...(topK === null ? [] : [`${t('search.top_k')} ${number(topK)}`]),
      ...(threshold === null ? [] : [`${t('search.threshold')} ${number(threshold)}`]),
      ...(expansion === null ? [] : [t(`search.expansions.${expansion.kind}`)]),
      ...(parentSize === null ? [] : [t('evaluation.summary.parent', { tokens: number(parentSize) })]),
      ...(decay === null ? [] : [t('evaluation.summary.decay', { days: number(decay.half_life_days) })]),
      ...(boosts.length === 0 ? [] : [t('evaluation.summary.boosts', { count: boosts.length })]),
      ...(collapse ? [t('evaluation.summary.collapse')] : []),
      ...(synonyms.length === 0 ? [] : [t('evaluation.summary.synonyms', { count: synonyms.length })]),
      ...(starter ? [] : [t('evaluation.summary.no_starter')]),
    ].join(' · ');
  };
}
