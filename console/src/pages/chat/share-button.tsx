import { ActionIcon, Tooltip } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

interface ShareButtonProps {
  readonly conversationId: string;
  /** While there is nothing to share yet. */
  readonly disabled: boolean;
}

/** Opens the sharing of a conversation. */
export function ShareButton({ conversationId, disabled }: ShareButtonProps) {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const [opened, setOpened] = useState(false);
  if (!loaded) return null;
  return (
    <>
      <Tooltip label={t('share')} withArrow>
        <ActionIcon
          variant="subtle"
          color="gray"
          ml="auto"
          aria-label={t('share')}
          disabled={disabled}
          onClick={() => setOpened(true)}
        >
          <IconShare2 size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Suspense>
        {opened ? <ShareDialog conversationId={conversationId} onClose={() => setOpened(false)} /> : null}
      </Suspense>
    </>
  );
}
