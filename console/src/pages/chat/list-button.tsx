import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Opens the list of conversations where the window has no room for it beside the talk. */
export function ListButton({ onList }: { readonly onList: () => void }) {
  const { t } = useTranslation('chat');
  return (
    <ActionIcon hiddenFrom="sm" size={36} variant="subtle" color="gray" aria-label={t('all')} onClick={onList}>
      <IconLayoutSidebar size={20} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
