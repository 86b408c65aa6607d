import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Progress,
  Select,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../../api/chat-models.ts';
import { AiMark } from '../../../parts/answer/ai-mark.tsx';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { DocumentChoice } from './document-choice.tsx';
import { type Proposal, propose } from './propose.ts';
import { addQuestions } from './queries.ts';

const COUNT = 10;
const MAX_QUESTIONS = 50;
/** Attempts for each question: a sampled passage may have been used before. */
const MAX_ATTEMPTS_PER_QUESTION = 2;

interface ProposalRequest {
  readonly model: string;
  readonly count: number;
  readonly documents: readonly string[];
}

/** Has a model write questions, one after the other. */
function useProposals(id: string) {
  const [proposals, setProposals] = useState<readonly Proposal[]>([]);
  const end = useRef<AbortController | null>(null);
  useEffect(() => () => end.current?.abort(), []);
  const work = useMutation({
    async mutationFn({ model, count, documents }: ProposalRequest) {
      const stop = new AbortController();
      end.current = stop;
      const found = new Map<string, Proposal>();
      setProposals([]);
      for (
        let draw = 0;
        draw < count * MAX_ATTEMPTS_PER_QUESTION && found.size < count && !stop.signal.aborted;
        draw++
      ) {
        const made = await propose(id, { model, documents, signal: stop.signal }).catch((error: unknown) => {
          if (stop.signal.aborted) return null;
          throw error;
        });
        if (made === null || found.has(made.id)) continue;
        found.set(made.id, made);
        setProposals([...found.values()]);
      }
      return found.size;
    },
  });
  return { proposals, setProposals, work, stop: () => end.current?.abort() };
}

interface ItemProps {
  readonly proposal: Proposal;
  readonly taken: boolean;
  readonly onTaken: (taken: boolean) => void;
  readonly onQuestion: (question: string) => void;
}

function Item({ proposal: { question, documentName }, taken, onTaken, onQuestion }: ItemProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm">
      <Checkbox
        mt={8}
        aria-label={t('evaluation.take', { question })}
        checked={taken}
        onChange={({ currentTarget }) => onTaken(currentTarget.checked)}
      />
      <Stack gap={2} flex={1}>
        <Textarea
          aria-label={t('evaluation.question')}
          autosize
          minRows={1}
          maxLength={4_096}
          value={question}
          onChange={({ currentTarget }) => onQuestion(currentTarget.value)}
        />
        <Text size="xs" c="dimmed">
          {documentName}
        </Text>
      </Stack>
    </Group>
  );
}

interface ProposeProps {
  readonly id: string;
  readonly onClose: () => void;
}

function Form({ id, onClose }: ProposeProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: parts } = useTranslation('parts');
  const { number } = useFormat();
  const queries = useQueryClient();
  const { done } = useNotify();
  const { data: models } = useQuery(chatModelsQuery);
  const [chosenModel, setModel] = useState<string | null>(null);
  const [count, setCount] = useState(COUNT);
  const [documents, setDocuments] = useState<readonly string[]>([]);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { proposals, setProposals, work, stop } = useProposals(id);
  const model = chosenModel ?? models?.default_model ?? null;
  const chosen = proposals.filter((one) => !left.has(one.id) && one.question.trim() !== '');
  const save = useMutation({
    mutationFn: () =>
      addQuestions(
        id,
        chosen.map(({ question, documentId }) => ({ question: question.trim(), expected: [documentId] })),
      ),
    async onSuccess({ added }) {
      await queries.invalidateQueries({ queryKey: ['collection', id, 'questions'] });
      done(t('evaluation.added', { count: added }));
      onClose();
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('evaluation.propose_hint')}
      </Text>
      <DocumentChoice id={id} value={documents} disabled={work.isPending} onChange={setDocuments} />
      <Group align="flex-end" gap="sm">
        <Select
          label={t('evaluation.model')}
          flex="1 1 12rem"
          searchable
          allowDeselect={false}
          data={models?.items.map((one) => one.id) ?? []}
          value={model}
          onChange={setModel}
        />
        <NumberInput
          label={t('evaluation.propose_count')}
          w="7rem"
          min={1}
          max={MAX_QUESTIONS}
          allowDecimal={false}
          value={count}
          onChange={(value) =>
            setCount(typeof value === 'number' ? Math.min(MAX_QUESTIONS, Math.max(1, value)) : count)
          }
        />
        {work.isPending ? (
          <Button variant="default" onClick={stop}>
            {parts('stop')}
          </Button>
        ) : (
          <Button
            leftSection={<IconSparkles size={16} aria-hidden />}
            disabled={model === null}
            onClick={() => {
              if (model !== null) work.mutate({ model, count, documents });
            }}
          >
            {t('evaluation.propose_begin')}
          </Button>
        )}
      </Group>
      {work.isPending ? (
        <Stack gap={4} role="status">
          <Text size="xs" c="dimmed">
            {t('evaluation.proposing', { done: number(proposals.length), total: number(count) })}
          </Text>
          <Progress value={(100 * proposals.length) / count} aria-label={t('evaluation.propose')} />
        </Stack>
      ) : null}
      <FormAlert error={work.error ?? save.error} />
      {work.data === 0 ? (
        <Alert color="orange" variant="light" role="alert">
          {t('evaluation.propose_failed')}
        </Alert>
      ) : null}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {proposals.map((proposal) => (
          <Item
            key={proposal.id}
            proposal={proposal}
            taken={!left.has(proposal.id)}
            onTaken={(taken) =>
              setLeft(new Set(taken ? [...left].filter((one) => one !== proposal.id) : [...left, proposal.id]))
            }
            onQuestion={(question) =>
              setProposals(proposals.map((one) => (one === proposal ? { ...one, question } : one)))
            }
          />
        ))}
      </Stack>
      {proposals.length === 0 ? null : <AiMark />}
      {proposals.length === 0 ? null : (
        <Group justify="flex-end">
          <Button
            loading={save.isPending}
            disabled={work.isPending || chosen.length === 0}
            onClick={() => save.mutate()}
          >
            {t('evaluation.add_chosen', { count: chosen.length })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Has a model propose questions for passages of the collection. */
export function ProposeDialog({ opened, ...form }: ProposeProps & { readonly opened: boolean }) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Modal opened={opened} onClose={form.onClose} title={t('evaluation.propose')} size="xl" closeOnClickOutside={false}>
      {opened ? <Form {...form} /> : null}
    </Modal>
  );
}
