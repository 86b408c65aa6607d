import type { Overview } from '@ai-studio/contract/console/overview.ts';
import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAgentNotes } from '../../api/agent-notes.ts';
import { useFormat } from '../../parts/use-format.ts';
import { type Line, Lines } from './lines.tsx';
import { serversQuery } from './queries.ts';

/** What waits for an administrator: invitations, documents, and model servers that cannot be used. */
export function Waits({ waits }: { readonly waits: NonNullable<Overview['waits']> }) {
  const { t } = useTranslation('overview');
  const { number } = useFormat();
  const { pending } = useAgentNotes();
  const { data: servers } = useQuery(serversQuery);
  const counted = (key: string, count: number, text: string, to: NonNullable<LinkProps['to']>): Line[] =>
    count === 0 ? [] : [{ key, text, beside: number(count), link: { to } }];
  const lines = [
    ...counted('invitations', waits.invitations, t('waits.invitations'), '/users'),
    ...counted('failed', waits.failed_documents, t('waits.failed_documents'), '/collections'),
    ...counted('open', waits.open_documents, t('waits.open_documents'), '/collections'),
    ...(servers?.items ?? [])
      .filter(({ state }) => state === 'unhealthy')
      .map(({ id, name }): Line => ({
        key: `server ${id}`,
        text: name,
        beside: t('waits.server'),
        link: { to: '/models' },
      })),
  ];
  // Reviews that wait stand above.
  if (lines.length === 0 && (pending ?? 0) > 0) return null;
  return <Lines title={t('waits.title')} lines={lines} none={t('waits.none')} />;
}
