import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Badge, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Name of the embedder that asks no model. */
export const LEXICAL = 'lexical';

/** Whether a collection is the tenant's. */
export function VisibilityBadge({ visibility }: Pick<ConsoleCollection, 'visibility'>) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Badge variant="light" color={visibility === 'tenant' ? 'blue' : 'gray'} tt="none">
      {t(`visibilities.${visibility}`)}
    </Badge>
  );
}

/** What a collection embeds with; the embedder that is no model is told apart. */
export function EmbeddingName({ model }: { readonly model: string }) {
  const { t } = useTranslation('collectionsPage');
  if (model !== LEXICAL)
    return (
      <Text size="sm" component="span">
        {model}
      </Text>
    );
  return (
    <Tooltip label={t('lexical_hint')} multiline maw={320} withArrow events={{ hover: true, focus: true, touch: true }}>
      <Badge variant="light" color="orange" tt="none" size="sm" flex="none">
        {t('lexical')}
      </Badge>
    </Tooltip>
  );
}
