import type { ConversationShare } from '@ai-studio/contract/console/shares.ts';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconLinkOff, IconShare2 } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import classes from './shared.module.css';
import { shareLink, sharesQuery, withdrawShare } from './shares.ts';

function Entry({ share }: { readonly share: ConversationShare }) {
  const { t } = useTranslation('answers');
  const { dateTime } = useFormat();
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: () => withdrawShare(share.id),
    onSuccess: () => done(t('share_withdrawn')),
    onError: failed,
    onSettled: () => queries.invalidateQueries(sharesQuery),
  });
  return (
    <li className={classes['entry']}>
      <div className={classes['what']}>
        <Anchor
          fw={600}
          truncate
          renderRoot={(props) => <Link to="/shared/$shareId" params={{ shareId: share.id }} {...props} />}
        >
          {share.title || t('untitled')}
        </Anchor>
        <Text size="xs" c="dimmed">
          {t('shared_on', { date: dateTime(share.created_at) })}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <CopyButton value={shareLink(share.id)} label={t('share_copy')} />
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<IconLinkOff size={14} aria-hidden />}
          loading={isPending}
          onClick={() => mutate()}
        >
          {t('share_withdraw')}
        </Button>
      </Group>
    </li>
  );
}

/** What the person shows to others of the tenant. */
export function Page() {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const query = useQuery(sharesQuery);
  if (!loaded) return <LoadingPage />;
  return (
    <>
      <PageHeader title={t('shares')} description={t('shares_hint')} />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconShare2} title={t('shares_none')} hint={t('shares_none_hint')} />
          ) : (
            <Stack component="ul" gap={0} className={classes['entries'] ?? ''}>
              {items.map((share) => (
                <Entry key={share.id} share={share} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </>
  );
}
