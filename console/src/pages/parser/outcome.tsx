import type { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { Button, Progress, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconFileOff, IconFileText } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { useProgressLabel } from './document-list.tsx';
import { removeDocument } from './queries.ts';
import classes from './viewer.module.css';

function Again() {
  const { t } = useTranslation('parser');
  return (
    <Button component={Link} to="/parser">
      {t('again')}
    </Button>
  );
}

/** For a document that has expired, was removed, or never was. */
export function Missing() {
  const { t } = useTranslation('parser');
  return <EmptyState level={1} icon={IconFileOff} title={t('missing')} hint={t('missing_hint')} action={<Again />} />;
}

/** A document that is not read yet. */
export function Reading({ document }: { readonly document: ParserDocument }) {
  const { t } = useTranslation('parser');
  const navigate = useNavigate();
  const { failed } = useNotify();
  const words = useProgressLabel();
  const { mutate, isPending } = useMutation({
    mutationFn: () => removeDocument(document.id),
    onSuccess: () => navigate({ to: '/parser' }),
    onError: failed,
  });
  const { state, pages_done: done, pages_total: total } = document;
  return (
    <Stack align="center" gap="sm" className={classes['outcome'] ?? ''}>
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        <IconFileText size={28} stroke={1.5} />
      </ThemeIcon>
      <Title order={2} size="h4">
        {t(state === 'waiting' ? 'waiting_title' : 'reading_title')}
      </Title>
      <Progress
        w="100%"
        maw="20rem"
        value={total === null || total === 0 ? 100 : (100 * done) / total}
        animated={total === null}
        aria-label={t(`states.${state}`)}
      />
      <Text size="sm" c="dimmed" mih="1.5em" role="status">
        {words(document)}
      </Text>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {t('stop_reading')}
      </Button>
    </Stack>
  );
}

/** Why a document was not read, and what to do about it. */
export function Failed({ failure }: { readonly failure: NonNullable<ParserDocument['failure']> }) {
  const { t } = useTranslation('parser');
  return (
    <EmptyState
      icon={IconAlertTriangle}
      title={t(`failures.${failure}.title`)}
      hint={t(`failures.${failure}.hint`)}
      action={<Again />}
    />
  );
}
