import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './shell.module.css';

/** The sign and, beside an unfolded menu, the name, which lead to the first page. */
export function Brand({ folded = false }: { readonly folded?: boolean }) {
  const { t } = useTranslation('shell');
  return (
    <Link to="/" className={classes['brand']} aria-label={t('home')}>
      <Group gap={10} wrap="nowrap">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <rect width="32" height="32" rx="8" className={classes['brandGround']} />
          <path
            d="M9.5 22.5 15 9.5h2l5.5 13M12 18h8"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.6"
            strokeLinecap="round"
            strokeLinejoin="round"
            className={classes['brandInk']}
          />
          <circle cx="24.5" cy="8.5" r="2.5" fill="currentColor" className={classes['brandInk']} />
        </svg>
        {folded ? null : (
          <Text component="span" fw={680} size="md" lts="-0.01em">
            AI Studio
          </Text>
        )}
      </Group>
    </Link>
  );
}
