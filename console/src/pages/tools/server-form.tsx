import {
  type ServiceTextProblem,
  serviceTextProblems,
  type ToolServer,
  ToolServer as Form,
} from '@ai-studio/contract/console/agents.ts';
import {
  Alert,
  Button,
  Code,
  FileButton,
  Group,
  Modal,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconAlertCircle, IconFileText } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useErrorWords } from '../../parts/use-error-words.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { type HeaderRow, HeadersField, headersOf } from './headers-field.tsx';
import { toolServersQuery } from './queries.ts';

type Kind = ToolServer['kind'];
const kinds = ['mcp', 'http'] as const satisfies readonly Kind[];

/** Longest description that the service reads. */
const LONGEST_TEXT = 2_000_000;

interface ServiceTextProps {
  readonly isNew: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The OpenAPI document of a service: pasted, or from a file. */
function ServiceText({ isNew, value, onChange }: ServiceTextProps) {
  const { t } = useTranslation('tools');
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File | null) => {
    if (file === null) return;
    const text = file.size > LONGEST_TEXT * 4 ? null : await file.text();
    setProblem(text === null || text.length > LONGEST_TEXT ? t('file_too_large') : null);
    if (text !== null && text.length <= LONGEST_TEXT) onChange(text);
  };
  return (
    <Stack gap="xs">
      <Textarea
        label={t('service_text')}
        description={t(isNew ? 'service_text_hint' : 'service_text_change_hint')}
        required={isNew}
        error={problem}
        minRows={5}
        maxRows={12}
        autosize
        spellCheck={false}
        maxLength={LONGEST_TEXT}
        placeholder={'openapi: 3.1.0\npaths:\n  /items/{id}: …'}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group>
        <FileButton accept=".json,.yaml,.yml,application/json,application/yaml" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="light" leftSection={<IconFileText size={14} aria-hidden />}>
              {t('choose_file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}

const isProblem = (value: unknown): value is ServiceTextProblem => serviceTextProblems.some((known) => known === value);

/** Why a server was not kept; of a document, what is wrong with it. */
function SaveFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('tools');
  const words = useErrorWords();
  const { problem, detail } = error instanceof ApiError ? error.values : {};
  if (!isProblem(problem)) return <FormAlert error={error} />;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={words(error)}
    >
      {t(`service_problems.${problem}`)}
      {detail === undefined || detail === '' ? null : <Code ml="xs">{detail}</Code>}
    </Alert>
  );
}

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
  /** Null: those that are kept stay. */
  const [headers, setHeaders] = useState<readonly HeaderRow[] | null>(
    server === null || server.headers.length === 0 ? [] : null,
  );
  const described = kind === 'http' && text.trim() !== '' ? { description: text } : {};
  const body = () =>
    server === null
      ? { kind, name, url: url.trim(), headers: headersOf(headers ?? []), ...described }
      : { name, url: url.trim(), ...(headers === null ? {} : { headers: headersOf(headers) }), ...described };
  return { kind, setKind, name, setName, url, setUrl, text, setText, headers, setHeaders, body };
}

function useSave(server: ToolServer | null, onClose: () => void) {
  const { t } = useTranslation('tools');
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
  const { t } = useTranslation('tools');
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
        {kind === 'http' ? <ServiceText isNew={server === null} value={draft.text} onChange={draft.setText} /> : null}
        <TextInput
          label={t('address')}
          description={t(`address_hint_${kind}`)}
          placeholder={kind === 'mcp' ? 'https://tools.example.kr/mcp' : 'https://api.example.kr/v1'}
          type="url"
          required={kind === 'mcp' || server !== null}
          maxLength={2_000}
          value={draft.url}
          onChange={({ currentTarget }) => draft.setUrl(currentTarget.value)}
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
        <SaveFailure error={save.error} />
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
  const { t } = useTranslation('tools');
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
