import { Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session.ts';
import classes from './answer.module.css';

/** The mark of the tenant on what an AI has made. */
export function AiMark() {
  const { i18n } = useTranslation();
  const mark = useMe().ai?.mark;
  if (mark === undefined) return null;
  return (
    <Text size="xs" c="dimmed" className={classes['mark'] ?? ''}>
      <IconSparkles size={13} aria-hidden />
      {i18n.language === 'ko' ? mark.ko : mark.en}
    </Text>
  );
}
