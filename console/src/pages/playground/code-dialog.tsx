import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KEY_VARIABLE } from '../../parts/code/notation.ts';
import { CodeSamples } from '../../parts/code/code-samples.tsx';
import { curlCode, javascriptCode, pythonCode } from './code/code.ts';
import { type Pane, messagesOf } from './panes.ts';
import { requestBody } from './request.ts';

const write = { curl: curlCode, python: pythonCode, javascript: javascriptCode };

interface CodeDialogProps {
  readonly pane: Pane | null;
  readonly onClose: () => void;
}

/** What a pane sent last; a question for example where it sent nothing. */
function sentBy(pane: Pane, example: string) {
  const messages = messagesOf(pane.turns);
  const asked = messages.findLastIndex(({ role }) => role === 'user' || role === 'tool');
  const sent = asked < 0 ? [{ role: 'user' as const, content: example }] : messages.slice(0, asked + 1);
  return requestBody(pane.settings, sent);
}

/** Code samples for the last request of a pane. */
export function CodeDialog({ pane, onClose }: CodeDialogProps) {
  const { t } = useTranslation('playground');
  return (
    <Modal opened={pane !== null} onClose={onClose} title={t('view_code')} size="xl">
      {pane === null ? null : (
        <CodeSamples
          write={write}
          content={sentBy(pane, t('example_question'))}
          label={t('view_code')}
          hint={t('code_hint', { variable: KEY_VARIABLE })}
        />
      )}
    </Modal>
  );
}
