import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconClipboardText } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plainText } from './plain-text.ts';
import { richHtml } from './rich-html.ts';

interface CopyAnswerProps {
  /** Markdown. */
  readonly text: string;
  readonly label: string;
}

/** Where the answer of a button is drawn. */
const drawnAnswer = (button: Element) => button.closest('article')?.querySelector('[data-answer]') ?? null;

async function copy(text: string, drawn: Element | null): Promise<void> {
  const plain = plainText(text);
  // Some browsers take plain text alone, or only over HTTPS.
  if (drawn === null || typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(plain);
  const item = new ClipboardItem({
    'text/plain': new Blob([plain], { type: 'text/plain' }),
    'text/html': new Blob([richHtml(drawn)], { type: 'text/html' }),
  });
  return navigator.clipboard.write([item]).catch(() => navigator.clipboard.writeText(plain));
}

const SHOWN_MS = 2_000;

/** Puts an answer on the clipboard twice: as it is drawn, for office programs and mail, and as plain text for all else. */
export function CopyAnswer({ text, label }: CopyAnswerProps) {
  const { t } = useTranslation('common');
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const words = copied ? t('copied') : label;
  const Icon = copied ? IconCheck : IconClipboardText;
  return (
    <Tooltip label={words} withArrow>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={words}
        onClick={({ currentTarget }) => {
          void copy(text, drawnAnswer(currentTarget)).then(() => setCopied(true));
        }}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
