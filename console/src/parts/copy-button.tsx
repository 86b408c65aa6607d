import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for those who do not see the button: "copy code". */
  readonly label?: string;
  /** Shown until it was copied. */
  readonly icon?: typeof IconCopy;
  /** With its words beside the sign. */
  readonly withText?: boolean;
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ value, label, icon = IconCopy, withText = false }: CopyButtonProps) {
  const { t } = useTranslation('common');
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const words = copied ? t('copied') : (label ?? t('copy'));
  const Picture = copied ? IconCheck : icon;
  if (withText)
    return (
      <Button variant="default" leftSection={<Picture size={16} aria-hidden />} onClick={() => copy(value)}>
        <span aria-live="polite">{words}</span>
      </Button>
    );
  return (
    <Tooltip label={words} withArrow>
      <ActionIcon variant="subtle" color="gray" aria-label={words} onClick={() => copy(value)}>
        <Picture size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
