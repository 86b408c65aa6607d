import {
  Connector,
  type ConnectorList,
  ConnectorRun,
  kindsWithReaders,
} from '@ai-studio/contract/retrieval/connector.ts';
import { Checkbox, Modal, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { NumberInput } from '../../../parts/number-input.tsx';
import { type AccessChoice, AccessFields, groupLines, groupsIn } from './access-fields.tsx';
import {
  bodyOf,
  draftOf,
  draftOfOther,
  faultOf,
  type FieldName,
  fieldsOf,
  isFilled,
  kindNames,
  schedules,
  type SourceDraft,
  type SourceKind,
} from './kinds.ts';
import { connectorPath, connectorsKey, connectorsPath } from './queries.ts';
import { useSchedule } from './use-schedule.ts';

type Allowed = Omit<ConnectorList, 'items'>;

interface FieldsProps {
  readonly kind: SourceKind;
  readonly draft: SourceDraft;
  readonly allowed: Allowed;
  /** Whether secrets are kept, which are given again or stay. */
  readonly hasSecrets: boolean;
  /** The field that the service refused. */
  readonly fault: FieldName | null;
  readonly onChange: (draft: SourceDraft) => void;
}

/** The fields of a source of one kind. */
function SourceFields({ kind, draft, allowed, hasSecrets, fault, onChange }: FieldsProps) {
  const { t } = useTranslation('connections');
  const { t: wordOf } = useTranslation('fields');
  const id = useId();
  // The form may be longer than its dialog.
  useEffect(() => {
    if (fault === null) return;
    const field = document.getElementById(`${id}-${fault}`);
    field?.focus({ preventScroll: true });
    // At the edge it would lie below the head of the dialog.
    field?.scrollIntoView({ block: 'center' });
  }, [fault, id]);
  return fieldsOf(kind).map(({ name, input, isRequired = false }) => {
    const set = (value: string) => onChange({ ...draft, [name]: value });
    const value = draft[name] ?? '';
    const hint =
      name === 'path'
        ? t('hints.path', { folders: allowed.folders.join(', ') })
        : input === 'secret' && hasSecrets
          ? t('secret_kept')
          : t(`hints.${name}`);
    const shared = {
      id: `${id}-${name}`,
      label: t(`fields.${name}`),
      description: hint,
      required: isRequired,
      error: name === fault ? wordOf(value === '' ? 'required' : 'invalid') : undefined,
    };
    if (input === 'switch')
      return (
        <Checkbox
          key={name}
          id={shared.id}
          error={shared.error}
          label={shared.label}
          description={hint}
          checked={value === 'true'}
          onChange={({ currentTarget }) => set(String(currentTarget.checked))}
        />
      );
    if (input === 'number')
      return <NumberInput key={name} {...shared} min={0} value={value} onChange={(given) => set(String(given))} />;
    const text = { ...shared, maxLength: 4_000, value, spellCheck: false };
    if (input === 'area')
      return (
        <Textarea
          key={name}
          {...text}
          autosize
          minRows={3}
          maxRows={12}
          ff="monospace"
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      );
    if (input === 'secret' && name !== 'username')
      return (
        <PasswordInput
          key={name}
          {...text}
          autoComplete="new-password"
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      );
    return (
      <TextInput
        key={name}
        {...text}
        type={input === 'url' ? 'url' : 'text'}
        autoComplete="off"
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  });
}

interface FormProps {
  readonly collectionId: string;
  /** Null: a new one. */
  readonly connector: Connector | null;
  readonly allowed: Allowed;
  readonly onClose: () => void;
}

/** Sends what was written. A new connection rests until somebody begins it, and is tried at once. */
function useSave({ collectionId, connector, onClose }: FormProps) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(body: object) {
      if (connector !== null) return api.patch(connectorPath(collectionId, connector.connector_id), body, Connector);
      const made = await api.post(connectorsPath(collectionId), { ...body, paused: true }, Connector);
      await api.post(`${connectorPath(collectionId, made.connector_id)}/runs`, { dry: true }, ConnectorRun);
      return made;
    },
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: connectorsKey(collectionId) }),
  });
}

function Fields(props: FormProps) {
  const { connector, allowed, onClose } = props;
  const { t } = useTranslation('connections');
  const scheduleOf = useSchedule();
  const kinds = kindNames.filter((one) => one !== 'folder' || allowed.folders.length > 0);
  const [kind, setKind] = useState<SourceKind>(connector?.settings.kind ?? kinds[0] ?? 'webdav');
  const [draft, setDraft] = useState<SourceDraft>(() => draftOf(kind, connector?.settings ?? null));
  const [name, setName] = useState(connector?.name ?? '');
  const [every, setEvery] = useState(connector?.every_minutes ?? null);
  const [most, setMost] = useState(connector?.max_documents ?? Math.min(10_000, allowed.max_documents));
  const [access, setAccess] = useState<AccessChoice>(connector?.access ?? null);
  const [groups, setGroups] = useState(() => groupLines(connector?.groups ?? []));
  const tellsReaders = kindsWithReaders.includes(kind);
  const { mutate, isPending, error, reset } = useSave(props);
  const fault = error instanceof ApiError ? faultOf(kind, draft, error.param) : null;
  const hasSecrets = connector?.has_secrets === true;
  function save() {
    const { settings, secrets } = bodyOf(kind, draft);
    const keeps = connector !== null && secrets === null;
    mutate({
      name: name.trim(),
      settings,
      ...(keeps ? {} : { secrets }),
      every_minutes: every,
      max_documents: most,
      ...(tellsReaders ? { access: access ?? 'collection', groups: access === 'source' ? groupsIn(groups) : [] } : {}),
    });
  }
  return (
    <DialogForm
      error={error}
      saveLabel={t(connector === null ? 'save_new' : 'save')}
      saving={isPending}
      disabled={name.trim() === '' || !isFilled(kind, draft) || (tellsReaders && access === null)}
      onSave={save}
      onClose={onClose}
    >
      {connector === null ? (
        <Select
          label={t('kind')}
          description={t(`kind_hints.${kind}`)}
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          onChange={(value) => {
            const chosen = kinds.find((one) => one === value) ?? kind;
            setKind(chosen);
            setDraft(draftOfOther(draft, kind, chosen));
            reset();
          }}
        />
      ) : null}
      <TextInput
        label={t('name')}
        data-autofocus
        required
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <SourceFields
        kind={kind}
        draft={draft}
        allowed={allowed}
        hasSecrets={hasSecrets}
        fault={fault}
        onChange={(changed) => {
          setDraft(changed);
          if (error !== null) reset();
        }}
      />
      {tellsReaders ? <AccessFields access={access} groups={groups} onAccess={setAccess} onGroups={setGroups} /> : null}
      <Select
        label={t('schedule')}
        description={t('schedule_hint')}
        allowDeselect={false}
        data={[
          { value: '', label: scheduleOf(null) },
          ...schedules(allowed.min_minutes, every).map((minutes) => ({
            value: String(minutes),
            label: scheduleOf(minutes),
          })),
        ]}
        value={every === null ? '' : String(every)}
        onChange={(value) => setEvery(value === null || value === '' ? null : Number(value))}
      />
      <NumberInput
        label={t('most')}
        description={t('most_hint')}
        min={1}
        max={allowed.max_documents}
        value={most}
        onChange={(value) => setMost(Number(value))}
      />
    </DialogForm>
  );
}

/** Makes a connection, or changes one. */
export function ConnectionForm({ opened, ...props }: FormProps & { readonly opened: boolean }) {
  const { t } = useTranslation('connections');
  const { connector, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={t(connector === null ? 'add' : 'edit')} size="lg">
      <Fields {...props} />
    </Modal>
  );
}
