import { Skeleton, Stack } from '@mantine/core';
import { late } from '../late.tsx';
import type { PassageProps } from './props.ts';

/** The text of a passage as it is meant: headings, lists and tables drawn, found words marked. */
export const PassageView = late<PassageProps>(
  async () => (await import('./rendered-passage.tsx')).PassageRenderer,
  () => (
    <Stack gap="xs" aria-hidden>
      <Skeleton height={12} />
      <Skeleton height={12} width="70%" />
    </Stack>
  ),
);
