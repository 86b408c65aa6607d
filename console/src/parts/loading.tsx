import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShellPage } from '../app/page-permissions.ts';
import classes from './loading.module.css';

/** Takes the place of what is awaited at once, and is seen once that takes longer than a glance: what comes soon does not flash. */
function Late({ children, full = false }: { readonly children: ReactNode; readonly full?: boolean }) {
  const { t } = useTranslation('common');
  return (
    <div className={classes['late']} data-full={full}>
      <VisuallyHidden component="output">{t('loading')}</VisuallyHidden>
      {children}
    </div>
  );
}

/** Title and description of a page. */
function Head() {
  return (
    <Stack gap="sm" mb="xl">
      <Skeleton height={30} width="min(16rem, 60%)" />
      <Skeleton height={14} width="min(30rem, 90%)" />
    </Stack>
  );
}

/** Rows of a table below its toolbar, each as high as it will be. */
function TableShape({ rows = 8 }: { readonly rows?: number }) {
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Skeleton height={30} width="16rem" maw="60%" />
        <Skeleton height={30} width={72} />
      </Group>
      <div className={classes['table']}>
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className={classes['row']}>
            <Skeleton height={12} width={`${34 - ((row * 7) % 13)}%`} />
            <Skeleton height={12} width="14%" visibleFrom="xs" />
            <Skeleton height={12} width="10%" visibleFrom="sm" />
          </div>
        ))}
      </div>
    </Stack>
  );
}

function CardsShape() {
  return (
    <Stack gap="md">
      <Group grow gap="md">
        <Skeleton height={96} />
        <Skeleton height={96} />
        <Skeleton height={96} visibleFrom="sm" />
      </Group>
      <Skeleton height={280} />
    </Stack>
  );
}

function FormShape() {
  return (
    <Stack gap="lg" maw="46rem">
      {[0, 1, 2, 3].map((field) => (
        <Stack key={field} gap={8}>
          <Skeleton height={12} width="8rem" />
          <Skeleton height={36} />
        </Stack>
      ))}
    </Stack>
  );
}

/** A list beside a page that fills the window, with what one writes in at its foot. */
function TalkShape() {
  return (
    <div className={classes['talk']}>
      <Stack gap="sm" visibleFrom="sm" className={classes['side'] ?? ''}>
        <Skeleton height={36} />
        {[0, 1, 2, 3, 4].map((entry) => (
          <Skeleton key={entry} height={14} width={`${90 - entry * 9}%`} my={6} />
        ))}
      </Stack>
      <div className={classes['column']}>
        <Skeleton height={112} radius="lg" />
      </div>
    </div>
  );
}

type Shape = 'table' | 'cards' | 'form' | 'talk';
/** What each page will look like. */
const shapes: Readonly<Partial<Record<ShellPage, Shape>>> = {
  chat: 'talk',
  playground: 'talk',
  overview: 'cards',
  usage: 'cards',
  speech: 'form',
  parser: 'form',
  settings: 'form',
  profile: 'form',
  privacy: 'form',
};

/** The shape of a page before it is here. */
export function LoadingPage() {
  const { page, full = false } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} });
  const shape = page === undefined ? 'form' : (shapes[page] ?? 'table');
  if (full)
    return (
      <Late full>
        {shape === 'talk' ? (
          <TalkShape />
        ) : (
          <div className={classes['inset']}>
            <Head />
            <CardsShape />
          </div>
        )}
      </Late>
    );
  return (
    <Late>
      <Head />
      {shape === 'table' ? <TableShape /> : shape === 'cards' ? <CardsShape /> : <FormShape />}
    </Late>
  );
}

/** The shape of a table before its rows are here. */
export function LoadingTable() {
  return (
    <Late>
      <TableShape />
    </Late>
  );
}

/** The shape of rows before they are here. */
export function LoadingRows({ rows = 5 }: { readonly rows?: number }) {
  return (
    <Late>
      <Stack gap="sm">
        {Array.from({ length: rows }, (_, row) => (
          <Skeleton key={row} height={40} />
        ))}
      </Stack>
    </Late>
  );
}
