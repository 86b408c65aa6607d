import type { SynonymSets } from '@ai-studio/contract/retrieval/collection.ts';
import { Textarea } from '@mantine/core';
import { useState } from 'react';

interface SynonymsFieldProps {
  readonly label: string;
  readonly description: string;
  /** What is said of a line with a single word. */
  readonly error: string;
  readonly placeholder: string;
  readonly value: SynonymSets;
  /** Told the sets once each line is one; null while a line has a single word. */
  readonly onChange: (sets: SynonymSets | null) => void;
}

/** The sets of a text: a line is a set, with commas between its words. Null where a line has a single word. */
export function readSets(text: string): SynonymSets | null {
  const sets = text
    .split('\n')
    .map((line) => [
      ...new Set(
        line
          .split(/[,;、，]/)
          .map((word) => word.trim())
          .filter((word) => word !== ''),
      ),
    ])
    .filter((words) => words.length > 0);
  return sets.every((words) => words.length > 1) ? sets : null;
}

const textOf = (sets: SynonymSets) => sets.map((words) => words.join(', ')).join('\n');

/** Words that mean the same in searches, a set in each line. */
export function SynonymsField({ label, description, error, placeholder, value, onChange }: SynonymsFieldProps) {
  const [typed, setTyped] = useState(() => textOf(value));
  const sets = readSets(typed);
  // What was undone elsewhere is shown so.
  const text = sets === null || JSON.stringify(sets) === JSON.stringify(value) ? typed : textOf(value);
  return (
    <Textarea
      label={label}
      description={description}
      placeholder={placeholder}
      autosize
      minRows={3}
      maxRows={12}
      error={sets === null ? error : null}
      value={text}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(readSets(currentTarget.value));
      }}
    />
  );
}
