import type { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';
import { Modal, Stack, Tabs, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/session.ts';
import { CodeBlock } from '../../../parts/code/code-block.tsx';
import { KEY_VARIABLE } from '../../playground/code/code.ts';
import { curlCode, javascriptCode, pythonCode } from '../code/code.ts';

const kinds = [
  { id: 'curl', label: 'curl', language: 'bash', write: curlCode },
  { id: 'python', label: 'Python', language: 'python', write: pythonCode },
  { id: 'javascript', label: 'JavaScript', language: 'javascript', write: javascriptCode },
] as const;

interface ProgramsProps {
  readonly request: SearchRequest;
  /** Whether only keys of its owner find it. */
  readonly isPrivate: boolean;
}

function Programs({ request, isPrivate }: ProgramsProps) {
  const { t } = useTranslation('collections');
  const { api_base: base } = useMe();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('search.code_hint', { variable: KEY_VARIABLE })} {isPrivate ? t('search.code_key') : ''}
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label={t('search.view_code')}>
          {kinds.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {kinds.map(({ id, language, write }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <CodeBlock code={write(base, request)} language={language} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

interface CodeDialogProps extends ProgramsProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Programs that make the search. */
export function CodeDialog({ opened, onClose, ...programs }: CodeDialogProps) {
  const { t } = useTranslation('collections');
  return (
    <Modal opened={opened} onClose={onClose} title={t('search.view_code')} size="xl">
      {opened ? <Programs {...programs} /> : null}
    </Modal>
  );
}
