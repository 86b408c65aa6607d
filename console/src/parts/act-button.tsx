import { Button, type ButtonProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface ActButtonProps {
  readonly icon: Icon;
  readonly label: string;
  readonly size?: ButtonProps['size'];
  /** Less to be seen than the others: what ends or removes. */
  readonly quiet?: boolean;
  /** Whether what it unfolds is open; left out where it unfolds nothing. */
  readonly expanded?: boolean;
  readonly loading?: boolean;
  /** Address of a file that is saved. */
  readonly file?: string;
  readonly onClick?: () => void;
}

/** A button of those that stand together above what they are about: a picture, and a verb. */
export function ActButton(props: ActButtonProps) {
  const { icon: Picture, label, size = 'compact-sm', quiet = false, expanded, loading = false, file, onClick } = props;
  const look = {
    size,
    loading,
    variant: quiet ? 'subtle' : 'default',
    ...(quiet ? { color: 'gray' } : {}),
    leftSection: <Picture size={size === 'compact-sm' ? 14 : 16} aria-hidden />,
  };
  if (file !== undefined)
    return (
      <Button component="a" href={file} download {...look}>
        {label}
      </Button>
    );
  return (
    <Button {...look} aria-expanded={expanded} onClick={onClick}>
      {label}
    </Button>
  );
}
