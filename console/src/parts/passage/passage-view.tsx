import { Skeleton, Stack } from '@mantine/core';
import { Suspense, lazy } from 'react';
import type { PassageProps } from './props.ts';

const PassageRenderer = lazy(async () => ({ default: (await import('./rendered-passage.tsx')).PassageRenderer }));

/** The text of a passage as it is meant: headings, lists and tables drawn, found words marked. */
export function PassageView(props: PassageProps) {
  return (
    <Suspense
      fallback={
        <Stack gap="xs" aria-hidden>
          <Skeleton height={12} />
          <Skeleton height={12} width="70%" />
        </Stack>
      }
    >
      <PassageRenderer {...props} />
    </Suspense>
  );
}
