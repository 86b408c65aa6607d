import { type IngestConfigFields } from '@ai-studio/contract/retrieval/collection.ts';
import { ChunkPreview } from '@ai-studio/contract/retrieval/preview.ts';
import { Button, FileInput, Group, Modal, Paper, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, apiUrl } from '../../../api/client.ts';
import { errorOf } from '../../../api/error.ts';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { documentsQuery, pathOf } from '../queries.ts';

const kinds = ['document', 'file', 'text'] as const;
type Kind = (typeof kinds)[number];

interface Source {
  readonly kind: Kind;
  readonly document: string | null;
  readonly file: File | null;
  readonly text: string;
}

/** Chunks of one call. */
const SIZE = 20;

async function previewFile(id: string, file: File, config: IngestConfigFields, from: number): Promise<ChunkPreview> {
  const query = { name: file.name, size: file.size, count: SIZE, from, ingest_config: JSON.stringify(config) };
  const response = await fetch(apiUrl(`${pathOf(id)}/preview/file`, query), {
    method: 'POST',
    credentials: 'same-origin',
    redirect: 'error',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  });
  if (!response.ok) throw await errorOf(response);
  return ChunkPreview.parse(await response.json());
}

function preview(id: string, { kind, document, file, text }: Source, config: IngestConfigFields, from: number) {
  if (kind === 'file' && file !== null) return previewFile(id, file, config, from);
  const what = kind === 'document' ? { document_id: document } : { text, name: 'text.md' };
  return api.post(`${pathOf(id)}/preview`, { ...what, ingest_config: config, size: SIZE, from }, ChunkPreview);
}

/** One document of the collection, by its name. */
function DocumentField({
  id,
  value,
  onChange,
}: {
  readonly id: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}) {
  const { t } = useTranslation('collectionsPage');
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 250);
  const { data } = useQuery(documentsQuery(id, { group: 'ready', name, page: 1 }));
  const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string } | null>(null);
  const found = (data?.items ?? []).map((one) => ({ value: one.document_id, label: one.document_name }));
  const all = chosen === null || found.some((one) => one.value === chosen.value) ? found : [chosen, ...found];
  return (
    <Select
      label={t('preview.document')}
      placeholder={t('preview.document_choose')}
      searchable
      data={all}
      // The service has chosen by the name already.
      filter={({ options }) => options}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(one) => {
        setChosen(all.find((known) => known.value === one) ?? null);
        onChange(one);
      }}
    />
  );
}

function Chunks({ shown }: { readonly shown: ChunkPreview }) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return (
    <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
      {shown.items.map(({ order, title, content, tokens, start_page: page }) => (
        <Paper key={order} component="li" withBorder radius="md" p="sm">
          <Group justify="space-between" gap="xs" mb={4}>
            <Text size="xs" fw={600}>
              {t('preview.chunk', { order: number(order) })}
              {title === '' ? '' : ` · ${title}`}
            </Text>
            <Text size="xs" c="dimmed">
              {t('preview.tokens', { tokens: number(tokens) })}
              {page === null ? '' : ` · ${t('search.page', { page: number(page) })}`}
            </Text>
          </Group>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {content}
          </Text>
        </Paper>
      ))}
    </Stack>
  );
}

interface PreviewDialogProps {
  readonly id: string;
  /** Settings as they are chosen, saved or not. */
  readonly config: IngestConfigFields;
  readonly onClose: () => void;
}

/** Shows the chunks that settings make, before they are saved and anything is taken in. */
export function PreviewDialog({ id, config, onClose }: PreviewDialogProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const [source, setSource] = useState<Source>({ kind: 'document', document: null, file: null, text: '' });
  const [from, setFrom] = useState(0);
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (at: number) => preview(id, source, config, at),
    onSuccess: (_shown, at) => setFrom(at),
  });
  const change = (part: Partial<Source>) => {
    setSource({ ...source, ...part });
    reset();
  };
  const { kind, document, file, text } = source;
  const isGiven = kind === 'document' ? document !== null : kind === 'file' ? file !== null : text.trim() !== '';
  return (
    <Modal opened onClose={onClose} title={t('preview.title')} size="xl">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('preview.hint')}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={t('preview.source')}
          value={kind}
          onChange={(value) => change({ kind: kinds.find((known) => known === value) ?? 'document' })}
          data={kinds.map((value) => ({ value, label: t(`preview.sources.${value}`) }))}
        />
        {kind === 'document' ? (
          <DocumentField id={id} value={document} onChange={(value) => change({ document: value })} />
        ) : kind === 'file' ? (
          <FileInput
            label={t('preview.file')}
            placeholder={t('preview.file_choose')}
            clearable
            value={file}
            onChange={(value) => change({ file: value })}
          />
        ) : (
          <Textarea
            label={t('preview.text')}
            autosize
            minRows={4}
            maxRows={10}
            maxLength={1_000_000}
            value={text}
            onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          />
        )}
        <Group justify="flex-end">
          <Button loading={isPending} disabled={!isGiven} onClick={() => mutate(0)}>
            {t('preview.run')}
          </Button>
        </Group>
        <FormAlert error={error} />
        {data === undefined ? null : (
          <>
            <Text size="sm" fw={600} role="status">
              {t('preview.found', {
                chunks: number(data.total),
                least: number(data.tokens.least),
                mean: number(data.tokens.mean),
                most: number(data.tokens.most),
              })}
            </Text>
            <Chunks shown={data} />
            {data.total > SIZE ? (
              <Group justify="space-between">
                <Button variant="default" disabled={from === 0 || isPending} onClick={() => mutate(from - SIZE)}>
                  {t('preview.before')}
                </Button>
                <Button
                  variant="default"
                  disabled={from + SIZE >= data.total || isPending}
                  onClick={() => mutate(from + SIZE)}
                >
                  {t('preview.next')}
                </Button>
              </Group>
            ) : null}
          </>
        )}
      </Stack>
    </Modal>
  );
}
