import { CloseButton, Drawer, Group, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NARROW, Source } from '../../parts/agent-talk/source-drawer.tsx';
import classes from './chat.module.css';

/** A source of an answer that is looked at. */
export interface ShownSource {
  readonly messageId: string;
  readonly number: number;
  readonly name: string;
}

interface SourcePanelProps {
  readonly conversationId: string;
  readonly shown: ShownSource;
  readonly onClose: () => void;
}

/** The page that an answer cites, beside the talk, made anew (`key`) for each: both can be read. In a narrow window it covers it. */
export function SourcePanel({ conversationId, shown, onClose }: SourcePanelProps) {
  const { t } = useTranslation('talk');
  const { t: common } = useTranslation('common');
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ?? false;
  const { messageId, number, name } = shown;
  const title = t('source_of', { number, name });
  const place = { answer: `/conversations/${conversationId}/messages/${messageId}`, number };
  const source = <Source key={`${messageId} ${number}`} place={place} />;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!narrow) panel.current?.focus();
  }, [narrow]);
  if (narrow)
    return (
      <Drawer opened onClose={onClose} position="right" size="44rem" title={title}>
        {source}
      </Drawer>
    );
  return (
    // Escape closes it, as it does what covers the talk.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={panel}
      tabIndex={-1}
      className={classes['panel']}
      aria-label={title}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="md">
        <Title order={2} size="h5">
          {title}
        </Title>
        <CloseButton aria-label={common('close')} onClick={onClose} />
      </Group>
      {source}
    </aside>
  );
}
