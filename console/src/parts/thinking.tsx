import { Box, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBrain, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './thinking.module.css';

interface ThinkingProps {
  readonly text: string;
  /** The model is still thinking: the text is shown as it comes. */
  readonly running: boolean;
}

/** What a model thought before its answer: apart, and folded once the answer begins. */
export function Thinking({ text, running }: ThinkingProps) {
  const { t } = useTranslation('parts');
  const [opened, { toggle }] = useDisclosure(false);
  const shown = opened || running;
  const Arrow = shown ? IconChevronDown : IconChevronRight;
  return (
    <Box className={classes['thinking']}>
      <UnstyledButton className={classes['head'] ?? ''} onClick={toggle} aria-expanded={shown}>
        <IconBrain size={16} aria-hidden />
        <Text span size="sm" fw={550}>
          {t(running ? 'thinking' : 'thought')}
        </Text>
        <Arrow size={14} aria-hidden />
      </UnstyledButton>
      {shown ? (
        <Text size="sm" c="dimmed" className={classes['text']}>
          {text}
        </Text>
      ) : null}
    </Box>
  );
}
