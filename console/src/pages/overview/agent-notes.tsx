import type { AgentNotes as Notes } from '@ai-studio/contract/console/agent-notes.ts';
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { IconCheck, IconClipboardCheck, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAgentNotes } from '../../api/agent-notes.ts';
import { storeSeenNote } from '../../app/browser-storage.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';

type Decided = Notes['decided'][number];

function Decision({ note }: { readonly note: Decided }) {
  const { t } = useTranslation('overview');
  const queries = useQueryClient();
  const { state, agent_id: agentId, agent_name: name, version_number: number, decided_by: by, reason } = note;
  const Sign = state === 'approved' ? IconCheck : IconX;
  return (
    <Alert
      variant="light"
      color={state === 'approved' ? 'green' : 'red'}
      icon={<Sign size={18} aria-hidden />}
      withCloseButton
      closeButtonLabel={t('put_away', { name })}
      onClose={() => {
        storeSeenNote(note.review_id);
        void queries.invalidateQueries({ queryKey: ['agent-notes'] });
      }}
    >
      <Text size="sm">
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => <Link to="/agents/$agentId" params={{ agentId }} {...props} />}
        >
          {name}
        </Anchor>{' '}
        {t(state === 'approved' ? 'agent_approved' : 'agent_rejected', { number, by })}{' '}
        <RelativeTime at={note.decided_at} />
      </Text>
      {reason === null || reason === '' ? null : <Text size="sm">{reason}</Text>}
    </Alert>
  );
}

/** Reviews that wait for the person, and what became of their own. */
export function AgentNotes() {
  const { t } = useTranslation('overview');
  const { pending, decided } = useAgentNotes();
  if ((pending ?? 0) === 0 && decided.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t('agent_notes')}>
      {pending === null || pending === 0 ? null : (
        <Alert variant="light" color="orange" icon={<IconClipboardCheck size={18} aria-hidden />}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{t('reviews_wait', { count: pending })}</Text>
            <Button component={Link} to="/agent-reviews" size="xs" variant="light">
              {t('to_reviews')}
            </Button>
          </Stack>
        </Alert>
      )}
      {decided.map((note) => (
        <Decision key={note.review_id} note={note} />
      ))}
    </Stack>
  );
}
