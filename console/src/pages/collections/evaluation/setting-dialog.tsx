import type { EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import type { CollectionOptions } from '@ai-studio/contract/console/retrieval.ts';
import { Button, Collapse, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../../api/session.ts';
import { PassageFields } from '../passage-fields.tsx';
import { ExpansionField } from '../search/expansion-field.tsx';
import { SearchFields } from '../search-fields.tsx';
import { ResultFields } from '../search/result-fields.tsx';
import { SynonymFields } from '../synonym-fields.tsx';

/** Passages that count where nothing is chosen. */
export const TOP_K = 50;

interface FormProps {
  readonly setting: EvaluationSetting;
  /** Names that others have. */
  readonly taken: ReadonlySet<string>;
  readonly options: CollectionOptions;
  /** Names of metadata fields that are indexed. */
  readonly fields: readonly string[];
  readonly onSave: (setting: EvaluationSetting) => void;
}

interface MoreProps extends Pick<FormProps, 'fields'> {
  readonly draft: EvaluationSetting;
  /** Told whether the sets of words that stand there can't be read. */
  readonly onWrong: (wrong: boolean) => void;
  readonly onChange: (draft: EvaluationSetting) => void;
}

/** What few settings differ in: closed until it is asked for. */
function MoreFields({ draft, fields, onWrong, onChange }: MoreProps) {
  const { t } = useTranslation('collectionsPage');
  const [opened, { toggle }] = useDisclosure(false);
  const mayAsk = hasPermission(useMe(), ['chat']);
  const Arrow = opened ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Button
        variant="subtle"
        justify="flex-start"
        px={4}
        leftSection={<Arrow size={16} aria-hidden />}
        aria-expanded={opened}
        onClick={toggle}
      >
        {t('evaluation.more')}
      </Button>
      <Collapse expanded={opened}>
        <Stack gap="md">
          {mayAsk ? (
            <ExpansionField
              value={draft.query_expansion?.kind ?? null}
              onChange={(kind) => onChange({ ...draft, query_expansion: kind === null ? null : { kind } })}
            />
          ) : null}
          <PassageFields
            config={draft.search}
            fields={fields}
            onChange={(change) => onChange({ ...draft, search: { ...draft.search, ...change } })}
          />
          <SynonymFields
            config={draft.search}
            onChange={(change) => {
              // The switch says nothing of what stands in the field.
              if (change === null || change.synonyms !== undefined) onWrong(change === null);
              if (change !== null) onChange({ ...draft, search: { ...draft.search, ...change } });
            }}
          />
        </Stack>
      </Collapse>
    </>
  );
}

function Form({ setting, taken, options, fields, onSave }: FormProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const [draft, setDraft] = useState(setting);
  const [wrong, setWrong] = useState(false);
  const name = draft.name.trim();
  const isTaken = taken.has(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // React brings events of dialogs to the form that opened them.
        event.stopPropagation();
        onSave({ ...draft, name });
      }}
    >
      <Stack gap="md">
        <TextInput
          label={t('evaluation.setting_name')}
          maxLength={100}
          data-autofocus
          value={draft.name}
          error={isTaken ? t('evaluation.setting_taken') : undefined}
          onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
        />
        <SearchFields
          config={draft.search}
          options={options}
          onChange={(change) => setDraft({ ...draft, search: { ...draft.search, ...change } })}
        />
        <ResultFields
          topK={draft.top_k ?? TOP_K}
          threshold={draft.threshold}
          onChange={({ topK, threshold }) =>
            setDraft({
              ...draft,
              ...(topK === undefined ? {} : { top_k: topK }),
              ...(threshold === undefined ? {} : { threshold }),
            })
          }
        />
        <MoreFields draft={draft} fields={fields} onWrong={setWrong} onChange={setDraft} />
        <Group justify="flex-end">
          <Button type="submit" disabled={name === '' || isTaken || wrong}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Chooses how a setting of an evaluation searches. */
export function SettingDialog({ setting, onClose, ...form }: SettingDialogProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Modal opened={setting !== null} onClose={onClose} title={t('evaluation.setting')} size="md">
      {setting === null ? null : <Form key={setting.name} setting={setting} {...form} />}
    </Modal>
  );
}

interface SettingDialogProps extends Omit<FormProps, 'setting'> {
  /** Null while it is closed. */
  readonly setting: EvaluationSetting | null;
  readonly onClose: () => void;
}
