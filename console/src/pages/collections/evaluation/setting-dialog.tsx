import type { EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import type { CollectionOptions } from '@ai-studio/contract/console/retrieval.ts';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchFields } from '../search-fields.tsx';
import { ResultFields } from '../search/result-fields.tsx';

/** Passages that count where nothing is chosen. */
export const TOP_K = 50;

interface FormProps {
  readonly setting: EvaluationSetting;
  /** Names that others have. */
  readonly taken: ReadonlySet<string>;
  readonly options: CollectionOptions;
  readonly onSave: (setting: EvaluationSetting) => void;
}

function Form({ setting, taken, options, onSave }: FormProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const [draft, setDraft] = useState(setting);
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
        <Group justify="flex-end">
          <Button type="submit" disabled={name === '' || isTaken}>
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
