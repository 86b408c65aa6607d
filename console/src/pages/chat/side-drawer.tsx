import { Drawer } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import classes from './chat.module.css';
import { SideList } from './side-list.tsx';

interface SideDrawerProps {
  readonly opened: boolean;
  readonly openId: string | null;
  readonly onClose: () => void;
}

/** The conversations, over the talk where there is no room beside it. */
export function SideDrawer({ opened, openId, onClose }: SideDrawerProps) {
  const { t } = useTranslation('chat');
  // It is fetched as it is opened, and opens once it is there: only then does it know what had the focus, to give it back.
  const isThere = useMounted();
  return (
    <Drawer
      opened={opened && isThere}
      onClose={onClose}
      title={t('conversations')}
      hiddenFrom="sm"
      // What was searched and selected stays while a talk is looked at.
      keepMounted
      size="20rem"
      padding={0}
      classNames={{ header: classes['drawerHead'] ?? '', body: classes['drawer'] ?? '' }}
    >
      <SideList openId={openId} onOpen={onClose} />
    </Drawer>
  );
}
