import { maxQuestions } from '@ai-studio/contract/console/evaluation.ts';
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { decodeText, toCsv } from '../../../parts/csv.ts';
import { saveText } from '../../../parts/save-text.ts';
import { type FileError, parseQuestions } from './csv.ts';
import { addQuestions } from './queries.ts';

/** A line that was not taken. */
interface RowError {
  readonly row: number;
  readonly reason: 'no_question' | 'long_question' | 'no_document' | 'unknown_document';
  readonly document: string;
}

interface Outcome {
  readonly added: number;
  /** Questions that were there already. */
  readonly present: number;
  readonly file: FileError | 'many' | null;
  readonly rows: readonly RowError[];
}

const MAX_LENGTH = 4_096;

const failed = (file: Outcome['file']): Outcome => ({ added: 0, present: 0, file, rows: [] });

/** Takes the questions of a file; those that are wrong are told one by one, the others are added. */
async function importFile(id: string, file: File): Promise<Outcome> {
  const read = parseQuestions(decodeText(await file.arrayBuffer()));
  if (typeof read === 'string') return failed(read);
  if (read.length > maxQuestions) return failed('many');
  const wrong = read.flatMap(({ row, question, documents }): RowError[] => {
    if (question === '') return [{ row, reason: 'no_question', document: '' }];
    if (question.length > MAX_LENGTH) return [{ row, reason: 'long_question', document: '' }];
    return documents.length === 0 ? [{ row, reason: 'no_document', document: '' }] : [];
  });
  const bad = new Set(wrong.map(({ row }) => row));
  const fine = read.filter(({ row }) => !bad.has(row));
  if (fine.length === 0) return { added: 0, present: 0, file: null, rows: wrong };
  const { added, present, refused } = await addQuestions(
    id,
    fine.map(({ question, documents }) => ({ question, expected: [...documents] })),
  );
  const unknown = refused.map(({ item, document }): RowError => ({
    row: fine[item]?.row ?? 0,
    reason: 'unknown_document',
    document: document ?? '',
  }));
  return { added, present, file: null, rows: [...wrong, ...unknown].sort((a, b) => a.row - b.row) };
}

const MAX_SHOWN = 100;

function Told({ outcome: { added, present, file, rows } }: { readonly outcome: Outcome }) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return (
    <Stack gap="sm" role="status">
      {file === null ? (
        <div>
          <Text fw={600}>{t('evaluation.added', { count: added })}</Text>
          {present === 0 ? null : <Text size="sm">{t('evaluation.present', { count: present })}</Text>}
        </div>
      ) : (
        <Alert color="red" variant="light">
          {file === 'many'
            ? t('evaluation.file_errors.many', { limit: number(maxQuestions) })
            : t(`evaluation.file_errors.${file}`)}
        </Alert>
      )}
      {rows.length === 0 ? null : (
        <Alert color="orange" variant="light" title={t('evaluation.rows_wrong', { count: rows.length })}>
          <List size="sm">
            {rows.slice(0, MAX_SHOWN).map(({ row, reason, document }) => (
              <List.Item key={row}>
                {t('evaluation.row', { row: number(row) })}:{' '}
                {reason === 'unknown_document'
                  ? t('evaluation.row_errors.unknown_document', { document })
                  : t(`evaluation.row_errors.${reason}`)}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}

interface ImportDialogProps {
  readonly id: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function Form({ id }: Pick<ImportDialogProps, 'id'>) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (file: File) => importFile(id, file),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['collection', id, 'questions'] }),
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('evaluation.import_hint')}
      </Text>
      <FormAlert error={error} />
      {data === undefined ? null : <Told outcome={data} />}
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        data-testid="questions-file"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) mutate(file);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
      <Group justify="space-between">
        <Button
          variant="subtle"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() =>
            saveText(
              'questions.csv',
              toCsv([
                ['question', 'documents'],
                [t('search.example'), 'rules.pdf; leave.md'],
              ]),
              'text/csv',
            )
          }
        >
          {t('evaluation.template')}
        </Button>
        <Button
          loading={isPending}
          leftSection={<IconFileUpload size={16} aria-hidden />}
          onClick={() => input.current?.click()}
        >
          {t('evaluation.choose')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Takes questions from a CSV file. */
export function ImportDialog({ id, opened, onClose }: ImportDialogProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Modal opened={opened} onClose={onClose} title={t('evaluation.import')} size="lg">
      {opened ? <Form id={id} /> : null}
    </Modal>
  );
}
