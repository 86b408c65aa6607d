import { Drawer, Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { late } from '../late.tsx';
import type { SourcePlace } from './source.tsx';
import classes from './talk.module.css';

/** A passage that is cited, and its page: fetched when the first is opened. */
export const Source = late<{ readonly place: SourcePlace }>(
  async () => (await import('./source.tsx')).Source,
  () => <Loader size="sm" />,
);

/** Where there is no room for a page beside a talk. */
export const NARROW = '(max-width: 75em)';

interface SourceDrawerProps {
  readonly place: SourcePlace | null;
  /** Of the document. */
  readonly name: string;
  readonly onClose: () => void;
}

/** The page that an answer cites, beside the talk, which stays as it is where there is room for both. */
export function SourceDrawer({ place, name, onClose }: SourceDrawerProps) {
  const { t } = useTranslation('talk');
  const covers = useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ?? false;
  return (
    <Drawer
      opened={place !== null}
      onClose={onClose}
      position="right"
      size={covers ? '44rem' : 'min(36rem, 40%)'}
      withOverlay={covers}
      lockScroll={covers}
      shadow="lg"
      title={place === null ? '' : t('source_of', { number: place.number, name })}
      classNames={{ title: classes['sourceTitle'] ?? '' }}
    >
      {place === null ? null : <Source key={place.number} place={place} />}
    </Drawer>
  );
}
