import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type TextFormat, textQuery } from './queries.ts';

interface TextPanelProps {
  /** Of the document. */
  readonly id: string;
  readonly page: number;
  readonly format: TextFormat;
}

/** A page as it is written in one of the formats. */
export function TextPanel({ id, page, format }: TextPanelProps) {
  const { t } = useTranslation('parser');
  return (
    <Loaded query={useQuery(textQuery(id, page, format))}>
      {({ text, cut }) => (
        <>
          <CodeBlock
            code={text}
            wraps
            language={format === 'text' ? null : format}
            label={t('source_of', { page, format: t(`tabs.${format}`) })}
          />
          {cut ? (
            <Text size="sm" c="dimmed">
              {t('cut')}
            </Text>
          ) : null}
        </>
      )}
    </Loaded>
  );
}
