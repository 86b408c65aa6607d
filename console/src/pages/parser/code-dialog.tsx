import { Modal, Stack, Tabs, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session.ts';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { KEY_VARIABLE } from '../playground/code/code.ts';
import { curlCode, javascriptCode, pythonCode } from './code/code.ts';

const kinds = [
  { id: 'curl', label: 'curl', language: 'bash', write: curlCode },
  { id: 'python', label: 'Python', language: 'python', write: pythonCode },
  { id: 'javascript', label: 'JavaScript', language: 'javascript', write: javascriptCode },
] as const;

function Programs({ file }: { readonly file: string }) {
  const { t } = useTranslation('parser');
  const { api_base: base } = useMe();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('code_hint', { variable: KEY_VARIABLE })}
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label={t('view_code')}>
          {kinds.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {kinds.map(({ id, language, write }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <CodeBlock code={write(base, file)} language={language} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

interface CodeDialogProps {
  readonly opened: boolean;
  /** What the document is called. */
  readonly file: string;
  readonly onClose: () => void;
}

/** Programs that have the parser read this document. */
export function CodeDialog({ opened, file, onClose }: CodeDialogProps) {
  const { t } = useTranslation('parser');
  return (
    <Modal opened={opened} onClose={onClose} title={t('view_code')} size="xl">
      {opened ? <Programs file={file} /> : null}
    </Modal>
  );
}
