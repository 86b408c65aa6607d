import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebar } from '@tabler/icons-react';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenList } from './open-list.ts';

/** Opens the list of conversations where the window has no room for it beside the talk. */
export function ListButton() {
  const { t } = useTranslation('chat');
  return (
    <ActionIcon hiddenFrom="sm" size={36} variant="subtle" color="gray" aria-label={t('all')} onClick={use(OpenList)}>
      <IconLayoutSidebar size={20} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
