import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import { RunQuestion } from '@ai-studio/contract/console/feedback.ts';
import { Anchor, Badge, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { IconClipboardCheck, IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import classes from '../agents.module.css';
import { agentOptionsQuery, agentPath, agentQuery } from '../queries.ts';
import { CollectionChoice } from './collection-choice.tsx';

interface GivenFeedbackProps {
  readonly agentId: string;
  readonly run: AgentRun;
}

interface Named {
  readonly collection_id: string;
  readonly expected: readonly string[];
}

/** Makes an evaluation question of a message, and takes it back. */
function useQuestion({ agentId, run }: GivenFeedbackProps) {
  const { t } = useTranslation('answers');
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const address = `${agentPath(agentId)}/runs/${run.id}/question`;
  const onSettled = () => queries.invalidateQueries({ queryKey: ['agent', agentId, 'sessions'] });
  const adding = useMutation({
    mutationFn: (named: Named | null) => api.post(address, named ?? {}, RunQuestion),
    onSuccess: () => done(t('question_made')),
    onSettled,
  });
  const removing = useMutation({
    mutationFn: () => api.run('DELETE', address),
    onSuccess: () => done(t('question_removed')),
    onError: failed,
    onSettled,
  });
  return { adding, removing };
}

interface NameDocumentsProps {
  readonly agentId: string;
  readonly adding: ReturnType<typeof useQuestion>['adding'];
  readonly onClose: () => void;
}

/** Asks for the documents that should answer a question whose answer cites none. */
function NameDocuments({ agentId, adding, onClose }: NameDocumentsProps) {
  const { t } = useTranslation('answers');
  const agent = useQuery(agentQuery(agentId)).data;
  const searched = agent?.draft.nodes.flatMap((node) => (node.kind === 'retrieve' ? node.collections : [])) ?? [];
  const all = useQuery(agentOptionsQuery).data?.collections ?? [];
  const own = all.filter(({ id }) => searched.includes(id));
  const choices = own.length > 0 ? own : all;
  const [chosen, setChosen] = useState<string | null>(null);
  const [text, setText] = useState('');
  const collection = chosen ?? choices[0]?.id ?? null;
  const expected = text.split('\n').flatMap((line) => line.trim() || []);
  return (
    <Modal opened onClose={onClose} title={t('make_question')} centered>
      <DialogForm
        error={adding.error}
        saveLabel={t('make_question')}
        saving={adding.isPending}
        disabled={collection === null || expected.length === 0}
        onSave={() => adding.mutate({ collection_id: collection ?? '', expected }, { onSuccess: onClose })}
        onClose={onClose}
      >
        <Text size="sm">{t('question_hint')}</Text>
        <CollectionChoice choices={choices} value={collection} onChange={setChosen} />
        <Textarea
          label={t('question_documents')}
          description={t('question_documents_hint')}
          required
          autosize
          minRows={2}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}

/** What somebody thinks of an answer, and the way from there to a question for evaluations. */
export function GivenFeedback({ agentId, run }: GivenFeedbackProps) {
  const { t } = useTranslation('answers');
  const { adding, removing } = useQuestion({ agentId, run });
  const { failed } = useNotify();
  const [naming, setNaming] = useState(false);
  const { feedback, evaluation, citations } = run;
  if (feedback === null) return null;
  const { rating, reasons, comment } = feedback;
  const Icon = rating === 'up' ? IconThumbUp : IconThumbDown;
  const add = () => (citations.length === 0 ? setNaming(true) : adding.mutate(null, { onError: failed }));
  return (
    <div role="group" className={classes['panel']} aria-label={t('rating')}>
      <Stack gap="xs">
        <Group gap="xs">
          <Badge
            variant="light"
            color={rating === 'up' ? 'green' : 'red'}
            tt="none"
            leftSection={<Icon size={12} aria-hidden />}
          >
            {t(`rating_of.${rating}`)}
          </Badge>
          {reasons.map((reason) => (
            <Badge key={reason} variant="default" tt="none" fw={500}>
              {t(`reasons.${reason}`)}
            </Badge>
          ))}
        </Group>
        {comment === '' ? null : (
          <Text size="sm" className={classes['wraps'] ?? ''}>
            {comment}
          </Text>
        )}
        <Group gap="sm">
          {evaluation === null ? (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconClipboardCheck size={14} aria-hidden />}
              loading={adding.isPending}
              onClick={add}
            >
              {t('make_question')}
            </Button>
          ) : (
            <>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to="/collections/$collectionId"
                    params={{ collectionId: evaluation.collection_id }}
                    search={{ tab: 'evaluation' }}
                    {...props}
                  />
                )}
              >
                {t('question_open')}
              </Anchor>
              <Button
                size="xs"
                variant="subtle"
                color="gray"
                loading={removing.isPending}
                onClick={() => removing.mutate()}
              >
                {t('question_remove')}
              </Button>
            </>
          )}
        </Group>
      </Stack>
      {naming ? <NameDocuments agentId={agentId} adding={adding} onClose={() => setNaming(false)} /> : null}
    </div>
  );
}
