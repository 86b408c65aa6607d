import type { Prompt, PromptSummary } from '@ai-studio/contract/console/prompts.ts';
import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBlockquote, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePrompt, promptQuery, promptsQuery, removePrompt, type ShownPrompts } from '../../api/prompts.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage, LoadingTable } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { BulkBar } from '../../parts/table/toolbar.tsx';
import { useRemovals } from '../../parts/undo/use-removals.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { draftOf, emptyDraft, type PromptDraft, PromptEditor } from './editor.tsx';
import classes from './prompts.module.css';
import { type PromptAct, PromptRow } from './row.tsx';
import { PromptVersionList } from './versions.tsx';

/** What stands over the list. */
type Open =
  | { readonly kind: 'editor'; readonly prompt: Prompt | null; readonly initial: PromptDraft }
  | { readonly kind: 'versions' | 'remove'; readonly prompt: PromptSummary };

function Remove({ prompt, onClose }: { readonly prompt: PromptSummary; readonly onClose: () => void }) {
  const { t } = useTranslation('promptsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  return (
    <ConfirmDialog
      opened
      title={t('remove')}
      confirmLabel={common('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await removePrompt(prompt.id);
        await queries.invalidateQueries({ queryKey: ['prompts'] });
      }}
    >
      <Stack gap="xs">
        <Text size="sm">{t('remove_hint', { name: prompt.name })}</Text>
        {prompt.visibility === 'tenant' ? <Text size="sm">{t('remove_shared')}</Text> : null}
      </Stack>
    </ConfirmDialog>
  );
}

const shows = ['all', 'own', 'shared'] as const;

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

function Prompts() {
  const { t } = useTranslation('promptsPage');
  const { t: page } = useTranslation('prompts');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const { show = 'all', q = '' } = useSearch({ strict: false }) as {
    readonly show?: Exclude<ShownPrompts, 'all'>;
    readonly q?: string;
  };
  const navigate = useNavigate();
  const write = (change: { readonly q?: string | undefined; readonly show?: 'own' | 'shared' | undefined }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true });
  const [text, setText] = useState(q);
  const [wanted] = useDebouncedValue(text.trim(), 250);
  const { waiting, remove } = useRemovals();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const query = useInfiniteQuery({ ...promptsQuery(wanted, show), placeholderData: keepPreviousData });
  const begin = () => setOpen({ kind: 'editor', prompt: null, initial: emptyDraft });
  // The text comes when it is wanted: a list has none.
  const { mutate: read, error } = useMutation({
    mutationFn: async ({ id, act }: { readonly id: string; readonly act: 'edit' | 'copy' }) => {
      const prompt = await queries.query(promptQuery(id));
      setOpen(
        act === 'edit'
          ? { kind: 'editor', prompt, initial: draftOf(prompt) }
          : {
              kind: 'editor',
              prompt: null,
              initial: {
                ...draftOf(prompt),
                name: t('copy_name', { name: prompt.name }).slice(0, 100),
                visibility: 'private',
              },
            },
      );
    },
  });
  const { mutate: withdraw } = useMutation({
    mutationFn: ({ id, version }: PromptSummary) => changePrompt(id, { version, visibility: 'private' }),
    onSuccess: () => done(common('saved')),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['prompts'] }),
  });
  const removeAll = (prompts: readonly PromptSummary[]) =>
    remove({
      ids: prompts.map(({ id }) => id),
      message: t('removed', { count: prompts.length }),
      act: async () => {
        try {
          // All at once: whoever leaves the page has none of them left behind.
          await Promise.all(prompts.map(({ id }) => removePrompt(id)));
        } finally {
          await queries.invalidateQueries({ queryKey: ['prompts'] });
        }
      },
    });
  const act = (prompt: PromptSummary, what: PromptAct) => {
    if (what === 'withdraw') withdraw(prompt);
    else if (what === 'versions' || what === 'remove') setOpen({ kind: what, prompt });
    else read({ id: prompt.id, act: what });
  };
  const isEmpty = wanted === '' && show === 'all' && query.data?.pages[0]?.total === 0;
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={begin}>
      {t('new')}
    </Button>
  );
  return (
    <>
      <PageHeader title={page('title')} description={t('description')} {...(isEmpty ? {} : { actions: add })} />
      {isEmpty ? null : (
        <Group gap="sm" mb="md">
          <TextInput
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            leftSection={<IconSearch size={16} aria-hidden />}
            className={classes['words'] ?? ''}
            miw={200}
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              write({ q: currentTarget.value.trim() || undefined });
            }}
          />
          <SegmentedControl
            aria-label={t('show')}
            value={show}
            onChange={(value) => write({ show: value === 'own' || value === 'shared' ? value : undefined })}
            data={shows.map((value) => ({ value, label: t(value) }))}
          />
        </Group>
      )}
      <FormAlert error={error} />
      <Loaded query={query} loading={<LoadingTable />}>
        {({ pages }) => {
          const items = pages.flatMap((one) => one.items).filter(({ id }) => !waiting.has(id));
          const gone = pages.flatMap((one) => one.items).length - items.length;
          const chosen = items.filter(({ id }) => selected.has(id));
          const clear = () => setSelected(new Set());
          if (items.length === 0)
            return isEmpty ? (
              <EmptyState icon={IconBlockquote} title={t('none')} hint={t('none_hint')} action={add} />
            ) : (
              <EmptyState icon={IconSearch} title={t('none_found')} hint={t('none_found_hint')} />
            );
          return (
            <Stack gap="sm">
              {chosen.length === 0 ? null : (
                <BulkBar count={chosen.length} onClear={clear}>
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<IconTrash size={14} aria-hidden />}
                    onClick={() => {
                      removeAll(chosen);
                      clear();
                    }}
                  >
                    {common('remove')}
                  </Button>
                </BulkBar>
              )}
              <ul className={classes['list']} aria-label={page('title')}>
                {items.map((prompt) => (
                  <PromptRow
                    key={prompt.id}
                    prompt={prompt}
                    onAct={(what) => act(prompt, what)}
                    selected={selected.has(prompt.id)}
                    onSelect={() => setSelected((before) => toggled(before, prompt.id))}
                  />
                ))}
              </ul>
              <Group justify="space-between">
                <Text size="sm" c="dimmed" role="status">
                  {t('count', { count: (pages[0]?.total ?? 0) - gone })}
                </Text>
                {query.hasNextPage ? (
                  <Button
                    size="xs"
                    variant="subtle"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {common('more')}
                  </Button>
                ) : null}
              </Group>
            </Stack>
          );
        }}
      </Loaded>
      {open?.kind === 'editor' ? <PromptEditor prompt={open.prompt} initial={open.initial} onClose={close} /> : null}
      {open?.kind === 'versions' ? <PromptVersionList prompt={open.prompt} onClose={close} /> : null}
      {open?.kind === 'remove' ? <Remove prompt={open.prompt} onClose={close} /> : null}
    </>
  );
}

/** Prompts of the person, and those that are shared in the tenant. */
export function Page() {
  return useLazyNamespace('promptsPage') ? <Prompts /> : <LoadingPage />;
}
