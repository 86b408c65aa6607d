import { Textarea, TextInput } from '@mantine/core';

/** What people call a thing, and what they say of it. */
export interface Naming {
  readonly name: string;
  readonly description: string;
}

interface NamingFieldsProps {
  readonly naming: Naming;
  readonly onChange: (naming: Naming) => void;
  readonly labels: { readonly name: string; readonly description: string; readonly hint: string };
  /** Most characters of each. */
  readonly longest: { readonly name: number; readonly description: number };
}

/** Name and description of a thing; writing begins at the name. */
export function NamingFields({ naming, onChange, labels, longest }: NamingFieldsProps) {
  return (
    <>
      <TextInput
        label={labels.name}
        maxLength={longest.name}
        required
        data-autofocus
        value={naming.name}
        onChange={({ currentTarget: { value: name } }) => onChange({ ...naming, name })}
      />
      <Textarea
        label={labels.description}
        description={labels.hint}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={longest.description}
        value={naming.description}
        onChange={({ currentTarget: { value: description } }) => onChange({ ...naming, description })}
      />
    </>
  );
}
