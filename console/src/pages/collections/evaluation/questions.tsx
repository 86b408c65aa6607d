import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { type EvaluationQuestion, EvaluationQuestions } from '@ai-studio/contract/console/evaluation.ts';
import { ActionIcon, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileImport, IconHelp, IconSparkles, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { hasPermission, useMe } from '../../../api/session.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { Pager } from '../../../parts/table/pager.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { AddQuestion } from './add-question.tsx';
import { toCsv } from '../../../parts/csv.ts';
import { saveText } from '../../../parts/save-text.ts';
import { ImportDialog } from './import-dialog.tsx';
import { ProposeDialog } from './propose-dialog.tsx';
import { QUESTIONS_SIZE, questionsPath, questionsQuery } from './queries.ts';

interface QuestionsProps {
  readonly collection: ConsoleCollection;
}

/** All questions, page by page, as CSV. */
async function exportQuestions(id: string): Promise<void> {
  const rows: string[][] = [['question', 'documents']];
  for (let from = 0; ; from += 100) {
    const { items, total } = await api.get(questionsPath(id), EvaluationQuestions, { query: { size: 100, from } });
    rows.push(...items.map(({ question, expected }) => [question, expected.map(({ name }) => name).join('; ')]));
    if (items.length === 0 || rows.length > total) break;
  }
  saveText('questions.csv', toCsv(rows), 'text/csv');
}

function useColumns(onRemove: ((question: EvaluationQuestion) => void) | null): Column<EvaluationQuestion>[] {
  const { t } = useTranslation('collectionsPage');
  const actions: Column<EvaluationQuestion> = {
    key: 'actions',
    header: t('actions'),
    hiddenHeader: true,
    width: 56,
    cell: (question) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('evaluation.remove', { question: question.question })}
        onClick={() => onRemove?.(question)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    ),
  };
  return [
    {
      key: 'question',
      header: t('evaluation.question'),
      cell: ({ question }) => <Text size="sm">{question}</Text>,
    },
    {
      key: 'expected',
      header: t('evaluation.expected'),
      cell: ({ expected }) =>
        expected.map(({ document_id: id, name, present }) => (
          <Text key={id} size="sm" c={present ? 'dimmed' : 'var(--mantine-color-error)'}>
            {present ? name : t('evaluation.gone', { name })}
          </Text>
        )),
    },
    ...(onRemove === null ? [] : [actions]),
  ];
}

function List({ collection, data, page, onPage }: QuestionsProps & ListProps) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { failed } = useNotify();
  const { collection_id: id, may_change: mayChange } = collection;
  const { mutate: remove } = useMutation({
    mutationFn: ({ id: question }: EvaluationQuestion) => api.run('DELETE', `${questionsPath(id)}/${question}`),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['collection', id, 'questions'] }),
  });
  const columns = useColumns(mayChange ? remove : null);
  const pages = Math.ceil(data.total / QUESTIONS_SIZE);
  return (
    <Stack gap="sm">
      <DataTable
        label={t('evaluation.questions')}
        columns={columns}
        rows={data.items}
        rowKey={(question) => question.id}
        minWidth={320}
      />
      <Pager label={t('evaluation.questions')} page={page} pages={pages} onPage={onPage} />
    </Stack>
  );
}

interface ListProps {
  readonly data: { readonly items: readonly EvaluationQuestion[]; readonly total: number };
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Questions of a collection, with the documents that should answer them. */
export function Questions({ collection }: QuestionsProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const plays = hasPermission(useMe(), ['playground']);
  const { collection_id: id, may_change: mayChange } = collection;
  const [page, setPage] = useState(1);
  const [opened, open] = useState<'import' | 'propose' | 'clear' | null>(null);
  const query = useQuery(questionsQuery(id, page));
  const { mutate: save, isPending } = useMutation({ mutationFn: () => exportQuestions(id), onError: failed });
  const total = query.data?.total ?? 0;
  const close = () => open(null);
  return (
    <Fieldset legend={t('evaluation.questions')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('evaluation.questions_hint')}
        </Text>
        {mayChange ? (
          <Group gap="sm">
            <Button
              size="sm"
              variant="default"
              leftSection={<IconFileImport size={16} aria-hidden />}
              onClick={() => open('import')}
            >
              {t('evaluation.import')}
            </Button>
            {plays ? (
              <Button
                size="sm"
                variant="default"
                leftSection={<IconSparkles size={16} aria-hidden />}
                onClick={() => open('propose')}
              >
                {t('evaluation.propose')}
              </Button>
            ) : null}
            {total === 0 ? null : (
              <>
                <Button
                  size="sm"
                  variant="default"
                  leftSection={<IconDownload size={16} aria-hidden />}
                  loading={isPending}
                  onClick={() => save()}
                >
                  {t('evaluation.export_questions')}
                </Button>
                <Button size="sm" variant="subtle" color="red" onClick={() => open('clear')}>
                  {t('evaluation.remove_all')}
                </Button>
              </>
            )}
          </Group>
        ) : null}
        {mayChange ? <AddQuestion id={id} /> : null}
        <Loaded query={query}>
          {(data) =>
            data.total === 0 ? (
              <EmptyState level={3} icon={IconHelp} title={t('evaluation.none')} hint={t('evaluation.none_hint')} />
            ) : (
              <List collection={collection} data={data} page={page} onPage={setPage} />
            )
          }
        </Loaded>
      </Stack>
      <ImportDialog id={id} opened={opened === 'import'} onClose={close} />
      <ProposeDialog id={id} opened={opened === 'propose'} onClose={close} />
      <ConfirmDialog
        opened={opened === 'clear'}
        title={t('evaluation.remove_all_title')}
        confirmLabel={t('evaluation.remove_all')}
        onConfirm={async () => {
          await api.run('DELETE', questionsPath(id));
          setPage(1);
          await queries.invalidateQueries({ queryKey: ['collection', id, 'questions'] });
          done(t('removed'));
        }}
        onClose={close}
      >
        <Text size="sm">{t('evaluation.remove_all_text', { total: number(total) })}</Text>
      </ConfirmDialog>
    </Fieldset>
  );
}
