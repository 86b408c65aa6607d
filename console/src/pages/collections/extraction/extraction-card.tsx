import type { Extraction } from '@ai-studio/contract/retrieval/extraction.ts';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconTable, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ActButton } from '../../../parts/act-button.tsx';
import { JobCard } from '../../../parts/job-card.tsx';
import { RemoveAct } from '../../../parts/remove-act.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { extractionFile, extractionPath } from './queries.ts';
import { Results } from './results.tsx';

interface CardProps {
  readonly extraction: Extraction;
  readonly mayChange: boolean;
  /** Whether its table is open at first. */
  readonly opened: boolean;
}

interface ActsProps {
  readonly extraction: Extraction;
  readonly mayChange: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Acts({ extraction, mayChange, isOpen, onOpen }: ActsProps) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { failed } = useNotify();
  const { collection_id: id, extraction_id: extractionId } = extraction;
  const running = extraction.state === 'running';
  const path = extractionPath(id, extractionId);
  const reread = () => queries.invalidateQueries({ queryKey: ['collection', id, 'extractions'] });
  const { mutate: cancel, isPending } = useMutation({
    mutationFn: () => api.run('POST', `${path}/cancel`),
    onError: failed,
    onSettled: reread,
  });
  const remove = async () => {
    await api.run('DELETE', path);
    await reread();
  };
  return (
    <>
      <ActButton icon={IconTable} label={t('extraction.table')} expanded={isOpen} onClick={onOpen} />
      <ActButton icon={IconDownload} label={t('extraction.csv')} file={extractionFile(id, extractionId)} />
      {!mayChange ? null : running ? (
        <ActButton quiet icon={IconX} label={t('extraction.cancel')} loading={isPending} onClick={() => cancel()} />
      ) : (
        <RemoveAct label={t('extraction.remove')} text={t('remove_result_text')} onRemove={remove} />
      )}
    </>
  );
}

/** An extraction: how far it is, and what was found. */
export function ExtractionCard({ extraction, mayChange, opened }: CardProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const [isOpen, { toggle }] = useDisclosure(opened);
  const { state, done, failed, total, failure, by, created_at: at } = extraction;
  return (
    <JobCard
      state={state}
      stateLabel={t(`extraction.states.${state}`)}
      about={
        <>
          <RelativeTime at={at} /> · {by} ·{' '}
          {t('extraction.progress', { done: number(done + failed), total: number(total) })}
          {failed > 0 ? ` · ${t('extraction.failed', { failed: number(failed) })}` : ''}
        </>
      }
      acts={<Acts extraction={extraction} mayChange={mayChange} isOpen={isOpen} onOpen={toggle} />}
      progress={{ done: done + failed, total }}
      failure={failure === null ? null : t('extraction.failure', { reason: failure })}
    >
      {isOpen ? <Results extraction={extraction} /> : null}
    </JobCard>
  );
}
