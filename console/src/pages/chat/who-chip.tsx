import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { late } from '../../parts/late.tsx';
import classes from './composer.module.css';
import type { WhoProps } from './who.ts';

function Name({ who }: WhoProps) {
  const { t } = useTranslation('chat');
  return (
    <TextInput
      size="xs"
      readOnly
      aria-label={t('who')}
      className={classes['model'] ?? ''}
      value={who.kind === 'model' ? who.id : who.name}
      rightSection={<span />}
    />
  );
}

/**
 * Who answers, as a chip of the card. Its list is fetched beside the page, as people write before they choose; until it is here the
 * chip shows the name alone.
 */
export const WhoChip = late<WhoProps>(async () => (await import('./who-select.tsx')).WhoSelect, Name);
