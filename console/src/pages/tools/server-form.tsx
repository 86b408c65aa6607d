import { type ToolServer, ToolServer as Form } from '@ai-studio/contract/console/agents.ts';
import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { AddressError, isAddressError } from './address-error.tsx';
import { type HeaderRow, HeadersField, headersOf } from './headers-field.tsx';
import { toolServersQuery } from './queries.ts';
import { SaveFailure } from './save-failure.tsx';
import { ServiceSource, type Source } from './service-source.tsx';

type Kind = ToolServer['kind'];
const kinds = ['mcp', 'http'] as const satisfies readonly Kind[];

interface ServerFormProps {
  /** Null: a new one. */
  readonly server: ToolServer | null;
  readonly onClose: () => void;
}

/** The fields, and what is sent of them. */
function useDraft(server: ToolServer | null) {
  const [kind, setKind] = useState<Kind>(server?.kind ?? 'mcp');
  const [name, setName] = useState(server?.name ?? '');
  const [url, setUrl] = useState(server?.url ?? '');
  const [text, setText] = useState('');
  const savedUrl = server?.description_url ?? '';
  const [source, setSource] = useState<Source>(server === null || savedUrl !== '' ? 'url' : 'text');
  const [from, setFrom] = useState(savedUrl);
  /** Null: the stored headers stay unchanged. */
  const [headers, setHeaders] = useState<readonly HeaderRow[] | null>(
    server === null || server.headers.length === 0 ? [] : null,
  );
  const described = () => {
    if (kind !== 'http') return {};
    if (source === 'text') return text.trim() === '' ? {} : { description: text };
    return from.trim() === savedUrl ? {} : { description_url: from.trim() };
  };
  const body = () =>
    server === null
      ? { kind, name, url: url.trim(), headers: headersOf(headers ?? []), ...described() }
      : { name, url: url.trim(), ...(headers === null ? {} : { headers: headersOf(headers) }), ...described() };
  return {
    kind,
    setKind,
    name,
    setName,
    url,
    setUrl,
    text,
    setText,
    source,
    setSource,
    from,
    setFrom,
    headers,
    setHeaders,
    body,
  };
}

function useSave(server: ToolServer | null, onClose: () => void) {
  const { t } = useTranslation('toolsPage');
  const queries = useQueryClient();
  const { done } = useNotify();
  return useMutation({
    mutationFn: (body: object) =>
      server === null ? api.post('/agent-servers', body, Form) : api.patch(`/agent-servers/${server.id}`, body, Form),
    async onSuccess(saved) {
      onClose();
      if (server === null) done(t('added', { name: saved.name }));
      await queries.invalidateQueries({ queryKey: toolServersQuery.queryKey });
    },
  });
}

function Fields({ server, onClose }: ServerFormProps) {
  const { t } = useTranslation('toolsPage');
  const { t: common } = useTranslation('common');
  const draft = useDraft(server);
  const { kind, headers } = draft;
  const save = useSave(server, onClose);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft.body());
      }}
    >
      <Stack gap="md">
        {server === null ? (
          <SegmentedControl
            aria-label={t('kind')}
            data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            value={kind}
            onChange={draft.setKind}
          />
        ) : null}
        <TextInput
          label={t('name')}
          required
          maxLength={100}
          data-autofocus
          value={draft.name}
          onChange={({ currentTarget }) => draft.setName(currentTarget.value)}
        />
        {kind === 'http' ? (
          <ServiceSource
            isNew={server === null}
            source={draft.source}
            onSource={draft.setSource}
            url={draft.from}
            onUrl={draft.setFrom}
            value={draft.text}
            onChange={draft.setText}
          />
        ) : null}
        <TextInput
          label={t('address')}
          description={t(`address_hint_${kind}`)}
          placeholder={kind === 'mcp' ? 'https://tools.example.kr/mcp' : 'https://api.example.kr/v1'}
          type="url"
          required={kind === 'mcp' || server !== null}
          maxLength={2_000}
          value={draft.url}
          onChange={({ currentTarget }) => draft.setUrl(currentTarget.value)}
          error={
            isAddressError(save.error) ? (
              <AddressError error={save.error} onOpened={() => save.mutate(draft.body())} />
            ) : null
          }
        />
        {headers === null ? (
          <Group justify="space-between">
            <Text size="sm" flex={1}>
              {t('headers_kept', { names: server?.headers.join(', ') ?? '' })}
            </Text>
            <Button
              size="xs"
              variant="light"
              onClick={() => draft.setHeaders((server?.headers ?? []).map((name, key) => ({ key, name, value: '' })))}
            >
              {t('headers_anew')}
            </Button>
          </Group>
        ) : (
          <HeadersField rows={headers} onChange={draft.setHeaders} />
        )}
        <SaveFailure error={isAddressError(save.error) ? null : save.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(server === null ? 'add' : 'save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ServerDialogProps extends ServerFormProps {
  readonly opened: boolean;
}

/** Adds a tool server, or changes one. */
export function ServerDialog({ opened, server, onClose }: ServerDialogProps) {
  const { t } = useTranslation('toolsPage');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={server === null ? t('add') : t('change', { name: server.name })}
      size="lg"
    >
      <Fields server={server} onClose={onClose} />
    </Modal>
  );
}
