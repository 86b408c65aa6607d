import { Code } from '@mantine/core';

interface SecretTextProps {
  readonly value: string;
  readonly 'data-testid': string;
}

/** What is shown once, whole at any width: a part that is out of sight would be missed when it is copied by hand. */
export function SecretText({ value, ...rest }: SecretTextProps) {
  return (
    <Code block style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }} {...rest}>
      {value}
    </Code>
  );
}
