import type { EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../parts/use-format.ts';

/** What a setting does, in a line. */
export function useSettingSummary(): (setting: EvaluationSetting) => string {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return ({ search: { mode, alpha, fusion, rerank }, top_k: topK, threshold }) =>
    [
      t(`modes.${mode}`),
      ...(mode === 'hybrid' ? [t(`fusions.${fusion}`)] : []),
      ...(mode === 'hybrid' && fusion === 'weighted' && alpha !== null ? [`${t('alpha')} ${number(alpha)}`] : []),
      ...(rerank === false
        ? []
        : [typeof rerank === 'object' && rerank.model !== undefined ? `${t('rerank')} ${rerank.model}` : t('rerank')]),
      ...(topK === null ? [] : [`${t('search.top_k')} ${number(topK)}`]),
      ...(threshold === null ? [] : [`${t('search.threshold')} ${number(threshold)}`]),
    ].join(' · ');
}
