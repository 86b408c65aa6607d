import { Stack, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMe } from '../../api/session.ts';
import { CodeBlock } from './code-block.tsx';

interface CodeSamplesProps<Content> {
  /** One generator for each language: base URL and request in, source code out. */
  readonly write: Readonly<Record<'curl' | 'python' | 'javascript', (base: string, content: Content) => string>>;
  readonly content: Content;
  /** What the tabs are called together. */
  readonly label: string;
  readonly hint: ReactNode;
}

const kinds = [
  { id: 'curl', label: 'curl', language: 'bash' },
  { id: 'python', label: 'Python', language: 'python' },
  { id: 'javascript', label: 'JavaScript', language: 'javascript' },
] as const;

/** The same call as a program in three languages. */
export function CodeSamples<Content>({ write, content, label, hint }: CodeSamplesProps<Content>) {
  const { api_base: base } = useMe();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label={label}>
          {kinds.map(({ id, label: name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {kinds.map(({ id, language }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <CodeBlock code={write[id](base, content)} language={language} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
