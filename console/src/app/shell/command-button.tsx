import { Group, Kbd, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useHotkeys, useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './shell.module.css';

/** Fetched when it is wanted for the first time. */
const Commands = lazy(async () => ({ default: (await import('./commands.tsx')).Commands }));

/** Opens the list of pages and commands; the same by Ctrl+K or ⌘K. */
export function CommandButton({ folded }: { readonly folded: boolean }) {
  const { t } = useTranslation('shell');
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  const keys = useOs() === 'macos' ? '⌘K' : 'Ctrl K';
  const open = () => {
    setWanted(true);
    setOpened(true);
  };
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <Tooltip label={`${t('commands')} (${keys})`} position="right" disabled={!folded}>
        <UnstyledButton className={classes['commands'] ?? ''} data-folded={folded} onClick={open}>
          <Group gap={8} wrap="nowrap">
            <IconSearch size={16} stroke={1.6} aria-hidden />
            {folded ? (
              <VisuallyHidden>{t('commands')}</VisuallyHidden>
            ) : (
              <>
                <span className={classes['commandsText']}>{t('commands')}</span>
                <Kbd size="xs" visibleFrom="sm" aria-hidden>
                  {keys}
                </Kbd>
              </>
            )}
          </Group>
        </UnstyledButton>
      </Tooltip>
      <Suspense>{wanted ? <Commands opened={opened} onClose={() => setOpened(false)} /> : null}</Suspense>
    </>
  );
}
