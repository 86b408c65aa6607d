import { Alert, Button, Group, Stack, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { documentsQuery } from '../queries.ts';
import { addQuestions } from './queries.ts';

/** Writes a question with the documents that answer it. */
export function AddQuestion({ id }: { readonly id: string }) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { done } = useNotify();
  const [question, setQuestion] = useState('');
  const [expected, setExpected] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 250);
  const { data } = useQuery(documentsQuery(id, { group: 'ready', name, page: 1 }));
  const {
    mutate,
    isPending,
    error,
    data: outcome,
  } = useMutation({
    mutationFn: () => addQuestions(id, [{ question: question.trim(), expected }]),
    async onSuccess({ added, present }) {
      if (added + present === 0) return;
      setQuestion('');
      setExpected([]);
      done(present > 0 ? t('evaluation.present', { count: present }) : t('evaluation.added', { count: added }));
      await queries.invalidateQueries({ queryKey: ['collection', id, 'questions'] });
    },
  });
  const missing = outcome?.refused[0];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="sm">
        <FormAlert error={error} />
        {missing === undefined || missing.document === null ? null : (
          <Alert color="orange" variant="light" role="alert">
            {t('evaluation.unknown', { document: missing.document })}
          </Alert>
        )}
        <TextInput
          label={t('evaluation.question')}
          maxLength={4_096}
          value={question}
          onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
        />
        <TagsInput
          label={t('evaluation.expected')}
          description={t('evaluation.expected_hint')}
          data={[...new Set(data?.items.map(({ document_name: one }) => one) ?? [])]}
          maxTags={50}
          value={expected}
          onChange={setExpected}
          searchValue={typed}
          onSearchChange={setTyped}
        />
        <Group justify="flex-end">
          <Button
            type="submit"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            loading={isPending}
            disabled={question.trim() === '' || expected.length === 0}
          >
            {t('evaluation.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
