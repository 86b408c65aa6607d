import type { ParserBlock } from '@ai-studio/contract/console/parser.ts';
import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/use-format.ts';
import { ContentView, writeContents } from './content-view.tsx';
import { rowsQuery } from './queries.ts';
import { TableView } from './table-view.tsx';

/** Rows that come at once. Source: the service's answers. */
const ROWS = 100;

interface BlockViewProps {
  /** Of the document. */
  readonly id: string;
  readonly block: ParserBlock;
}

/** A table with more rows than are shown at once. */
function LongTable({
  id,
  block,
  table,
}: BlockViewProps & { readonly table: Extract<ParserBlock['content'], { type: 'table' }> }) {
  const { t } = useTranslation('parser');
  const { number } = useFormat();
  const first = table.from_row;
  const [fromRow, setFromRow] = useState(first);
  const [page = 1, at = 0] = block.id.split('_').map(Number);
  const { data } = useQuery({
    ...rowsQuery(id, { page, at, fromRow }),
    enabled: fromRow !== first,
    placeholderData: keepPreviousData,
  });
  const shown = fromRow === first ? table : (data ?? table);
  const step = Math.max(1, Math.min(ROWS, table.to_row - table.from_row));
  return (
    <>
      <div lang="">
        <TableView table={shown} write={writeContents} />
      </div>
      <Group gap="xs" mt="xs">
        <ActionIcon
          variant="default"
          size="sm"
          aria-label={t('previous_rows')}
          disabled={fromRow <= first}
          onClick={() => setFromRow(Math.max(first, fromRow - step))}
        >
          <IconChevronUp size={14} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="sm"
          aria-label={t('next_rows')}
          disabled={shown.to_row >= table.rows}
          onClick={() => setFromRow(shown.to_row)}
        >
          <IconChevronDown size={14} aria-hidden />
        </ActionIcon>
        <Text size="xs" c="dimmed" aria-live="polite">
          {t('rows_of', { from: number(shown.from_row + 1), to: number(shown.to_row), total: number(table.rows) })}
        </Text>
      </Group>
    </>
  );
}

/** A block as it is read. Nobody has said which language it is in. */
export const BlockView = memo(function BlockView({ id, block }: BlockViewProps) {
  const { t } = useTranslation('parser');
  const { content, cut } = block;
  const isLong = content.type === 'table' && content.to_row < content.rows;
  return (
    <>
      {isLong ? (
        <LongTable id={id} block={block} table={content} />
      ) : (
        <div lang="">
          <ContentView content={content} />
        </div>
      )}
      {cut ? (
        <Text size="xs" c="dimmed" mt={4}>
          {t('cut')}
        </Text>
      ) : null}
    </>
  );
});
