import { Modal, Stack, Tabs, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session.ts';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { KEY_VARIABLE, curlCode, javascriptCode, pythonCode } from './code/code.ts';
import { type Pane, messagesOf } from './panes.ts';
import { requestBody } from './request.ts';

const kinds = [
  { id: 'curl', label: 'curl', language: 'bash', write: curlCode },
  { id: 'python', label: 'Python', language: 'python', write: pythonCode },
  { id: 'javascript', label: 'JavaScript', language: 'javascript', write: javascriptCode },
] as const;

interface CodeDialogProps {
  readonly pane: Pane | null;
  readonly onClose: () => void;
}

function Programs({ pane }: { readonly pane: Pane }) {
  const { t } = useTranslation('playground');
  const { api_base: base } = useMe();
  const messages = messagesOf(pane.turns);
  const asked = messages.findLastIndex(({ role }) => role === 'user' || role === 'tool');
  const sent = asked < 0 ? [{ role: 'user' as const, content: t('example_question') }] : messages.slice(0, asked + 1);
  const body = requestBody(pane.settings, sent);
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
            <CodeBlock code={write(base, body)} language={language} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

/** Programs that ask the model of a pane what was asked last. */
export function CodeDialog({ pane, onClose }: CodeDialogProps) {
  const { t } = useTranslation('playground');
  return (
    <Modal opened={pane !== null} onClose={onClose} title={t('view_code')} size="xl">
      {pane === null ? null : <Programs pane={pane} />}
    </Modal>
  );
}
