import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHelpCircle } from '@tabler/icons-react';
import { useMatches } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';

const HelpDrawer = lazy(async () => ({ default: (await import('./help-drawer.tsx')).HelpDrawer }));

/** Opens the guide about the page that is shown. */
export function HelpButton() {
  const { t } = useTranslation('shell');
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData.page });
  const [opened, { open, close }] = useDisclosure(false);
  if (page === undefined) return null;
  return (
    <>
      <Tooltip label={t('help')}>
        <ActionIcon variant="subtle" color="gray" aria-label={t('help')} onClick={open}>
          <IconHelpCircle size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Suspense>{opened ? <HelpDrawer page={page} onClose={close} /> : null}</Suspense>
    </>
  );
}
