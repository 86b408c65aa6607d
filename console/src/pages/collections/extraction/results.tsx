import type { Extraction, ExtractionDocument } from '@ai-studio/contract/retrieval/extraction.ts';
import { Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../parts/loaded.tsx';
import { Pager } from '../../../parts/table/pager.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { RESULTS_SIZE, resultsQuery } from './queries.ts';

type Field = ExtractionDocument['fields'][number];

/** The column of a value: rows of lists share one. */
const columnOf = ({ name }: Field) => name.replaceAll(/\[\d+\]/g, '[]');

interface ValueProps {
  readonly collectionId: string;
  readonly documentId: string;
  readonly field: Field;
}

/** A value, and where it stands: a link that opens the document there. */
function Value({ collectionId, documentId, field: { value, page, confidence, quote } }: ValueProps) {
  const { t } = useTranslation('collectionsPage');
  const { number, percent } = useFormat();
  return (
    <div title={quote === '' ? undefined : quote}>
      <Text size="sm">
        {typeof value === 'boolean' ? t(value ? 'extraction.yes' : 'extraction.no') : String(value)}
      </Text>
      <Text size="xs" c="dimmed">
        <Link
          to="/collections/$collectionId/documents/$documentId"
          params={{ collectionId, documentId }}
          search={page === null ? {} : { page }}
        >
          {page === null ? t('extraction.open') : t('extraction.page', { page: number(page) })}
        </Link>{' '}
        · {percent(confidence)}
      </Text>
    </div>
  );
}

/** Values of a cell that are shown; the file has all. */
const MAX_SHOWN = 20;

interface CellProps extends Omit<ValueProps, 'field'> {
  readonly fields: readonly Field[];
}

function Cell({ fields, ...document }: CellProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const more = fields.length - MAX_SHOWN;
  return (
    <Table.Td>
      {fields.slice(0, MAX_SHOWN).map((field) => (
        <Value key={field.name} {...document} field={field} />
      ))}
      {more > 0 ? (
        <Text size="xs" c="dimmed">
          {t('extraction.more', { more: number(more) })}
        </Text>
      ) : null}
    </Table.Td>
  );
}

interface RowProps {
  readonly extraction: Extraction;
  readonly found: ExtractionDocument;
}

function Row({ extraction: { collection_id: collectionId, columns }, found }: RowProps) {
  const { t } = useTranslation('collectionsPage');
  const { document_id: documentId, document_name: name, state, error, fields } = found;
  const byColumn = Map.groupBy(fields, columnOf);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        <Link to="/collections/$collectionId/documents/$documentId" params={{ collectionId, documentId }}>
          {name}
        </Link>
        {state === 'done' ? null : (
          <Text size="xs" c={error === null ? 'dimmed' : 'red'} fw={400}>
            {error?.message ?? t('extraction.waiting')}
          </Text>
        )}
      </Table.Th>
      {columns.map((column) => (
        <Cell key={column} collectionId={collectionId} documentId={documentId} fields={byColumn.get(column) ?? []} />
      ))}
    </Table.Tr>
  );
}

/** What was found: a row for each document. */
export function Results({ extraction }: { readonly extraction: Extraction }) {
  const { t } = useTranslation('collectionsPage');
  const [page, setPage] = useState(1);
  const { collection_id: id, extraction_id: extractionId, columns, state, done, failed } = extraction;
  const results = useQuery(resultsQuery(id, extractionId, page, `${state} ${done} ${failed}`));
  return (
    <Loaded query={results}>
      {({ items, total }) => (
        <Stack gap="xs">
          <Table.ScrollContainer
            minWidth={240 + 140 * columns.length}
            type="native"
            tabIndex={0}
            role="group"
            aria-label={t('extraction.table')}
          >
            <Table withTableBorder verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t('extraction.document')}</Table.Th>
                  {columns.map((column) => (
                    <Table.Th key={column} scope="col">
                      {column}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((found) => (
                  <Row key={found.document_id} extraction={extraction} found={found} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Pager label={t('extraction.table')} page={page} pages={Math.ceil(total / RESULTS_SIZE)} onPage={setPage} />
        </Stack>
      )}
    </Loaded>
  );
}
