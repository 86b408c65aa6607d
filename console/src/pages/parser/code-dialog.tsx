import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KEY_VARIABLE } from '../../parts/code/notation.ts';
import { CodeSamples } from '../../parts/code/code-samples.tsx';
import { curlCode, javascriptCode, pythonCode } from './code/code.ts';

const write = { curl: curlCode, python: pythonCode, javascript: javascriptCode };

interface CodeDialogProps {
  /** What the document is called. */
  readonly file: string;
  readonly onClose: () => void;
}

/** Code samples for parsing this document. */
export function CodeDialog({ file, onClose }: CodeDialogProps) {
  const { t } = useTranslation('parser');
  return (
    <Modal opened onClose={onClose} title={t('view_code')} size="xl">
      <CodeSamples
        write={write}
        content={file}
        label={t('view_code')}
        hint={t('code_hint', { variable: KEY_VARIABLE })}
      />
    </Modal>
  );
}
