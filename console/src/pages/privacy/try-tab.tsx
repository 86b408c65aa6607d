import { PrivacyTrial, PrivacyTrialResult } from '@ai-studio/contract/console/privacy.ts';
import { type PiiType, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { IconAlertTriangle, IconSearch, IconShieldCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { type Found, cutAtFindings } from './cuts.ts';
import classes from './privacy.module.css';
import { TypeField } from './type-field.tsx';

interface Draft {
  readonly text: string;
  readonly types: readonly PiiType[];
  readonly threshold: number;
  readonly byPolicy: boolean;
}

const MAX_LENGTH = 20_000;

function Highlighted({ text, findings }: { readonly text: string; readonly findings: readonly Found[] }) {
  const { t } = useTranslation('privacy');
  return (
    <Paper withBorder p="md">
      <p className={classes['text']} role="group" aria-label={t('try.highlighted')} data-testid="highlighted">
        {cutAtFindings(text, findings).map(({ start, text: piece, finding }) =>
          finding === null ? (
            <span key={start}>{piece}</span>
          ) : (
            <mark key={start} className={classes['found']}>
              {piece}
              <span className={classes['type']}>{t(`types.${finding.type}`)}</span>
            </mark>
          ),
        )}
      </p>
    </Paper>
  );
}

const recogniserCell = ({ recognizer }: Found) => <code>{recognizer}</code>;

interface ResultProps {
  /** The text that was looked through. */
  readonly text: string;
  readonly result: PrivacyTrialResult;
}

function Result({ text, result }: ResultProps) {
  const { t } = useTranslation('privacy');
  const { number } = useFormat();
  const { findings, masked_text: masked, failed_recognizers: failed } = result;
  const columns: Column<Found>[] = [
    {
      key: 'type',
      header: t('try.type'),
      sort: ({ type }) => t(`types.${type}`),
      cell: ({ type }) => t(`types.${type}`),
    },
    { key: 'value', header: t('try.value'), cell: ({ start, end }) => text.slice(start, end) },
    {
      key: 'score',
      header: t('try.score'),
      align: 'end',
      sort: ({ score }) => score,
      cell: ({ score }) => number(score),
    },
    { key: 'recognizer', header: t('try.recognizer'), from: 'sm', cell: recogniserCell },
  ];
  return (
    <Stack gap="md" component="section" aria-label={t('try.result')}>
      {failed.map(({ name, reason }) => (
        <Alert key={name + reason} color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t('try.failed', { name, reason })}
        </Alert>
      ))}
      {findings.length === 0 ? (
        <EmptyState icon={IconShieldCheck} title={t('try.none')} hint={t('try.none_hint')} />
      ) : (
        <>
          <div role="status">
            <Title order={2} size="h4">
              {t('try.count', { count: findings.length })}
            </Title>
          </div>
          <Highlighted text={text} findings={findings} />
          <Text fw={600} component="h3">
            {t('try.masked')}
          </Text>
          <Paper withBorder p="md">
            <p className={classes['text']} role="group" aria-label={t('try.masked')} data-testid="masked">
              {masked}
            </p>
          </Paper>
          <DataTable
            label={t('try.findings')}
            columns={columns}
            rows={findings}
            rowKey={({ start }) => String(start)}
            pageSize={20}
          />
        </>
      )}
    </Stack>
  );
}

/** A text to try the recognisers with. */
export function TryTab() {
  const { t } = useTranslation('privacy');
  const [draft, setDraft] = useState<Draft>({ text: '', types: piiTypes, threshold: 0.5, byPolicy: true });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const { mutate, data, isPending, error } = useMutation({
    async mutationFn({ text, types, threshold, byPolicy }: Draft) {
      const body: PrivacyTrial = {
        text,
        types: types.length === 0 ? [...piiTypes] : [...types],
        threshold,
        by_policy: byPolicy,
      };
      return { text, result: await api.post('/privacy/try', PrivacyTrial.parse(body), PrivacyTrialResult) };
    },
  });
  return (
    <Stack gap="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate(draft);
        }}
      >
        <Stack gap="md" maw="60rem">
          <FormAlert error={error} />
          <Textarea
            label={t('try.text')}
            description={t('try.text_hint')}
            autosize
            minRows={5}
            maxRows={16}
            maxLength={MAX_LENGTH}
            value={draft.text}
            onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <TypeField
              label={t('try.types')}
              placeholder={t('try.all_types')}
              value={draft.types.length === piiTypes.length ? [] : draft.types}
              onChange={(types) => change({ types })}
            />
            <NumberInput
              label={t('try.threshold')}
              min={0}
              max={1}
              step={0.05}
              decimalScale={2}
              value={draft.threshold}
              onChange={(value) => change({ threshold: typeof value === 'number' ? value : 0.5 })}
            />
          </SimpleGrid>
          <Checkbox
            label={t('try.by_policy')}
            checked={draft.byPolicy}
            onChange={({ currentTarget }) => change({ byPolicy: currentTarget.checked })}
          />
          <Group>
            <Button
              type="submit"
              loading={isPending}
              disabled={draft.text.trim() === ''}
              leftSection={<IconSearch size={16} aria-hidden />}
            >
              {t('try.run')}
            </Button>
            <Button variant="default" onClick={() => change({ text: t('try.example') })}>
              {t('try.use_example')}
            </Button>
          </Group>
        </Stack>
      </form>
      {data === undefined ? null : <Result {...data} />}
    </Stack>
  );
}
