import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';

/** The page of addresses without a page. */
export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <EmptyState
      level={1}
      icon={IconMapOff}
      title={t('not_found')}
      hint={t('not_found_hint')}
      action={
        <Button component={Link} to="/">
          {t('to_start')}
        </Button>
      }
    />
  );
}
