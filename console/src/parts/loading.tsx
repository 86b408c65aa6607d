import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';

function Announced() {
  const { t } = useTranslation('common');
  return <VisuallyHidden component="output">{t('loading')}</VisuallyHidden>;
}

/** The shape of a page before it is here. */
export function LoadingPage() {
  return (
    <Stack gap="xl">
      <Announced />
      <Stack gap="xs">
        <Skeleton height={30} width="min(18rem, 60%)" />
        <Skeleton height={14} width="min(30rem, 90%)" />
      </Stack>
      <Group grow gap="md">
        <Skeleton height={96} />
        <Skeleton height={96} />
        <Skeleton height={96} visibleFrom="sm" />
      </Group>
      <Skeleton height={280} />
    </Stack>
  );
}

/** The shape of rows before they are here. */
export function LoadingRows({ rows = 5 }: { readonly rows?: number }) {
  return (
    <Stack gap="sm">
      <Announced />
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={40} />
      ))}
    </Stack>
  );
}
