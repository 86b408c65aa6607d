import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';

/** Who answers. */
export type Who =
  | { readonly kind: 'model'; readonly id: string }
  | { readonly kind: 'agent'; readonly slug: string; readonly name: string };

export interface WhoChipProps {
  readonly models: readonly ChatModelOption[];
  readonly who: Who;
  readonly onModel: (id: string) => void;
  readonly onAgent: (slug: string) => void;
}

/** Fetched beside the page: people write before they choose. */
const WhoSelect = lazy(async () => ({ default: (await import('./who-select.tsx')).WhoSelect }));

/** Who answers, as a chip of the card. Until its list is here it shows the name alone. */
export function WhoChip(props: WhoChipProps) {
  const { t } = useTranslation('chat');
  const { who } = props;
  return (
    <Suspense
      fallback={
        <TextInput
          size="xs"
          readOnly
          aria-label={t('who')}
          className={classes['model'] ?? ''}
          value={who.kind === 'model' ? who.id : who.name}
          rightSection={<span />}
        />
      }
    >
      <WhoSelect {...props} />
    </Suspense>
  );
}
