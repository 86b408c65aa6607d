import { ActionIcon } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './jump-to-end.module.css';

/** Brings the newest of a log into sight, for whoever has scrolled up. Stands at the end of what scrolls. */
export function JumpToEnd({ onJump }: { readonly onJump: () => void }) {
  const { t } = useTranslation('parts');
  return (
    <div className={classes['place']}>
      <ActionIcon size={36} radius="xl" variant="default" aria-label={t('jump_to_end')} onClick={onJump}>
        <IconArrowDown size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}
