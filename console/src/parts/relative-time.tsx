import { Text, type TextProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './use-format.ts';

const REFRESH_MS = 30_000;

interface RelativeTimeProps extends TextProps {
  /** ISO 8601; null for never. */
  readonly at: string | null;
}

/** How long ago something was, kept up to date; the exact time on hovering. */
export function RelativeTime({ at, ...text }: RelativeTimeProps) {
  const { t } = useTranslation('parts');
  const { relative, exact } = useFormat();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === null)
    return (
      <Text component="span" inherit c="dimmed" {...text}>
        {t('never')}
      </Text>
    );
  return (
    <Text component="time" inherit dateTime={at} title={exact(at)} {...text}>
      {relative(at, now)}
    </Text>
  );
}
