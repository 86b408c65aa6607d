import { OwnSample, Sample } from '@ai-studio/contract/console/samples.ts';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSparkles } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { usePreferences } from '../../app/use-preferences.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useNotify } from '../../parts/use-notify.tsx';

const sampleQuery = queryOptions({
  queryKey: ['sample'],
  queryFn: ({ signal }) => api.get('/sample', OwnSample, { signal }),
});

function Begin() {
  const { t } = useTranslation('overview');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { language } = usePreferences();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post('/sample', { language }, Sample),
    async onSuccess({ agent_id: agentId }) {
      void queries.invalidateQueries();
      await navigate({ to: '/agents/$agentId/build', params: { agentId }, search: { tab: 'run' } });
    },
  });
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {t(isPending ? 'sample_making' : 'sample_hint')}
      </Text>
      <FormAlert error={error} />
      <Group>
        <Button leftSection={<IconSparkles size={16} aria-hidden />} loading={isPending} onClick={() => mutate()}>
          {t('sample_begin')}
        </Button>
      </Group>
    </>
  );
}

function Begun({ sample }: { readonly sample: Sample }) {
  const { t } = useTranslation('overview');
  const { t: common } = useTranslation('common');
  const { done } = useNotify();
  const queries = useQueryClient();
  const [asked, { open, close }] = useDisclosure(false);
  const { agent_id: agentId, collection_id: collectionId } = sample;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('sample_there')}
      </Text>
      <Group gap="sm">
        <Button
          renderRoot={(props) => (
            <Link to="/agents/$agentId/build" params={{ agentId }} search={{ tab: 'run' }} {...props} />
          )}
          variant="light"
        >
          {t('sample_try')}
        </Button>
        <Button
          renderRoot={(props) => (
            <Link to="/collections/$collectionId" params={{ collectionId }} search={{}} {...props} />
          )}
          variant="default"
        >
          {t('sample_documents')}
        </Button>
        <Button variant="subtle" color="red" onClick={open}>
          {t('sample_remove')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asked}
        title={t('sample_remove')}
        confirmLabel={common('remove')}
        onConfirm={async () => {
          await api.run('DELETE', '/sample');
          await queries.invalidateQueries();
          done(t('sample_removed'));
        }}
        onClose={close}
      >
        <Text size="sm">{t('sample_remove_text')}</Text>
      </ConfirmDialog>
    </>
  );
}

/** Offers a sample to those who have built nothing yet, and its removal to those who have one. */
export function SampleCard({ begun }: { readonly begun: boolean }) {
  const { t } = useTranslation('overview');
  const { data } = useQuery(sampleQuery);
  if (data === undefined || (begun && data.sample === null)) return null;
  return (
    <Card withBorder radius="md" padding="lg" component="section" aria-label={t('sample')}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('sample')}
        </Title>
        {data.sample === null ? <Begin /> : <Begun sample={data.sample} />}
      </Stack>
    </Card>
  );
}
