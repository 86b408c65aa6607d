import { type Weights, WeightsFound } from '@ai-studio/contract/console/models.ts';
import { Badge, Button, FileButton, Group, Modal, Paper, Progress, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconInfoCircle, IconSearch, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { KindBadge } from './kind-badge.tsx';
import { weightsQuery } from './queries.ts';
import { uploadModel } from './upload.ts';
import { useLocalizedText } from './localized.ts';

interface DoneProps {
  readonly onDone: () => void;
}

function usePull(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wanted: { readonly what: string; readonly unverified?: boolean }) =>
      api.run('POST', '/weights/pull', wanted),
    async onSuccess() {
      onDone();
      await queries.invalidateQueries({ queryKey: weightsQuery.queryKey });
    },
  });
}

const fitColors = { good: 'green', slow: 'yellow', no: 'gray' } as const;

function CatalogueEntry({
  model,
  onPull,
  busy,
}: {
  readonly model: Weights;
  readonly onPull: () => void;
  readonly busy: boolean;
}) {
  const { t } = useTranslation('modelsPage');
  const { bytes } = useFormat();
  const own = useLocalizedText();
  const [confirming, setConfirming] = useState(false);
  const here = model.state !== 'absent' && model.state !== 'failed';
  return (
    <Paper component="li" withBorder radius="md" p="md">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} flex="1 1 15rem">
          <Group gap="xs">
            <Text fw={600}>{model.name}</Text>
            <KindBadge kind={model.kind} />
            {model.fit === null ? null : (
              <Badge variant="light" color={fitColors[model.fit]} tt="none">
                {t(`fits.${model.fit}`)}
              </Badge>
            )}
          </Group>
          {model.description === null ? null : (
            <Text size="sm" c="dimmed">
              {own(model.description)}
            </Text>
          )}
          <Group gap="md" style={{ rowGap: 0 }}>
            {model.size_bytes === null ? null : (
              <Text size="xs" c="dimmed">
                {t('download_size', { size: bytes(model.size_bytes) })}
              </Text>
            )}
            {model.memory_bytes === null ? null : (
              <Text size="xs" c="dimmed">
                {t('memory_size', { size: bytes(model.memory_bytes) })}
              </Text>
            )}
            {model.license === null ? null : (
              <Text size="xs" c="dimmed">
                {t('license', { license: model.license })}
              </Text>
            )}
          </Group>
          {model.fit_reasons.length === 0 ? null : (
            <Group gap={6} wrap="nowrap" align="flex-start">
              <IconInfoCircle size={14} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
              <Text size="xs">{model.fit_reasons.map(own).join(' ')}</Text>
            </Group>
          )}
        </Stack>
        {here ? (
          <Badge variant="light" tt="none">
            {t(`states.${model.state}`)}
          </Badge>
        ) : (
          <Button
            size="xs"
            {...(confirming ? { color: 'yellow' } : {})}
            leftSection={<IconDownload size={14} aria-hidden />}
            loading={busy}
            onClick={() => (model.unverified && !confirming ? setConfirming(true) : onPull())}
          >
            {t(confirming ? 'download_unverified' : 'download')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}

function Catalogue({ onDone }: DoneProps) {
  const { t } = useTranslation('modelsPage');
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 250);
  const pull = usePull(onDone);
  const query = useQuery({
    queryKey: ['weights-search', wanted],
    queryFn: ({ signal }) => api.get('/weights/search', WeightsFound, { signal, query: { text: wanted } }),
  });
  return (
    <Stack gap="md">
      <FormAlert error={pull.error} />
      <TextInput
        type="search"
        label={t('search')}
        placeholder={t('search_example')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        data-autofocus
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('none_found')}</Text>
          ) : (
            <Stack component="ul" gap="sm" p={0} m={0}>
              {items.map((model) => (
                <CatalogueEntry
                  key={model.id}
                  model={model}
                  busy={pull.isPending && pull.variables.what === model.id}
                  onPull={() => pull.mutate({ what: model.id, unverified: model.unverified })}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}

function ByAddress({ onDone }: DoneProps) {
  const { t } = useTranslation('modelsPage');
  const [what, setWhat] = useState('');
  const { mutate, isPending, error } = usePull(onDone);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ what: what.trim() });
      }}
    >
      <Stack gap="md">
        <FormAlert error={error} />
        <TextInput
          label={t('address')}
          description={t('address_hint')}
          placeholder="Qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf"
          required
          value={what}
          onChange={({ currentTarget }) => setWhat(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={what.trim() === ''}>
            {t('download')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

function FromFile({ onDone }: DoneProps) {
  const { t } = useTranslation('modelsPage');
  const { t: common } = useTranslation('common');
  const { bytes } = useFormat();
  const { done } = useNotify();
  const queries = useQueryClient();
  const abort = useRef<AbortController | null>(null);
  const [received, setReceived] = useState(0);
  useEffect(() => () => abort.current?.abort(), []);
  const { mutate, isPending, error, variables, reset } = useMutation({
    mutationFn(file: File) {
      setReceived(0);
      abort.current = new AbortController();
      return uploadModel(file, { signal: abort.current.signal, onProgress: setReceived });
    },
    async onSuccess(_id, file) {
      done(t('uploaded', { name: file.name }));
      onDone();
      await queries.invalidateQueries({ queryKey: weightsQuery.queryKey });
    },
  });
  return (
    <Stack gap="md">
      {isAborted(error) ? null : <FormAlert error={error} />}
      <Text size="sm">{t('upload_hint')}</Text>
      {isPending && variables !== undefined ? (
        <Stack gap="xs">
          <Progress value={(received / Math.max(1, variables.size)) * 100} aria-label={t('uploading')} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {variables.name}: {bytes(received)} / {bytes(variables.size)}
            </Text>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                abort.current?.abort();
                reset();
              }}
            >
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <FileButton accept=".gguf" onChange={(file) => (file === null ? undefined : mutate(file))}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              {t('choose_file')}
            </Button>
          )}
        </FileButton>
      )}
    </Stack>
  );
}

interface GetModelProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Brings a model to this machine: from the catalogue, by its address, or from a file. */
export function GetModel({ opened, onClose }: GetModelProps) {
  const { t } = useTranslation('modelsPage');
  return (
    <Modal opened={opened} onClose={onClose} title={t('get')} size="xl">
      <Tabs defaultValue="catalogue" keepMounted={false}>
        <Tabs.List mb="md" aria-label={t('get')}>
          <Tabs.Tab value="catalogue">{t('from_catalogue')}</Tabs.Tab>
          <Tabs.Tab value="address">{t('by_address')}</Tabs.Tab>
          <Tabs.Tab value="file">{t('from_file')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="catalogue">
          <Catalogue onDone={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="address">
          <ByAddress onDone={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="file">
          <FromFile onDone={onClose} />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}
