import type { Person } from '@ai-studio/contract/console/people.ts';
import { type Role, roles } from '@ai-studio/contract/console/roles.ts';
import { Alert, Button, FileButton, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import { LoadingRows } from '../../../parts/loading.tsx';
import { decodeText, toCsv } from '../../../parts/csv.ts';
import { saveText } from '../../../parts/save-text.ts';
import { Outcome } from './outcome.tsx';
import { type PersonLine, readPeople } from './people-file.ts';
import { Preview } from './preview.tsx';
import { useInvitePeople } from './use-invite-people.ts';

/** Of a file, in bytes: some ten thousand people. */
const MAX_FILE_BYTES = 1_000_000;

interface SourceProps {
  readonly onText: (text: string, usual: Role) => void;
  readonly problem: 'empty' | 'quotes' | null;
}

/** Where the list comes from: a file, or what is pasted. */
function ListSource({ onText, problem }: SourceProps) {
  const { t } = useTranslation('invitePeople');
  const { t: users } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const [text, setText] = useState('');
  const [usual, setUsual] = useState<Role>('user');
  const [isTooLarge, setTooLarge] = useState(false);
  const take = async (file: File | null) => {
    if (file === null) return;
    setTooLarge(file.size > MAX_FILE_BYTES);
    if (file.size <= MAX_FILE_BYTES) onText(decodeText(await file.arrayBuffer()), usual);
  };
  const example = [
    [users('email'), users('name'), users('role')],
    ['kim@example.kr', '김민수', common('role.developer')],
  ];
  return (
    <Stack gap="md">
      <Text size="sm">{t('hint')}</Text>
      {isTooLarge || problem !== null ? (
        <Alert color="red" variant="light" role="alert">
          {t(isTooLarge ? 'too_large' : (problem ?? 'empty'))}
        </Alert>
      ) : null}
      <Group gap="sm">
        <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} leftSection={<IconFileSpreadsheet size={16} aria-hidden />}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
        <Button
          variant="subtle"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveText('people.csv', toCsv(example), 'text/csv')}
        >
          {t('template')}
        </Button>
      </Group>
      <Textarea
        label={t('paste')}
        placeholder={t('paste_placeholder')}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Select
        label={t('usual_role')}
        allowDeselect={false}
        data={roles.map((role) => ({ value: role, label: common(`role.${role}`) }))}
        value={usual}
        onChange={(role) => setUsual(role ?? 'user')}
      />
      <Group justify="flex-end">
        <Button disabled={text.trim() === ''} onClick={() => onText(text, usual)}>
          {t('preview')}
        </Button>
      </Group>
    </Stack>
  );
}

interface BulkInviteProps {
  readonly people: readonly Person[];
  readonly mails: boolean;
  readonly onClose: () => void;
}

function Steps({
  people,
  mails,
  onClose,
  running,
}: BulkInviteProps & { readonly running: ReturnType<typeof useInvitePeople> }) {
  const { run, start, stop } = running;
  const [lines, setLines] = useState<readonly PersonLine[] | 'quotes' | null>(null);
  if (run !== null) return <Outcome run={run} onStop={stop} onClose={onClose} />;
  if (typeof lines === 'object' && lines !== null && lines.length > 0)
    return (
      <Preview people={lines} mails={mails} onBack={() => setLines(null)} onInvite={(invited) => void start(invited)} />
    );
  const known = new Set(people.map(({ email }) => email.toLowerCase()));
  return (
    <ListSource
      problem={lines === null ? null : lines === 'quotes' ? 'quotes' : 'empty'}
      onText={(text, usual) => setLines(readPeople(text, { known, usual }) ?? 'quotes')}
    />
  );
}

/** Invites the people of a list: a file or pasted cells, looked at line by line, then invited. */
export function BulkInvite(props: BulkInviteProps) {
  const ready = useLazyNamespace('invitePeople');
  const { t } = useTranslation('invitePeople');
  const running = useInvitePeople();
  const { run } = running;
  // Links are shown once, so that a click beside the dialog must not lose them.
  const holds = run !== null;
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={ready ? t('title') : ''}
      size="xl"
      closeOnClickOutside={!holds}
      closeOnEscape={!holds}
      withCloseButton={!holds}
    >
      {ready ? <Steps {...props} running={running} /> : <LoadingRows />}
    </Modal>
  );
}
