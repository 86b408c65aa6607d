import { Box, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBrain, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './thinking.module.css';
import { useFormat } from './use-format.ts';

interface ThinkingProps {
  readonly text: string;
  /** The model is still thinking: the text is shown as it comes. */
  readonly running: boolean;
  /** How long it thought, in milliseconds; null where that is not known. */
  readonly ms?: number | null;
}

const SECOND_MS = 1_000;

/** Whole seconds since it began to be shown, counted while it runs. */
function useSeconds(running: boolean): number {
  const [since] = useState(() => performance.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / SECOND_MS)), SECOND_MS);
    return () => clearInterval(timer);
  }, [running, since]);
  return seconds;
}

/** What a model thought before its answer: apart, and folded once the answer begins. */
export function Thinking({ text, running, ms = null }: ThinkingProps) {
  const { t } = useTranslation('parts');
  const [opened, { toggle }] = useDisclosure(false);
  const { duration } = useFormat();
  const seconds = useSeconds(running);
  const tookMs = running ? seconds * SECOND_MS : ms;
  const shown = opened || running;
  const Arrow = shown ? IconChevronDown : IconChevronRight;
  return (
    <Box className={classes['thinking']}>
      <UnstyledButton className={classes['head'] ?? ''} onClick={toggle} aria-expanded={shown}>
        <IconBrain size={16} aria-hidden />
        <Text span size="sm" fw={550}>
          {t(running ? 'thinking' : 'thought')}
        </Text>
        {tookMs === null || tookMs === 0 ? null : (
          <Text span size="sm" className={classes['time'] ?? ''} aria-hidden={running}>
            {duration(tookMs)}
          </Text>
        )}
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
