import { Reference, type AgentNodeForm, type ResultType } from '@ai-studio/contract/agents/definition.ts';
import { Autocomplete } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { resultsInScope, isAssignable } from '../model/references.ts';

interface ReferenceFieldProps {
  readonly node: AgentNodeForm;
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Types that fit. */
  readonly wanted: readonly ResultType[];
  readonly onChange: (reference: string) => void;
  readonly error?: string | undefined;
  /** Whether it may be left open. */
  readonly open?: boolean;
}

/** One result of a node before: chosen, or written where it lies deeper in one. */
export function ReferenceField({
  node,
  label,
  description,
  value,
  wanted,
  onChange,
  error,
  open = false,
}: ReferenceFieldProps) {
  const { t } = useTranslation('agentBuilder');
  const { definition } = useBuilder();
  // What is half written is no reference yet; it is kept here until it is one.
  const [draft, setDraft] = useState<{ readonly of: string; readonly text: string } | null>(null);
  const text = draft !== null && draft.of === value ? draft.text : value;
  const fits = (one: string) => (one === '' && open) || Reference.safeParse(one).success;
  return (
    <Autocomplete
      label={label}
      description={description}
      placeholder="node.result"
      spellCheck={false}
      data={resultsInScope(definition, node.id)
        .filter((result) => isAssignable(result, wanted))
        .map(({ reference }) => reference)}
      value={text}
      error={fits(text) ? error : t('no_reference')}
      onChange={(next) => {
        if (fits(next.trim())) {
          setDraft(null);
          onChange(next.trim());
        } else setDraft({ of: value, text: next });
      }}
    />
  );
}
