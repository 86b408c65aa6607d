import type { ModelKind } from '@ai-studio/contract/models.ts';
import {
  type ModelServer,
  ModelServer as Form,
  type ModelServerTestResult,
  ModelServerTestResult as TestForm,
} from '@ai-studio/contract/console/models.ts';
import { Alert, Button, Checkbox, Group, Modal, PasswordInput, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlugConnected } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { api } from '../../api/client.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { KindBadge } from './kind-badge.tsx';
import classes from './models.module.css';
import { servedQuery, serversQuery } from './queries.ts';

/** A model of the server: offered under which id, or not. */
interface Offer {
  readonly remoteId: string;
  readonly kind: ModelKind;
  readonly id: string;
  readonly offered: boolean;
}

/** A name of the form that the service takes, from the host of an address. */
function nameOf(address: string): string {
  try {
    const { hostname, port } = new URL(address);
    const plain = `${hostname}-${port}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    return plain.replaceAll(/^-+|-+$/g, '').slice(0, 40) || 'server';
  } catch {
    return '';
  }
}

function offersOf(result: ModelServerTestResult, stored: ModelServer | null): Offer[] {
  const known = new Map(stored?.models.map((model) => [model.remote_id, model]));
  return result.models.map(({ remote_id: remoteId, kind }) => {
    const before = known.get(remoteId);
    return {
      remoteId,
      kind: before?.kind ?? kind,
      id: before?.id ?? remoteId,
      offered: stored === null || before !== undefined,
    };
  });
}

interface OffersProps {
  readonly offers: readonly Offer[];
  readonly onChange: (offers: readonly Offer[]) => void;
}

function Offers({ offers, onChange }: OffersProps) {
  const { t } = useTranslation('modelsPage');
  const { data } = useQuery(servedQuery);
  const set = (remoteId: string, change: Partial<Offer>) =>
    onChange(offers.map((offer) => (offer.remoteId === remoteId ? { ...offer, ...change } : offer)));
  const known = data?.items.filter(({ origin }) => origin === 'catalogue').map(({ id }) => id) ?? [];
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('offers')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('offers_hint')}
      </Text>
      <datalist id="catalogue-ids">
        {known.map((id) => (
          <option key={id} value={id} label={id} aria-label={id} />
        ))}
      </datalist>
      <Table aria-label={t('offers')} className={classes['offers'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('model_there')}</Table.Th>
            <Table.Th scope="col">{t('id_here')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {offers.map((offer) => (
            <Table.Tr key={offer.remoteId}>
              <Table.Td>
                <Group gap="xs">
                  <Checkbox
                    checked={offer.offered}
                    label={offer.remoteId}
                    onChange={({ currentTarget }) => set(offer.remoteId, { offered: currentTarget.checked })}
                  />
                  <KindBadge kind={offer.kind} />
                </Group>
              </Table.Td>
              <Table.Td>
                <TextInput
                  size="xs"
                  list="catalogue-ids"
                  aria-label={t('id_of', { model: offer.remoteId })}
                  disabled={!offer.offered}
                  maxLength={200}
                  value={offer.id}
                  onChange={({ currentTarget }) => set(offer.remoteId, { id: currentTarget.value })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

function TestResult({ result }: { readonly result: ModelServerTestResult }) {
  const { t } = useTranslation('modelsPage');
  const { t: errors } = useTranslation('errors');
  const { duration } = useFormat();
  if (result.ok) {
    return (
      <Alert color="green" variant="light" role="status" icon={<IconCircleCheck size={18} aria-hidden />}>
        {t('test_ok', { count: result.models.length, time: duration(result.latency_ms ?? 0) })}
      </Alert>
    );
  }
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />}>
      {result.problem === null
        ? errors(`reasons.${result.reason ?? 'server_unreachable'}`)
        : t(`server_problems.${result.problem}`, { host: '', status: '', address: '', ...result.values })}
    </Alert>
  );
}

interface ServerFormProps {
  /** Null: a new one. */
  readonly server: ModelServer | null;
  /** Address of a server that was found on this machine. */
  readonly found: string;
  readonly onClose: () => void;
}

/** The fields, and what a look at the server found. */
function useDraft({ server, found }: Omit<ServerFormProps, 'onClose'>) {
  const [address, setAddress] = useState(server?.base_url ?? found);
  const [name, setName] = useState(server?.name ?? nameOf(found));
  const [named, setNamed] = useState(server !== null);
  const [key, setKey] = useState('');
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const test = useMutation({
    mutationFn: () =>
      api.post(
        '/servers/test',
        {
          base_url: address.trim(),
          ...(key === '' ? {} : { api_key: key }),
          ...(server === null ? {} : { server_id: server.id }),
        },
        TestForm,
      ),
    onSuccess: (result) => setOffers(offersOf(result, server)),
  });
  return {
    address,
    name,
    key,
    offers,
    test,
    setOffers,
    setKey(text: string) {
      setKey(text);
      test.reset();
    },
    setAddress(text: string) {
      setAddress(text);
      test.reset();
      if (!named) setName(nameOf(text));
    },
    setName(text: string) {
      setNamed(true);
      setName(text);
    },
  };
}

function useSave({ server }: Pick<ServerFormProps, 'server'>, onClose: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: object) =>
      server === null ? api.post('/servers', body, Form) : api.patch(`/servers/${server.id}`, body, Form),
    async onSuccess() {
      onClose();
      await Promise.all(
        [serversQuery, servedQuery, chatModelsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
      );
    },
  });
}

function Fields({ server, found, onClose }: ServerFormProps) {
  const { t } = useTranslation('modelsPage');
  const { t: common } = useTranslation('common');
  const draft = useDraft({ server, found });
  const save = useSave({ server }, onClose);
  const { test, offers } = draft;
  const chosen = offers.filter(({ offered, id }) => offered && id.trim() !== '');
  const tested = test.data?.ok === true;
  const body = () => ({
    base_url: draft.address.trim(),
    models: chosen.map(({ remoteId, id, kind }) => ({ remote_id: remoteId, id: id.trim(), kind })),
    ...(server === null ? { name: draft.name, api_key: draft.key === '' ? null : draft.key } : {}),
    ...(server !== null && draft.key !== '' ? { api_key: draft.key } : {}),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (tested) save.mutate(body());
        else test.mutate();
      }}
    >
      <Stack gap="md">
        <FormAlert error={save.error ?? test.error} />
        <TextInput
          label={t('server_address')}
          description={t('server_address_hint')}
          placeholder="http://127.0.0.1:8000/v1"
          type="url"
          required
          data-autofocus
          value={draft.address}
          onChange={({ currentTarget }) => draft.setAddress(currentTarget.value)}
        />
        <PasswordInput
          label={t('server_key')}
          description={t(server?.has_api_key ? 'server_key_stored' : 'server_key_hint')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('show_key') }}
          value={draft.key}
          onChange={({ currentTarget }) => draft.setKey(currentTarget.value)}
        />
        {server === null ? (
          <TextInput
            label={t('server_name')}
            description={t('server_name_hint')}
            required
            pattern="[a-z0-9][a-z0-9_\-]{0,40}"
            value={draft.name}
            onChange={({ currentTarget }) => draft.setName(currentTarget.value)}
          />
        ) : null}
        {test.data === undefined ? null : <TestResult result={test.data} />}
        {tested ? <Offers offers={offers} onChange={draft.setOffers} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          {tested ? (
            <Button type="submit" loading={save.isPending} disabled={chosen.length === 0}>
              {t(server === null ? 'connect' : 'save_server')}
            </Button>
          ) : (
            <Button type="submit" loading={test.isPending} leftSection={<IconPlugConnected size={16} aria-hidden />}>
              {t('test')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface ServerDialogProps extends ServerFormProps {
  readonly opened: boolean;
}

/** Connects a server, or changes one: it is tried before it is kept. */
export function ServerDialog({ opened, ...form }: ServerDialogProps) {
  const { t } = useTranslation('modelsPage');
  return (
    <Modal
      opened={opened}
      onClose={form.onClose}
      title={form.server === null ? t('connect') : t('change_server', { name: form.server.name })}
      size="lg"
    >
      <Fields {...form} />
    </Modal>
  );
}
