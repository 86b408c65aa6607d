import type {
  EvaluationFigures,
  EvaluationRun,
  EvaluationRunDetails,
  EvaluationSetting,
} from '@ai-studio/contract/console/evaluation.ts';
import { Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconListDetails, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ActButton } from '../../../parts/act-button.tsx';
import { JobCard } from '../../../parts/job-card.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { RemoveAct } from '../../../parts/remove-act.tsx';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { toCsv } from '../../../parts/csv.ts';
import { saveText } from '../../../parts/save-text.ts';
import { runQuery, runsPath } from './queries.ts';
import { useSettingSummary } from './use-setting-summary.ts';

const figureNames = ['recall_at_1', 'recall_at_5', 'recall_at_10', 'ndcg_at_10'] as const;

function Figures({ settings, figures }: FiguresProps) {
  const { t } = useTranslation('collectionsPage');
  const words = useSettingSummary();
  const best = (name: keyof EvaluationFigures) => Math.max(...figures.map((one) => one[name]));
  return (
    <Table.ScrollContainer minWidth={420} type="native" tabIndex={0} role="group" aria-label={t('evaluation.results')}>
      <Table withTableBorder verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('evaluation.setting')}</Table.Th>
            {figureNames.map((name) => (
              <Table.Th key={name} scope="col" ta="end">
                {t(`evaluation.figures.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {settings.map((setting, at) => (
            <Table.Tr key={setting.name}>
              <Table.Th scope="row" fw={500}>
                {setting.name}
                <Text size="xs" c="dimmed" fw={400}>
                  {words(setting)}
                </Text>
              </Table.Th>
              {figureNames.map((name) => {
                const value = figures[at]?.[name] ?? 0;
                const isBest = settings.length > 1 && value > 0 && value === best(name);
                return (
                  <Table.Td
                    key={name}
                    ta="end"
                    fw={isBest ? 700 : 400}
                    title={isBest ? t('evaluation.best') : undefined}
                  >
                    {value.toFixed(3)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface FiguresProps {
  readonly settings: readonly EvaluationSetting[];
  readonly figures: readonly EvaluationFigures[];
}

type Answer = EvaluationRunDetails['answers'][number];

function useColumns(run: EvaluationRunDetails): Column<Answer>[] {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return [
    {
      key: 'question',
      header: t('evaluation.question'),
      cell: ({ question, expected }) => (
        <>
          <Text size="sm">{question}</Text>
          <Text size="xs" c="dimmed">
            {expected.join(', ')}
          </Text>
        </>
      ),
    },
    ...run.settings.map(({ name }, at): Column<Answer> => ({
      key: name,
      header: name,
      sort: ({ figures }) => figures[at]?.ndcg_at_10 ?? 0,
      cell: ({ ranks, figures }) => (
        <>
          <Text size="sm">
            {(ranks[at] ?? []).map((rank) => (rank === null ? t('evaluation.not_found') : number(rank))).join(', ')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('evaluation.figures.ndcg_at_10')} {(figures[at]?.ndcg_at_10 ?? 0).toFixed(2)}
          </Text>
        </>
      ),
    })),
  ];
}

function Answers({ run }: { readonly run: EvaluationRunDetails }) {
  const { t } = useTranslation('collectionsPage');
  const columns = useColumns(run);
  return (
    <DataTable
      label={t('evaluation.details_of')}
      columns={columns}
      rows={run.answers}
      rowKey={({ question, expected }) => `${question}\n${expected.join('\n')}`}
      pageSize={20}
      minWidth={320 + 130 * run.settings.length}
    />
  );
}

/** A line for each question and setting. */
const csvOf = ({ settings, answers }: EvaluationRunDetails) =>
  toCsv([
    ['question', 'expected', 'setting', 'ranks', ...figureNames],
    ...answers.flatMap(({ question, expected, ranks, figures }) =>
      settings.map(({ name }, at) => [
        question,
        expected.join('; '),
        name,
        (ranks[at] ?? []).map((rank) => rank ?? '-').join('; '),
        ...figureNames.map((figure) => figures[at]?.[figure] ?? 0),
      ]),
    ),
  ]);

function Acts({ id, run, whole, onWhole }: ActsProps) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { failed } = useNotify();
  const end = async () => {
    await api.run('DELETE', `${runsPath(id)}/${run.id}`);
    await queries.invalidateQueries({ queryKey: ['collection', id, 'runs'] });
  };
  const { mutate: stop, isPending } = useMutation({ mutationFn: end, onError: failed });
  const { mutate: save } = useMutation({
    mutationFn: async () => saveText('evaluation.csv', csvOf(await queries.query(runQuery(id, run.id))), 'text/csv'),
    onError: failed,
  });
  const running = run.state === 'running';
  return (
    <>
      {run.state === 'done' ? (
        <>
          <ActButton icon={IconListDetails} label={t('evaluation.details')} expanded={whole} onClick={onWhole} />
          <ActButton icon={IconDownload} label={t('evaluation.export')} onClick={() => save()} />
        </>
      ) : null}
      {running ? (
        <ActButton quiet icon={IconX} label={t('evaluation.stop_run')} loading={isPending} onClick={() => stop()} />
      ) : (
        <RemoveAct label={t('evaluation.remove_run')} text={t('remove_result_text')} onRemove={end} />
      )}
    </>
  );
}

interface ActsProps extends RunProps {
  readonly whole: boolean;
  readonly onWhole: () => void;
}

interface RunProps {
  readonly id: string;
  readonly run: EvaluationRun;
}

function Details({ id, run }: RunProps) {
  return <Loaded query={useQuery(runQuery(id, run.id))}>{(details) => <Answers run={details} />}</Loaded>;
}

/** What a run over all questions came to. */
export function Run({ id, run }: RunProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const [whole, { toggle }] = useDisclosure(false);
  const questions = Math.round(run.total / Math.max(1, run.settings.length));
  const { state, done, total, settings, figures, failure, by, created_at: at } = run;
  return (
    <JobCard
      state={state}
      stateLabel={t(`evaluation.states.${state}`)}
      about={
        <>
          <RelativeTime at={at} /> · {t('evaluation.run_of', { by, count: questions, total: number(questions) })}
        </>
      }
      acts={<Acts id={id} run={run} whole={whole} onWhole={toggle} />}
      progress={{ done, total, text: t('evaluation.searching', { done: number(done), total: number(total) }) }}
      failure={failure === null ? null : t('evaluation.failed_text', { reason: failure })}
    >
      {figures === null ? null : <Figures settings={settings} figures={figures} />}
      {whole ? <Details id={id} run={run} /> : null}
    </JobCard>
  );
}
