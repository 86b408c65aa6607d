import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

interface CommitInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  /** Error message for a text; null when it is valid. */
  readonly validate: (text: string) => string | null;
  readonly onCommit: (text: string) => void;
}

/** A text input that commits on blur and on Enter, and only a valid text; Escape resets it. */
export function CommitInput({ value, validate, onCommit, error, ...props }: CommitInputProps) {
  const [draft, setDraft] = useState<{ readonly of: string; readonly text: string } | null>(null);
  const text = draft !== null && draft.of === value ? draft.text : value;
  const wrong = text === value ? null : validate(text);
  const commit = () => {
    if (text === value || wrong !== null) return;
    setDraft(null);
    onCommit(text);
  };
  return (
    <TextInput
      {...props}
      value={text}
      error={wrong ?? error}
      spellCheck={false}
      onChange={({ currentTarget }) => setDraft({ of: value, text: currentTarget.value })}
      onBlur={commit}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) commit();
        if (key === 'Escape') setDraft(null);
      }}
    />
  );
}
