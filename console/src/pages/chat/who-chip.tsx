import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';
import type { WhoProps } from './who.ts';

/** Fetched beside the page: people write before they choose. */
const WhoSelect = lazy(async () => ({ default: (await import('./who-select.tsx')).WhoSelect }));

/** Who answers, as a chip of the card. Until its list is here it shows the name alone. */
export function WhoChip(props: WhoProps) {
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
