import { type AgentNodeForm, resultNameLetters } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Combobox, Group, Input, Menu, Text, Textarea, Tooltip, useCombobox } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { nodeOf } from '../model/graph.ts';
import { type Result, type Scope, resultsInScope } from '../model/references.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import classes from './forms.module.css';

interface TemplateFieldProps {
  readonly node: AgentNodeForm;
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error?: string | undefined;
  readonly scope?: Scope;
  readonly minRows?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
}

/** What is being written between two braces just before the caret. */
const writing = new RegExp(String.raw`\{\{\s*([.${resultNameLetters}]{0,60})$`);
const MAX_SHOWN = 40;

/** Results grouped by the node that gives them, in the order in which they come. */
function grouped(
  results: readonly Result[],
): readonly { readonly node: string; readonly results: readonly Result[] }[] {
  const groups = new Map<string, Result[]>();
  for (const result of results) groups.set(result.node, [...(groups.get(result.node) ?? []), result]);
  return [...groups].map(([node, all]) => ({ node, results: all }));
}

function useResults(node: AgentNodeForm, scope: Scope) {
  const { t } = useTranslation('agentBuilder');
  const { definition, options } = useBuilder();
  const labels = useNodeLabels(options);
  const results = resultsInScope(definition, node.id, scope);
  const nameOf = (id: string) => {
    if (id === 'item' || id === 'loop') return t(`own.${id}`);
    const found = nodeOf(definition, id);
    return found === undefined ? id : labels.name(found);
  };
  return { results, nameOf };
}

function ResultLine({ result }: { readonly result: Result }) {
  const { t } = useTranslation('agentBuilder');
  return (
    <Group gap="xs" justify="space-between" wrap="nowrap">
      <Text size="sm" span className={classes['reference'] ?? ''}>
        {result.reference}
      </Text>
      <Text size="xs" c="dimmed" span>
        {t(`types.${result.type}`)}
      </Text>
    </Group>
  );
}

/** A text with places for results of nodes before: chosen from a list at the button, or while `{{` is written. */
export function TemplateField(props: TemplateFieldProps) {
  const { node, label, description, value, onChange, error, scope = 'before', minRows = 2 } = props;
  const { t } = useTranslation('agentBuilder');
  const { results, nameOf } = useResults(node, scope);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const [begun, setBegun] = useState<string | null>(null);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setBegun(null);
    },
  });
  const fitting = results
    .filter(({ reference }) => begun === null || reference.toLowerCase().includes(begun.toLowerCase()))
    .slice(0, MAX_SHOWN);
  // The caret is put behind what was inserted once the text is there.
  useEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const viewRequest = (text: string, at: number) => {
    const found = writing.exec(text.slice(0, at));
    setBegun(found?.[1] ?? null);
    if (found === null || results.length === 0) combobox.closeDropdown();
    else {
      combobox.openDropdown();
      combobox.selectFirstOption();
    }
  };
  const insert = (reference: string) => {
    const at = field.current?.selectionEnd ?? value.length;
    const before = value.slice(0, at).replace(writing, '');
    const after = value.slice(at).replace(/^\s*\}\}/, '');
    const text = `${before}{{${reference}}}${after}`;
    caret.current = before.length + reference.length + 4;
    onChange(text);
    combobox.closeDropdown();
    field.current?.focus();
  };
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      id={id}
      labelElement="label"
      {...(props.required === true ? { withAsterisk: true } : {})}
    >
      <div className={classes['template']}>
        <Combobox store={combobox} onOptionSubmit={insert} withinPortal position="bottom-start">
          <Combobox.Target>
            <Textarea
              id={id}
              ref={field}
              autosize
              minRows={minRows}
              maxRows={14}
              maxLength={props.maxLength ?? 100_000}
              error={error !== undefined}
              value={value}
              spellCheck={false}
              classNames={{ input: classes['templateInput'] ?? '' }}
              {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
              onChange={({ currentTarget }) => {
                onChange(currentTarget.value);
                viewRequest(currentTarget.value, currentTarget.selectionEnd);
              }}
              onBlur={() => combobox.closeDropdown()}
            />
          </Combobox.Target>
          <Combobox.Dropdown hidden={fitting.length === 0}>
            <Combobox.Options aria-label={t('results')} mah={240} className={classes['options'] ?? ''}>
              {grouped(fitting).map(({ node: giver, results: given }) => (
                <Combobox.Group key={giver} label={nameOf(giver)}>
                  {given.map((result) => (
                    <Combobox.Option key={result.reference} value={result.reference}>
                      <ResultLine result={result} />
                    </Combobox.Option>
                  ))}
                </Combobox.Group>
              ))}
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Tooltip label={t('insert_result')}>
              <ActionIcon
                className={classes['inserter'] ?? ''}
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={t('insert_result_into', { field: label })}
              >
                <IconBraces size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown className={classes['menu'] ?? ''}>
            {results.length === 0 ? <Menu.Label>{t('no_results')}</Menu.Label> : null}
            {grouped(results).map(({ node: giver, results: given }) => (
              <div key={giver}>
                <Menu.Label>{nameOf(giver)}</Menu.Label>
                {given.map((result) => (
                  <Menu.Item key={result.reference} onClick={() => insert(result.reference)}>
                    <ResultLine result={result} />
                  </Menu.Item>
                ))}
              </div>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </Input.Wrapper>
  );
}
