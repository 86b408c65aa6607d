import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

interface HeldInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  /** What is wrong with a text; null where it may be taken. */
  readonly fault: (text: string) => string | null;
  readonly onTake: (text: string) => void;
}

/** A field whose text is taken when the person leaves it or presses Enter, and only where it is right. */
export function HeldInput({ value, fault, onTake, error, ...props }: HeldInputProps) {
  const [draft, setDraft] = useState<{ readonly of: string; readonly text: string } | null>(null);
  const text = draft !== null && draft.of === value ? draft.text : value;
  const wrong = text === value ? null : fault(text);
  const take = () => {
    if (text === value || wrong !== null) return;
    setDraft(null);
    onTake(text);
  };
  return (
    <TextInput
      {...props}
      value={text}
      error={wrong ?? error}
      spellCheck={false}
      onChange={({ currentTarget }) => setDraft({ of: value, text: currentTarget.value })}
      onBlur={take}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) take();
        if (key === 'Escape') setDraft(null);
      }}
    />
  );
}
