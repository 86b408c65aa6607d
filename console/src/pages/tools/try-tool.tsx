import { type ToolServer, ToolTrialResult } from '@ai-studio/contract/console/agents.ts';
import { Alert, Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { type ToolInput, argumentsOf, inputsOf } from './inputs.ts';

export type Tool = ToolServer['tools'][number];

interface FieldProps {
  readonly input: ToolInput;
  readonly first: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Field({ input, first, value, onChange }: FieldProps) {
  const { t } = useTranslation('toolsPage');
  const { name, description, required, options, json } = input;
  // Both are of the server, in whatever language.
  const shared = {
    label: name,
    labelProps: { lang: '' },
    ...(description === '' ? {} : { description, descriptionProps: { lang: '' } }),
    required,
    ...(first ? { 'data-autofocus': true } : {}),
  };
  if (options !== null)
    return (
      <Select
        {...shared}
        data={[...options]}
        value={value === '' ? null : value}
        placeholder={t('not_given')}
        clearable={!required}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  if (json)
    return (
      <Textarea
        {...shared}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        placeholder={t('json_hint')}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return <TextInput {...shared} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />;
}

/** JSON as people read it, anything else as it is. */
function shownText(text: string): { readonly code: string; readonly language: string | null } {
  try {
    return { code: JSON.stringify(JSON.parse(text), null, 2), language: 'json' };
  } catch {
    return { code: text, language: null };
  }
}

function Result({ tried }: { readonly tried: ToolTrialResult }) {
  const { t } = useTranslation('toolsPage');
  const { duration } = useFormat();
  return (
    <Stack gap="xs" role="status">
      {tried.failed ? (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t('result_failed')}
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          {t('result_done', { time: duration(tried.ms) })}
        </Text>
      )}
      <CodeBlock {...shownText(tried.text)} label={t('result')} wraps />
    </Stack>
  );
}

interface TryFormProps {
  readonly server: ToolServer;
  readonly tool: Tool;
  readonly onClose: () => void;
}

function TryForm({ server, tool, onClose }: TryFormProps) {
  const { t } = useTranslation('toolsPage');
  const { t: common } = useTranslation('common');
  const inputs = inputsOf(tool.parameters);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const call = useMutation({
    mutationFn: () =>
      api.post(
        `/agent-servers/${server.id}/try`,
        { tool: tool.name, arguments: argumentsOf(inputs, texts) },
        ToolTrialResult,
      ),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        call.mutate();
      }}
    >
      <Stack gap="md">
        {tool.description === '' ? null : (
          <Text size="sm" lang="">
            {tool.description}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t('try_hint')}
        </Text>
        {inputs.map((input, at) => (
          <Field
            key={input.name}
            input={input}
            first={at === 0}
            value={texts[input.name] ?? ''}
            onChange={(text) => setTexts({ ...texts, [input.name]: text })}
          />
        ))}
        <FormAlert error={call.error} />
        {call.data === undefined ? null : <Result tried={call.data} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('close')}
          </Button>
          <Button
            type="submit"
            loading={call.isPending}
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            {...(inputs.length === 0 ? { 'data-autofocus': true } : {})}
          >
            {t('call')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TryDialogProps {
  readonly server: ToolServer;
  readonly tool: Tool | null;
  readonly onClose: () => void;
}

/** Calls a tool with what people enter, and shows what it gave. */
export function TryDialog({ server, tool, onClose }: TryDialogProps) {
  const { t } = useTranslation('toolsPage');
  return (
    <Modal opened={tool !== null} onClose={onClose} title={t('try_of', { name: tool?.name ?? '' })} size="lg">
      {tool === null ? null : <TryForm server={server} tool={tool} onClose={onClose} />}
    </Modal>
  );
}
