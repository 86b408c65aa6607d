import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../collections.module.css';
import type { KnownChoice, KnownFile } from './known.ts';

/** Names that are shown one by one. */
const MAX_SHOWN = 8;
const choices = ['replace', 'both', 'skip'] as const satisfies readonly KnownChoice[];

interface KnownDialogProps {
  /** Null while there is nothing to ask. */
  readonly known: readonly KnownFile[] | null;
  readonly onChoose: (choice: KnownChoice) => void;
  readonly onClose: () => void;
}

function Question({ known, onChoose, onClose }: KnownDialogProps & { readonly known: readonly KnownFile[] }) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const [choice, setChoice] = useState<KnownChoice>('skip');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(choice);
      }}
    >
      <Stack gap="md">
        <ul className={classes['known']}>
          {known.slice(0, MAX_SHOWN).map(({ dropped: { file }, by, documentName }) => (
            <li key={`${file.name} ${documentName}`}>
              <Text size="sm" fw={500} span>
                {file.name}
              </Text>{' '}
              <Text size="xs" c="dimmed" span>
                {by === 'name' ? t('known.by_name') : t('known.by_content', { name: documentName })}
              </Text>
            </li>
          ))}
          {known.length > MAX_SHOWN ? <li>{t('known.more', { count: known.length - MAX_SHOWN })}</li> : null}
        </ul>
        <Radio.Group
          label={t('known.what')}
          value={choice}
          onChange={(value) => setChoice(choices.find((one) => one === value) ?? choice)}
        >
          <Stack gap="xs" mt="xs">
            {choices.map((one) => (
              <Radio key={one} value={one} label={t(`known.${one}`)} description={t(`known.${one}_hint`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" data-autofocus>
            {t('known.go_on')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks what becomes of files that the collection has already. */
export function KnownDialog({ known, ...rest }: KnownDialogProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Modal opened={known !== null} onClose={rest.onClose} title={t('known.title', { count: known?.length ?? 0 })}>
      {known === null ? null : <Question known={known} {...rest} />}
    </Modal>
  );
}
