import type { ParserPage } from '@ai-studio/contract/console/parser.ts';
import { ActionIcon, Badge, Group, Select, Text } from '@mantine/core';
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PageSteps } from '../../parts/page-steps.tsx';
import { useFormat } from '../../parts/use-format.ts';
import classes from './viewer.module.css';

interface PageBarProps {
  readonly pages: readonly ParserPage[];
  readonly page: ParserPage;
  readonly onPage: (number: number) => void;
  /** Null where the page is no picture. */
  readonly zoom: number | null;
  readonly onZoom: (zoom: number) => void;
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
/** Beyond so many a list of names helps nobody. */
const MAX_NAMED = 500;

function PageNames({ pages, page, onPage }: Pick<PageBarProps, 'pages' | 'page' | 'onPage'>) {
  const { t } = useTranslation('parser');
  if (!pages.some(({ name }) => name !== undefined) || pages.length > MAX_NAMED) return null;
  return (
    <Select
      aria-label={t('page_list')}
      size="xs"
      w={{ base: '9rem', sm: '13rem' }}
      searchable
      allowDeselect={false}
      checkIconPosition="right"
      data={pages.map(({ number, name, hidden }) => ({
        value: String(number),
        label:
          (name === undefined ? String(number) : t('page_named', { number, name })) +
          (hidden ? ` (${t('page_hidden')})` : ''),
      }))}
      value={String(page.number)}
      onChange={(value) => {
        if (value !== null) onPage(Number(value));
      }}
    />
  );
}

function Zoom({ zoom, onZoom }: { readonly zoom: number; readonly onZoom: (zoom: number) => void }) {
  const { t } = useTranslation('parser');
  const { percent } = useFormat();
  const smaller = zooms.findLast((one) => one < zoom);
  const larger = zooms.find((one) => one > zoom);
  const button = { variant: 'subtle', color: 'gray' } as const;
  return (
    <Group gap={2} wrap="nowrap" ml="auto">
      <ActionIcon
        {...button}
        aria-label={t('zoom_out')}
        disabled={smaller === undefined}
        onClick={() => onZoom(smaller ?? zoom)}
      >
        <IconZoomOut size={16} aria-hidden />
      </ActionIcon>
      <Text size="xs" c="dimmed" w="3rem" ta="center" aria-label={t('zoom', { percent: percent(zoom) })} role="status">
        {percent(zoom)}
      </Text>
      <ActionIcon
        {...button}
        aria-label={t('zoom_in')}
        disabled={larger === undefined}
        onClick={() => onZoom(larger ?? zoom)}
      >
        <IconZoomIn size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon {...button} aria-label={t('zoom_fit')} disabled={zoom === 1} onClick={() => onZoom(1)}>
        <IconZoomReset size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** The way from page to page. */
export function PageBar({ pages, page, onPage, zoom, onZoom }: PageBarProps) {
  const { t } = useTranslation('parser');
  if (pages.length < 2 && zoom === null) return null;
  return (
    <Group component="nav" aria-label={t('page_list')} className={classes['bar'] ?? ''} gap="xs" wrap="nowrap">
      <PageSteps pages={pages} page={page.number} onPage={onPage} />
      <PageNames pages={pages} page={page} onPage={onPage} />
      {page.recognised ? (
        <Badge variant="light" size="sm" tt="none" visibleFrom="sm">
          {t('recognised')}
        </Badge>
      ) : null}
      {zoom === null ? null : <Zoom zoom={zoom} onZoom={onZoom} />}
    </Group>
  );
}
