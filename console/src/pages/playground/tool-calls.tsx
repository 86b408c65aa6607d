import { Badge, Button, Code, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToolCall } from '../../api/chat-stream.ts';

/** Arguments as they read best; as they came where they are not JSON. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface ToolCallsProps {
  readonly calls: readonly ToolCall[];
  /** Calls that wait for a result. */
  readonly open: readonly string[];
  readonly onResult: (callId: string, text: string) => void;
}

function Result({ onGive }: { readonly onGive: (text: string) => void }) {
  const { t } = useTranslation('playground');
  const [text, setText] = useState('');
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Textarea
        flex={1}
        size="xs"
        autosize
        minRows={1}
        maxRows={8}
        label={t('tool_result')}
        placeholder='{"ok": true}'
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button size="xs" disabled={text.trim() === ''} onClick={() => onGive(text)}>
        {t('give_result')}
      </Button>
    </Group>
  );
}

/** The functions that a model calls, and fields for what they answer. */
export function ToolCalls({ calls, open, onResult }: ToolCallsProps) {
  return (
    <Stack gap="xs">
      {calls.map((call) => (
        <Paper key={call.id} withBorder p="sm" radius="md">
          <Stack gap="xs">
            <Group gap="xs">
              <IconTool size={16} aria-hidden />
              <Text size="sm" fw={600}>
                {call.name}
              </Text>
              <Badge variant="light" size="sm" tt="none">
                {call.id}
              </Badge>
            </Group>
            <Code block>{pretty(call.arguments)}</Code>
            {open.includes(call.id) ? <Result onGive={(text) => onResult(call.id, text)} /> : null}
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}
