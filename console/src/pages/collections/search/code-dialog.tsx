import type { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { KEY_VARIABLE } from '../../../parts/code/notation.ts';
import { CodeSamples } from '../../../parts/code/code-samples.tsx';
import { curlCode, javascriptCode, pythonCode } from '../code/code.ts';

const write = { curl: curlCode, python: pythonCode, javascript: javascriptCode };

interface CodeDialogProps {
  readonly opened: boolean;
  readonly request: SearchRequest;
  /** Whether only keys of its owner find it. */
  readonly isPrivate: boolean;
  readonly onClose: () => void;
}

/** Code samples for the search. */
export function CodeDialog({ opened, request, isPrivate, onClose }: CodeDialogProps) {
  const { t } = useTranslation('collectionsPage');
  const hint = `${t('search.code_hint', { variable: KEY_VARIABLE })} ${isPrivate ? t('search.code_key') : ''}`;
  return (
    <Modal opened={opened} onClose={onClose} title={t('search.view_code')} size="xl">
      {opened ? <CodeSamples write={write} content={request} label={t('search.view_code')} hint={hint} /> : null}
    </Modal>
  );
}
