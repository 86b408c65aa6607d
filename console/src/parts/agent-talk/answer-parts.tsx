import type { RunPart } from '@ai-studio/contract/agents/run.ts';
import { Anchor, Code, Group, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { apiUrl } from '../../api/client.ts';
import { useFormat } from '../use-format.ts';
import { tableOf } from './data-table.ts';

/** More of a list is not drawn; the whole of it goes to whoever calls the agent. */
const MAX_ROWS = 100;
/** More of other data is not shown. */
const MAX_JSON_LENGTH = 20_000;

function DataTable({ name, data }: { readonly name: string; readonly data: unknown }) {
  const { t } = useTranslation('talk');
  const { number } = useFormat();
  const table = tableOf(data);
  if (table === null) {
    const json = JSON.stringify(data, null, 2) ?? 'null';
    return (
      <Code block mah="20rem">
        {json.length > MAX_JSON_LENGTH ? `${json.slice(0, MAX_JSON_LENGTH).toWellFormed()} …` : json}
      </Code>
    );
  }
  return (
    <>
      <Table.ScrollContainer minWidth={320} mah="24rem">
        <Table withTableBorder striped aria-label={name}>
          <Table.Thead>
            <Table.Tr>
              {table.columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.rows.slice(0, MAX_ROWS).map((row, index) => (
              // Rows never change their places.
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tr key={index}>
                {row.map((cell, at) => (
                  <Table.Td key={table.columns[at]}>{cell}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {table.rows.length > MAX_ROWS ? (
        <Text size="xs" c="dimmed">
          {t('more_rows', { shown: number(MAX_ROWS), rows: number(table.rows.length) })}
        </Text>
      ) : null}
    </>
  );
}

interface AnswerPartsProps {
  /** Address of the agent below the console's interface. */
  readonly root: string;
  readonly runId: string;
  readonly parts: readonly RunPart[];
}

/** What an answer brings beside its text: tables and other data, and files to be saved. */
export function AnswerParts({ root, runId, parts }: AnswerPartsProps) {
  const { t } = useTranslation('talk');
  const { bytes } = useFormat();
  if (parts.length === 0) return null;
  return (
    <Stack gap="sm" role="group" aria-label={t('parts')}>
      {parts.map((part) =>
        part.kind === 'data' ? (
          <Stack key={part.id} gap={4}>
            <Text size="xs" c="dimmed">
              {part.name}
            </Text>
            <DataTable name={part.name} data={part.data} />
          </Stack>
        ) : (
          <Group key={part.id} gap={6}>
            <Anchor
              href={apiUrl(`${root}/runs/${runId}/files/${part.file.id}`)}
              download
              size="sm"
              aria-label={t('save_file', { name: part.file.name })}
            >
              <Group gap={6} component="span">
                <IconDownload size={16} aria-hidden />
                {part.file.name}
              </Group>
            </Anchor>
            <Text size="xs" c="dimmed" span>
              {bytes(part.file.size)}
            </Text>
          </Group>
        ),
      )}
    </Stack>
  );
}
