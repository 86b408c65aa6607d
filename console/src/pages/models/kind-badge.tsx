import type { ModelKind } from '@ai-studio/contract/models.ts';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** What a model is for. */
export function KindBadge({ kind }: { readonly kind: ModelKind | null }) {
  const { t } = useTranslation('modelsPage');
  if (kind === null) return null;
  return (
    <Badge variant="default" size="sm" tt="none">
      {t(`kinds.${kind}`)}
    </Badge>
  );
}
